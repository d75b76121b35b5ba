"""Edits an expectation file at the positions of its values,
so that comments and layout stay (harness/H-18).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import yaml

_HEAD = """\
# What is expected not to pass, and why. `kueue-conformance expectations update REPORT --file THIS` keeps it up to date.
apiVersion: kueue-conformance.dev/v1
kind: Expectations
expectations:
"""


class Editor:
    """A file's text with changes to come; entries are counted from 0."""

    def __init__(self, text: str) -> None:
        self._text = text if text.strip() else _HEAD
        root = yaml.compose(self._text, Loader=yaml.SafeLoader)
        self._items: Sequence[yaml.Node] = _items(root)
        self._root = root
        self._changes: list[tuple[int, int, str]] = []

    def remove(self, number: int) -> None:
        """Take an entry out, with the comment that stands right above it."""
        lines = self._text.splitlines(keepends=True)
        node = self._items[number]
        first, last = node.start_mark.line, _last_line(node)
        while first > 0 and lines[first - 1].lstrip().startswith("#"):
            first -= 1
        starts = _starts(lines)
        self._changes.append((starts[first], starts[last + 1], ""))

    def replace(self, number: int, key: str, value: str) -> None:
        """Give a field of an entry another value."""
        for name, node in self._items[number].value:
            if name.value == key:
                self._changes.append((node.start_mark.index, node.end_mark.index, value))

    def append(self, entries: Sequence[Mapping[str, Any]]) -> None:
        """Add entries at the end of the list."""
        if not entries:
            return
        indent = " " * (self._items[0].start_mark.column - 2 if self._items else 2)
        block = "".join(_block(entry, indent) for entry in entries)
        self._changes.append(self._behind(block) if self._items else self._opening(block))

    def _behind(self, block: str) -> tuple[int, int, str]:
        at = _starts(self._text.splitlines(keepends=True))[_last_line(self._items[-1]) + 1]
        return at, at, block if self._text[:at].endswith("\n") else f"\n{block}"

    def _opening(self, block: str) -> tuple[int, int, str]:
        """Start the list where the file has none, or an empty one."""
        for key, node in self._root.value if isinstance(self._root, yaml.MappingNode) else ():
            if key.value == "expectations":
                return key.end_mark.index + 1, node.end_mark.index, "\n" + block.removesuffix("\n")
        end = len(self._text)
        return end, end, f"expectations:\n{block}"

    def text(self) -> str:
        """Return the file with all changes."""
        text = self._text
        for start, end, new in sorted(self._changes, key=lambda change: (change[0], change[1]), reverse=True):
            text = text[:start] + new + text[end:]
        return text


def _items(root: yaml.Node | None) -> Sequence[yaml.Node]:
    pairs = root.value if isinstance(root, yaml.MappingNode) else ()
    expectations = next((value for key, value in pairs if key.value == "expectations"), None)
    return expectations.value if isinstance(expectations, yaml.SequenceNode) else ()


def _last_line(node: yaml.Node) -> int:
    """Return the last line that belongs to a node:
    a block's own end mark lies behind the comments that follow it.
    """
    return max(_end(scalar) for scalar in _scalars(node))


def _end(node: yaml.ScalarNode) -> int:
    end_line = node.end_mark.line
    return end_line - 1 if node.style in ("|", ">") and node.end_mark.column == 0 else end_line


def _scalars(node: yaml.Node) -> Iterator[yaml.ScalarNode]:
    if isinstance(node, yaml.ScalarNode):
        yield node
    for child in node.value if isinstance(node, yaml.CollectionNode) else ():
        for node_part in child if isinstance(child, tuple) else (child,):
            yield from _scalars(node_part)


def _starts(lines: Sequence[str]) -> list[int]:
    """Return the offset of each line, and the end of the text, repeated for look-ups beyond it."""
    offsets = [0]
    for line in lines:
        offsets.append(offsets[-1] + len(line))
    return [*offsets, offsets[-1]]


def _block(entry: Mapping[str, Any], indent: str) -> str:
    lines = yaml.safe_dump(dict(entry), sort_keys=False, allow_unicode=True, width=1000).splitlines()
    return "".join(f"{indent}{'- ' if number == 0 else '  '}{line}\n" for number, line in enumerate(lines))

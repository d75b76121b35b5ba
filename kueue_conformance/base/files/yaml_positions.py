"""The lines of the fields of a YAML file, by paths such as `implementation.version` and `rules[0].verbs`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import yaml

from .input_limits import LOADER


@dataclass(frozen=True, slots=True)
class Repeated:
    """A key that is in one mapping twice; a parser would silently take the last."""

    path: str
    line: int
    first_line: int


class YamlPositions:
    """The positions in one text, whose lines count from 1. Raises YAMLError."""

    def __init__(self, text: str) -> None:
        self._lines: dict[str, int] = {}
        self.repeated: list[Repeated] = []
        node = yaml.compose(text, Loader=LOADER)
        if node is not None:
            self._take(node, "")

    def line(self, path: str) -> int:
        """Return the line of a field, or of the nearest one around it that is there; 1 where none is."""
        while path and path not in self._lines:
            path = path[: max(path.rfind("."), path.rfind("["), 0)]
        return self._lines.get(path, 1)

    def _take(self, node: yaml.Node, path: str) -> None:
        for name, inner, line in _children(node):
            inside = f"{path}.{name}" if path and not name.startswith("[") else f"{path}{name}"
            if inside in self._lines:
                self.repeated.append(Repeated(inside, line, self._lines[inside]))
            else:
                self._lines[inside] = line
                self._take(inner, inside)


def _children(node: yaml.Node) -> Iterator[tuple[str, yaml.Node, int]]:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield str(key.value), value, key.start_mark.line + 1
    elif isinstance(node, yaml.SequenceNode):
        for number, value in enumerate(node.value):
            yield f"[{number}]", value, value.start_mark.line + 1

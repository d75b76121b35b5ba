"""YAML request bodies, read as Go's converter reads them: no dates, repeated keys reported by line (FK-026, FK-042)."""

from __future__ import annotations

import re
from typing import Any

import yaml

Json = Any
_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NOT_JSON = frozenset({"tag:yaml.org,2002:timestamp", "tag:yaml.org,2002:int"})
_INTEGER = re.compile(r"^[-+]?(0b[0-1_]+|0o?[0-7_]+|0x[0-9a-fA-F_]+|0|[1-9][0-9_]*)$")


class MalformedYaml(Exception):
    """The text is not YAML; the message starts as Go's does."""


class _Loader(_Base):  # type: ignore[misc]
    """Makes text of what looks like a date, a number of what has no colon in it, a boolean of y and n."""

    bool_values = {**_Base.bool_values, "y": True, "n": False}  # noqa: RUF012 - read by the base class

    def construct_mapping(self, node: Any, deep: bool = False) -> Json:
        """Return a map whose keys are text, as JSON wants them."""
        return {_key(key): value for key, value in super().construct_mapping(node, deep).items()}


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in found if tag not in _NOT_JSON]
    for first, found in _Base.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver("tag:yaml.org,2002:int", _INTEGER, list("-+0123456789"))
_Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^[yYnN]$"), list("yYnN"))


def parse(body: bytes) -> tuple[Json, list[str]]:
    """Return the tree and the repeated keys, one line of text each. Raises MalformedYaml."""
    loader = _Loader(body.decode("utf-8", "replace"))
    try:
        node = loader.get_node() if loader.check_node() else None
        repeated = _repeated(node) if node is not None else []
        return (loader.construct_document(node) if node is not None else None), repeated
    except yaml.YAMLError as error:
        raise MalformedYaml(_worded(error)) from error
    finally:
        loader.dispose()


def _key(key: Json) -> str:
    return str(key).lower() if isinstance(key, bool) else str(key)


def strict(repeated: list[str]) -> list[str]:
    """Return the repeated keys as one strict decoding error."""
    return ["yaml: unmarshal errors:\n  " + "\n  ".join(repeated)] if repeated else []


def _repeated(node: Any) -> list[str]:
    if isinstance(node, yaml.SequenceNode):
        return [text for child in node.value for text in _repeated(child)]
    if not isinstance(node, yaml.MappingNode):
        return []
    seen: set[str] = set()
    found: list[str] = []
    for key, value in node.value:
        if key.value in seen:
            found.append(f'line {key.start_mark.line + 1}: key "{key.value}" already set in map')
        seen.add(key.value)
        found += _repeated(value)
    return found


def _worded(error: yaml.YAMLError) -> str:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or str(error)
    behind = isinstance(error, yaml.scanner.ScannerError)
    line = f"line {mark.line + behind}: " if mark is not None and mark.line > 0 else ""
    return f"yaml: {line}{problem}"

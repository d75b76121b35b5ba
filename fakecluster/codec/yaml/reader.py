"""YAML request bodies, read as Go's converter reads them:
no dates, repeated keys reported by line (FK-026, FK-042).
"""

from __future__ import annotations

import math
import re
import sys
from functools import partial
from typing import Any

import yaml

from ...base.json_types import Json
from ...patch.json.nesting import MAX_DEPTH
from .. import body_limits
from ..json import numbers
from ..json.reader import REPEATED_KEYS
from .tree import YamlTooDeep, YamlTree

COMPOSER_NODE_LIMIT = 20_000
"""Nodes of a document that is read by the composer, which takes its time."""
MIN_REPETITIONS, SMALL_BYTES, LARGE_BYTES = 100, 400_000, 4_000_000
"""Repetitions that are never too many, and the sizes between which ever fewer are permitted."""
_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_OWN_TAGS = frozenset(f"tag:yaml.org,2002:{kind}" for kind in ("timestamp", "int", "float"))
"""What is told from text by other patterns than the loader's."""
_INTEGER = re.compile(r"^[-+]?(0b[0-1_]+|0o?[0-7_]+|0x[0-9a-fA-F_]+|0|[1-9][0-9_]*)$")
_FLOAT = re.compile(
    r"^([-+]?(\.[0-9][0-9_]*|[0-9][0-9_]*(\.[0-9_]*)?)([eE][-+]?[0-9_]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))$"
)


_BASED_NUMBER = re.compile("[-+]?0[box]")
LONGEST_INTEGER = 70
"""Characters of a number of 64 bits in any base; one with more zeros or underlines is read as a float is."""
_FLOAT_WORDS = ("inf", "Inf", "INF", "nan", "NaN", "NAN")


class MalformedYaml(Exception):
    """The text is not YAML; the message starts as Go's does."""


# libyaml where it is installed; the reader in Python takes many times as long.
class _Loader(_Base):  # type: ignore[misc]
    """Makes text of what looks like a date, a number of what has no colon in it, a boolean of y and n."""

    # go-yaml takes y and n for booleans, as YAML 1.1 says; PyYAML does not.
    bool_values = {**_Base.bool_values, "y": True, "n": False}  # noqa: RUF012 - read by the base class

    def construct_mapping(self, node: Any, deep: bool = False) -> Json:
        """Return a map whose keys are text, as JSON wants them."""
        return {_key(key): value for key, value in super().construct_mapping(node, deep).items()}


def _integer(loader: Any, node: Any) -> Json:
    """Return a whole number of 64 bits, a longer one as a float, or any other text unchanged."""
    if len(node.value) > LONGEST_INTEGER:
        return _float(loader, node)
    value = loader.construct_yaml_int(node)
    return value if -numbers.SIGNED <= value < numbers.UNSIGNED else _float(loader, node)


def _float(loader: Any, node: Any) -> Json:
    """Return a number that JSON has as well, or the text of one that no float holds. Raises MalformedYaml."""
    text = node.value.replace("_", "")
    if text.endswith(_FLOAT_WORDS):
        go_name = "NaN" if text[-1] in "nN" else "-Inf" if text[0] == "-" else "+Inf"
        raise MalformedYaml(f"json: unsupported value: {go_name}")
    if _BASED_NUMBER.match(text) or math.isinf(value := float(text)):
        return loader.construct_scalar(node)
    return numbers.whole(value)


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag not in _OWN_TAGS]
    for first, resolvers in _Base.yaml_implicit_resolvers.items()
}
_Loader.add_constructor("tag:yaml.org,2002:timestamp", _Loader.construct_yaml_str)
_Loader.add_constructor(
    "tag:yaml.org,2002:binary",
    lambda loader, node: loader.construct_yaml_binary(node).decode("utf-8", "replace"),
)
_Loader.add_constructor("tag:yaml.org,2002:float", _float)
_Loader.add_constructor("tag:yaml.org,2002:int", _integer)
for _unsupported in ("set", "omap", "pairs"):
    _Loader.add_constructor(f"tag:yaml.org,2002:{_unsupported}", _Loader.construct_undefined)
_Loader.add_constructor(
    None,
    lambda loader, node: (
        loader.construct_scalar(node)
        if isinstance(node, yaml.ScalarNode)
        else loader.construct_undefined(node)
    ),
)
_Loader.add_implicit_resolver("tag:yaml.org,2002:int", _INTEGER, list("-+0123456789"))
_Loader.add_implicit_resolver("tag:yaml.org,2002:float", _FLOAT, list("-+.0123456789"))
_Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^[yYnN]$"), list("yYnN"))
_FIRST_CHARACTERS = frozenset(_Loader.yaml_implicit_resolvers)
"""The first characters of everything that is no text; the empty text is a null."""


UTF8_MESSAGES = {
    "invalid start byte": "invalid leading UTF-8 octet",
    "invalid continuation byte": "invalid trailing UTF-8 octet",
}
OCTETS_CUT = "incomplete UTF-8 octet sequence"


def parse(body: bytes, limit: int = sys.maxsize) -> tuple[Json, list[str]]:
    """Return the tree and the repeated keys, one line of text each.

    Raises MalformedYaml, 413 for more values than `limit`.
    """
    text = _decode(body)
    try:
        tree = _tree(text, limit)
    except yaml.YAMLError as error:
        raise MalformedYaml(_go_message(error, text)) from error
    # The fast path: documents without anchors, tags and merges.
    if tree.plain:
        return tree.value, tree.repeated
    # The composer makes an object of each node, so only short documents come to it.
    if tree.events > COMPOSER_NODE_LIMIT:
        raise MalformedYaml(
            f"yaml: a document with anchors or tags may have {COMPOSER_NODE_LIMIT} nodes, not {tree.events}"
        )
    return _compose(text, limit)


def _tree(text: str, limit: int) -> YamlTree:
    """Return the document as a tree of plain values. Raises MalformedYaml, YAMLError."""
    loader = _Loader(text)
    tree = YamlTree(partial(_scalar, loader), _key, MAX_DEPTH, partial(body_limits.check_values, limit=limit))
    try:
        tree.read(iter(loader.get_event, None))
    except YamlTooDeep as error:
        raise MalformedYaml("yaml: exceeded max depth of 10000") from error
    finally:
        loader.dispose()
    return tree


def _scalar(loader: Any, text: str) -> Json:
    """Return the value of a scalar without quotes; it is a text where no other type begins like it."""
    if text and text[0] not in _FIRST_CHARACTERS:
        return text
    tag = loader.resolve(yaml.ScalarNode, text, (True, False))
    construct = loader.yaml_constructors.get(tag) or loader.yaml_constructors[None]
    return construct(loader, yaml.ScalarNode(tag, text))


def _compose(text: str, limit: int) -> tuple[Json, list[str]]:
    """Read a document by the composer. Raises MalformedYaml, 413."""
    loader = _Loader(text)
    try:
        node = loader.get_node() if loader.check_node() else None
        if node is not None:
            _check_aliases(node, limit)
        repeated = _repeated_keys(node) if node is not None else []
        return (loader.construct_document(node) if node is not None else None), repeated
    except yaml.YAMLError as error:
        raise MalformedYaml(_go_message(error, text)) from error
    finally:
        loader.dispose()


def _decode(body: bytes) -> str:
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        raise MalformedYaml(f"yaml: {UTF8_MESSAGES.get(error.reason, OCTETS_CUT)}") from error


def _check_aliases(root: Any, limit: int) -> None:
    """Refuse a document of which nearly everything is repetition by aliases, as go-yaml does, and one with
    more values than `limit`, those that aliases repeat included.
    """
    visited: set[int] = set()
    nodes = repeated = keys = 0
    pending = [(root, False)]
    while pending:
        node, is_repetition = pending.pop()
        is_repetition = is_repetition or id(node) in visited
        visited.add(id(node))
        # A few aliases of aliases make a document of gigabytes; go-yaml counts them by this very ratio.
        nodes, repeated = nodes + 1, repeated + is_repetition
        if repeated > MIN_REPETITIONS and repeated > nodes * _permitted_alias_share(nodes):
            raise MalformedYaml("yaml: document contains excessive aliasing")
        body_limits.check_values(nodes - keys, limit)
        if isinstance(node, yaml.SequenceNode):
            pending += [(child, is_repetition) for child in node.value]
        elif isinstance(node, yaml.MappingNode):
            keys += len(node.value)
            pending += [(child, is_repetition) for pair in node.value for child in pair]


def _permitted_alias_share(nodes: int) -> float:
    """Return which part of so many nodes may come from aliases:
    much of a small document, little of a large one.
    """
    if nodes <= SMALL_BYTES:
        return 0.99
    return max(0.10, 0.99 - 0.89 * (nodes - SMALL_BYTES) / (LARGE_BYTES - SMALL_BYTES))


def _key(key: Json) -> str:
    return str(key).lower() if isinstance(key, bool) else str(key)


def strict(repeated: list[str]) -> list[str]:
    """Return the repeated keys as one strict decoding error."""
    return [REPEATED_KEYS + "\n  ".join(repeated)] if repeated else []


def _repeated_keys(node: Any) -> list[str]:
    if isinstance(node, yaml.SequenceNode):
        return [text for child in node.value for text in _repeated_keys(child)]
    if not isinstance(node, yaml.MappingNode):
        return []
    seen_keys: set[str] = set()
    repetitions: list[str] = []
    for key, value in node.value:
        if key.value in seen_keys:
            repetitions.append(f'line {key.start_mark.line + 1}: key "{key.value}" already set in map')
        seen_keys.add(key.value)
        repetitions += _repeated_keys(value)
    return repetitions


def _go_message(error: yaml.YAMLError, text: str) -> str:
    if isinstance(error, yaml.reader.ReaderError):
        return "yaml: control characters are not allowed"
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or str(error)
    if problem == "found undefined alias" and mark is not None:
        problem = f"unknown anchor '{_alias(text, mark)}' referenced"
    # libyaml counts lines from 0, and go-yaml adds one to those of the scanner only.
    behind = isinstance(error, yaml.scanner.ScannerError)
    line = f"line {mark.line + behind}: " if mark is not None and mark.line > 0 else ""
    return f"yaml: {line}{problem}"


def _alias(text: str, mark: Any) -> str:
    match = re.match(r"\*(\w+)", text.splitlines()[mark.line][mark.column :])
    return match[1] if match else ""

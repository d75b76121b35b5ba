"""Counts what the rules of a built-in kind do with lists of different lengths: calls of functions, and
comparisons of texts, which searches through lists do without a call.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import NamedTuple

from fakecluster.api.kind import Kind
from fakecluster.base.json_types import Json
from fakecluster.gotypes import typed
from fakecluster.schema.structural import Structural
from fakecluster.tests.kinds.judging import NOW, UID

Path = tuple[str, ...]
ITEMS, VALUES = "[]", "{}"
SCALARS = frozenset({"string", "integer", "number", "boolean"})
SHORT, MIDDLE, LONG = 16, 32, 64


class Text(str):
    """A text that counts how often it is compared."""

    __slots__ = ()
    compared = 0

    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        Text.compared += 1
        return str.__eq__(self, other)


class Work(NamedTuple):
    """What a rule has cost."""

    calls: int
    comparisons: int


def lists_of(node: Structural, path: Path = (), outer: tuple[int, ...] = ()) -> Iterator[Path]:
    """Yield the paths of all lists and maps below a node; a type within itself is not gone into."""
    if id(node.raw) in outer:
        return
    inner = (*outer, id(node.raw))
    for mark, child in ((ITEMS, node.items), (VALUES, node.additional)):
        if child is not None:
            yield path
            yield from lists_of(child, (*path, mark), inner)
    for name, member in node.properties.items():
        if (*path, name) != ("metadata", "managedFields"):
            yield from lists_of(member, (*path, name), inner)


def with_lists(node: Structural, paths: frozenset[Path], length: int, number: int = 0) -> Json:
    """Return a value with lists of a length at some paths,
    and scalars beside them that differ from item to item.
    """
    below = {
        name: frozenset(path[1:] for path in paths if path[:1] == (name,))
        for name in {path[0] for path in paths if path}
    }
    count = length if () in paths else 1
    if node.items is not None:
        return [with_lists(node.items, below.get(ITEMS, frozenset()), length, at) for at in range(count)]
    if node.additional is not None:
        inner = below.get(VALUES, frozenset())
        return {f"k{at}": with_lists(node.additional, inner, length, at) for at in range(count)}
    if node.properties:
        members = {
            name: _scalar(child, number) for name, child in node.properties.items() if child.type in SCALARS
        }
        return members | {
            name: with_lists(node.properties[name], inner, length, number) for name, inner in below.items()
        }
    return _scalar(node, number)


def _scalar(node: Structural, number: int) -> Json:
    if node.type == "string" and node.raw.get("format") in {"date-time", "byte"}:
        return NOW if node.raw["format"] == "date-time" else "bjA="
    return {"integer": number + 1, "number": number + 1, "boolean": False}.get(node.type, Text(f"n{number}"))


def work_of(kind: Kind, tree: Json, other: Json) -> Mapping[str, Work]:
    """Return what each rule of a kind costs for an object, and for its change to another one."""
    obj, old = _decode(kind, tree), _decode(kind, other)
    rules: dict[str, Callable[[], Json]] = {
        "decode": lambda: _decode(kind, tree),
        "default": lambda: kind.schema.default(obj),
    }
    strategy = kind.strategy
    for name in ("prepare", "validate", "validate_new", "check_allocation"):
        if rule := getattr(strategy, name):
            rules[name] = lambda rule=rule: list(rule(obj))
    for name in ("prepare_update", "prepare_status", "validate_update", "validate_status", "warnings"):
        if rule := getattr(strategy, name):
            rules[name] = lambda rule=rule: list(rule(obj, old))
    for column in kind.presentation.columns:
        rules[f"column {column.name}"] = lambda column=column: column.cell(obj, 0.0)
    return {name: _count(rule) for name, rule in rules.items()}


def _decode(kind: Kind, tree: Json) -> Json:
    metadata = {
        **tree.get("metadata", {}),
        "name": "x",
        "namespace": "default",
        "uid": UID,
        "creationTimestamp": NOW,
    }
    document = {**tree, "apiVersion": kind.api_version, "kind": kind.kind, "metadata": metadata}
    with suppress(Exception):
        return kind.schema.default(typed.decode(kind, document).object)
    return document


def _count(rule: Callable[[], Json]) -> Work:
    calls = 0

    def count(_frame: object, event: str, _function: object) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"}

    before, outer = Text.compared, sys.getprofile()
    sys.setprofile(count)
    try:
        # Objects like these can be bad in ways that no client can make them; what counts is the work until
        # then.
        with suppress(Exception):
            rule()
    finally:
        sys.setprofile(outer)
    compared = Text.compared - before
    return Work(calls - compared, compared)


def steep(kind: Kind, paths: frozenset[Path]) -> list[str]:
    """Return the rules of a kind whose work grows faster than lists do:
    twice the items cost some more than twice.
    """
    node = kind.schema.structural
    works = []
    for length in (SHORT, SHORT, MIDDLE, LONG):  # the first only fills caches
        trees = [with_lists(node, paths, length, at) for at in (0, 1)]
        works.append(work_of(kind, *trees))
    _, short, middle, long = works
    return [
        f"{name}: {short[name]}, {middle[name]}, {long[name]}"
        for name in long
        if any(_is_steep(*counts) for counts in zip(short[name], middle[name], long[name], strict=True))
    ]


def _is_steep(short: int, middle: int, long: int) -> bool:
    return long - middle > 2.6 * max(middle - short, 0) + LONG

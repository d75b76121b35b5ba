"""What a JSON path consists of. A node maps the values that the nodes before it selected to the next ones.

It is not the JSONPath of the RFC: a failure anywhere leaves the whole path without a result, a missing member
does not (FK-422).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from msgspec import Struct

from ...base.json_types import Json
from ...base.work_budget import spend
from .comparison import OPERATORS, GoInt, Incomparable, incomparable

Values = list[Json]
FILTER_COST = 3
"""Items of JSON paths that one item of a filtered list counts as: two more paths are followed for it."""
BYTES = tuple(map(GoInt, range(256)))
FREE_NODES = 16
"""Nodes of a path that cost nothing beside the values that they look at."""


class PathMismatch(Exception):
    """A node cannot be applied to a value; `values` are what Go returns beside the error."""

    def __init__(self, values: Values) -> None:
        super().__init__("a JSON path does not fit")
        self.values = values


class Node(Protocol):
    """A step of a path."""

    def select(self, values: Values) -> Values:
        """Return what this node selects from values. Raises PathMismatch, TooMuchWork."""


class Chain(Struct, frozen=True):
    """Nodes one after another; `names` when all of them are members, as in most paths."""

    nodes: Sequence[Node]
    names: Sequence[str] | None = None

    @classmethod
    def of(cls, nodes: Sequence[Node]) -> Chain:
        """Return a chain of nodes."""
        names = [node.name for node in nodes if isinstance(node, Field)]
        return cls(nodes, tuple(names) if len(names) == len(nodes) <= FREE_NODES else None)

    def select(self, values: Values) -> Values:
        """Return what the last node selects."""
        if self.names is not None and len(values) == 1:
            return _member(values[0], self.names)
        if len(self.nodes) > FREE_NODES:
            _spend(len(self.nodes))
        for node in self.nodes:
            if len(values) > 1:
                _spend(len(values))
            values = node.select(values)
        return values


class Field(Struct, frozen=True):
    """A member of a map, by its name."""

    name: str

    def select(self, values: Values) -> Values:
        """Return the member of every map that has it, null included."""
        return [value[self.name] for value in values if isinstance(value, dict) and self.name in value]


class Slice(Struct, frozen=True):
    """Items of a list, `[start:end:step]`; without a number, from the first or to the last.

    `[2]` is a slice of one item, whose end is `derived` from its start.
    """

    start: int | None
    end: int | None
    step: int | None
    derived: bool = False

    def select(self, values: Values) -> Values:
        """Return the items in the range of every list. Raises PathMismatch where a list is too short."""
        selected: Values = []
        for value in values:
            if value is None:
                continue
            if not isinstance(value, list):
                raise PathMismatch(values)
            start, end = self._bounds(len(value))
            if start == end:
                return selected  # Go returns here: the lists behind an empty range are not looked at.
            if not 0 <= start < end <= len(value) or (self.step is not None and self.step <= 0):
                raise PathMismatch(values)
            _spend(end - start)
            selected += value[start : end : self.step or 1]
        return selected

    def _bounds(self, length: int) -> tuple[int, int]:
        start, end = self.start or 0, length if self.end is None else self.end
        if start < 0:
            start += length
        if end < 0 or (end == 0 and self.derived):
            end += length
        return start, end


class Wildcard(Struct, frozen=True):
    """Everything in a value, `.*`."""

    def select(self, values: Values) -> Values:
        """Return the values of maps, the items of lists, the bytes of texts."""
        return [child for value in values for child in _children(value)]


class Recursion(Struct, frozen=True):
    """A value and everything below it, `..`; numbers, booleans and what is empty are left out."""

    def select(self, values: Values) -> Values:
        """Return values in the order of a walk from the top."""
        selected: Values = []
        waiting = values[::-1]
        while waiting:
            value = waiting.pop()
            if isinstance(value, str):
                selected += [value] if value else []
            elif children := _children(value):
                selected.append(value)
                waiting += reversed(children)
        return selected


class Union(Struct, frozen=True):
    """What several chains select from the same values, `[0,2]`."""

    chains: Sequence[Chain]

    def select(self, values: Values) -> Values:
        """Return what the chains select, one after another."""
        try:
            return [value for chain in self.chains for value in chain.select(values)]
        except PathMismatch:
            raise PathMismatch(values) from None


class Exists(Struct, frozen=True):
    """Items of lists in which a chain selects something, `[?(@.a)]`."""

    chain: Chain

    def select(self, values: Values) -> Values:
        """Return the items for which there is a value, or where Go has some beside an error."""
        return [item for item in _items(values) if self._selects(item)]

    def _selects(self, item: Json) -> bool:
        try:
            return bool(self.chain.select([item]))
        except PathMismatch as misfit:
            return bool(misfit.values)


class Comparison(Struct, frozen=True):
    """Items of lists that compare as wanted, `[?(@.n>1)]`."""

    left: Chain
    operator: str
    right: Chain

    def select(self, values: Values) -> Values:
        """Return the items that compare. Raises PathMismatch for what cannot be compared."""
        selected: Values = []
        compare = OPERATORS.get(self.operator, incomparable)
        for item in _items(values):
            sides = self._sides(item, values)
            if sides is None:
                continue
            try:
                if compare(*sides):
                    selected.append(item)
            except Incomparable:
                raise PathMismatch(selected) from None
        return selected

    def _sides(self, item: Json, values: Values) -> tuple[Json, Json] | None:
        """Return the two values to compare, None where one of them is missing."""
        try:
            left = self.left.select([item])
            right = self.right.select([item]) if len(left) == 1 else []
        except PathMismatch:
            raise PathMismatch(values) from None
        if len(left) > 1 or len(right) > 1:
            raise PathMismatch(values)
        return (left[0], right[0]) if right else None


class Number(Struct, frozen=True):
    """A number or a boolean in place of every value."""

    value: GoInt | float | bool

    def select(self, values: Values) -> Values:
        """Return it as often as there are values."""
        return [self.value] * len(values)


class Text(Struct, frozen=True):
    """A text in place of all values."""

    value: str

    def select(self, values: Values) -> Values:
        """Return it once, also where there is no value."""
        del values
        return [self.value]


class Word(Struct, frozen=True):
    """A bare word such as `null`, `range` or `end`, which means nothing in a single path."""

    name: str

    def select(self, values: Values) -> Values:
        """Raise Misfit."""
        raise PathMismatch(values)


def _member(value: Json, names: Sequence[str]) -> Values:
    for name in names:
        if not isinstance(value, dict) or name not in value:
            return []
        value = value[name]
    return [value]


def _spend(items: int) -> None:
    spend("items of JSON paths", items)


def _children(value: Json) -> Sequence[Json]:
    """Return what is in a value: of a map in the order of its keys, where Go takes any."""
    if not isinstance(value, dict | list | str):
        return ()
    _spend(1 + len(value))
    if isinstance(value, str):
        return [BYTES[byte] for byte in value.encode()]
    return [value[key] for key in sorted(value)] if isinstance(value, dict) else value


def _items(values: Values) -> Iterator[Json]:
    """Yield the items of lists. Raises PathMismatch for what is no list."""
    for value in values:
        if not isinstance(value, list):
            raise PathMismatch(values)
        _spend(FILTER_COST * len(value))
        yield from value

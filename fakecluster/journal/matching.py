"""What a question to the journal means: which entries have these values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase

from ..base.json_types import Json
from .entry import Entry

Matches = Callable[[Entry], bool]
_ATTRIBUTES = frozenset(name for name in dir(Entry) if not name.startswith("_") and name != "line")


class UnknownValueError(TypeError):
    """A question about something that entries do not have."""


def matcher(values: Mapping[str, Json]) -> Matches:
    """Return the test of an entry for all of these values; texts may have wildcards as file names do.

    `actor` is a user, a field manager or the first word of a user agent; `resource` may name a subresource
    after a slash; every other name is an attribute of Entry. Raises UnknownValueError.
    """
    tests = [_test(name, value) for name, value in values.items()]
    return lambda entry: all(test(entry) for test in tests)


def _test(name: str, expected: Json) -> Matches:
    if name == "actor":
        return lambda entry: any(_equal(actor, expected) for actor in entry.actors)
    # `resource` of an entry has no subresource; `target` has both.
    if name == "resource" and "/" in expected:
        name = "target"
    if name not in _ATTRIBUTES:
        attributes = ", ".join(sorted({*_ATTRIBUTES, "actor"}))
        raise UnknownValueError(f"entries of the journal have no {name!r}: expected one of {attributes}")
    return lambda entry: _equal(getattr(entry, name), expected)


def _equal(value: Json, expected: Json) -> bool:
    if isinstance(expected, str) and isinstance(value, str):
        # Compared first: a name may have brackets, which are a pattern to fnmatch.
        return value == expected or fnmatchcase(value, expected)
    return bool(value == expected)

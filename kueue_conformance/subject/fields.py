"""Common checks of fields in a subject file: unknown keys, values of another shape."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from ..base.errors import UsageError, unknown
from ..base.json_types import Json

Problems: TypeAlias = Iterator[UsageError]


def wrong(path: str, value: Json, expected: str, hint: str) -> UsageError:
    """Return the problem of a value: where it is, what it is, what was expected, and what to do."""
    return UsageError(f"{path} is {value!r}, expected {expected}", hint=hint, path=path)


def strangers(where: str, keys: Iterable[Json], known_keys: Iterable[str]) -> Problems:
    """Yield a problem for each unknown key."""
    names = tuple(known_keys)
    return (
        unknown(f"field of {where}", str(key), names, path=f"{where}.{key}")
        for key in keys
        if key not in names
    )


def no_texts(where: str, field: Mapping[str, Json], needed: Iterable[str], example: str) -> Problems:
    """Yield a problem for each key whose value must be text and is not, or is missing."""
    for name in needed:
        if not isinstance(field.get(name), str) or not field[name]:
            yield wrong(f"{where}.{name}", field.get(name), "a text", example)


def strange_places(where: str, mentioned: Iterable[str], known_words: Iterable[str]) -> Problems:
    """Yield a problem for each unknown placeholder `${…}`."""
    names = tuple(known_words)
    return (
        unknown(f"place ${{…}} in {where}", word, names, path=where)
        for word in sorted(set(mentioned) - set(names))
    )


def are_texts(value: Json) -> bool:
    """Tell whether this is a mapping from texts to texts."""
    return isinstance(value, Mapping) and all(
        isinstance(text, str) for pair in value.items() for text in pair
    )

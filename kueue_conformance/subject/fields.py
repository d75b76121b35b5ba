"""Common checks of mappings in a subject file: unknown keys, and values that are not text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from ..base.errors import UsageError, unknown
from ..base.json_types import Json

Problems: TypeAlias = Iterator[UsageError]


def strangers(where: str, keys: Iterable[Json], known_keys: Iterable[str]) -> Problems:
    """Yield a problem for each unknown key."""
    names = tuple(known_keys)
    return (unknown(f"field of {where}", str(key), names) for key in keys if key not in names)


def no_texts(where: str, field: Mapping[str, Json], needed: Iterable[str], example: str) -> Problems:
    """Yield a problem for each key whose value must be text and is not, or is missing."""
    for name in needed:
        if not isinstance(field.get(name), str) or not field[name]:
            yield UsageError(f"{where}.{name} is {field.get(name)!r}, expected a text", hint=example)


def strange_places(where: str, mentioned: Iterable[str], known_words: Iterable[str]) -> Problems:
    """Yield a problem for each unknown placeholder `${…}`."""
    names = tuple(known_words)
    return (unknown(f"place ${{…}} in {where}", word, names) for word in sorted(set(mentioned) - set(names)))


def are_texts(value: Json) -> bool:
    """Tell whether this is a mapping from texts to texts."""
    return isinstance(value, Mapping) and all(
        isinstance(text, str) for pair in value.items() for text in pair
    )

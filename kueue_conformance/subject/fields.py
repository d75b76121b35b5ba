"""Common checks of mappings in a subject file: unknown keys, and values that are not text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from ..base.errors import UsageError, unknown
from ..base.json_types import Json

Problems: TypeAlias = Iterator[UsageError]


def strangers(where: str, said: Iterable[Json], known: Iterable[str]) -> Problems:
    """Yield a problem for each unknown key."""
    names = tuple(known)
    return (unknown(f"field of {where}", str(one), names) for one in said if one not in names)


def no_texts(where: str, said: Mapping[str, Json], needed: Iterable[str], example: str) -> Problems:
    """Yield a problem for each key whose value must be text and is not, or is missing."""
    for name in needed:
        if not isinstance(said.get(name), str) or not said[name]:
            yield UsageError(f"{where}.{name} is {said.get(name)!r}, expected a text", hint=example)


def strange_places(where: str, mentioned: Iterable[str], known: Iterable[str]) -> Problems:
    """Yield a problem for each unknown placeholder `${…}`."""
    names = tuple(known)
    return (unknown(f"place ${{…}} in {where}", word, names) for word in sorted(set(mentioned) - set(names)))


def are_texts(said: Json) -> bool:
    """Tell whether this is a mapping from texts to texts."""
    return isinstance(said, Mapping) and all(isinstance(one, str) for pair in said.items() for one in pair)

"""Common checks of fields in a subject file: unknown keys, values of another shape."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from ..base.errors import UsageError, unknown
from ..base.json_types import Json
from .placeholders import placeholders_in

Problems: TypeAlias = Iterator[UsageError]
_METHODS = ("DELETE", "GET", "PATCH", "POST", "PUT")


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


def problems_of_command(where: str, value: Json, folder: Path) -> Problems:
    """Yield what is wrong with the words of a command, and why it cannot be run."""
    if not isinstance(value, list) or not value or not all(isinstance(word, str) for word in value):
        yield wrong(where, value, "a list of words", "for example `run: [./decide, '${workload}', ready]`")
        return
    # Imported on use: most subject files name no command.
    from .bounded_command import lack_of

    if not placeholders_in(value[0]) and (reason := lack_of(value[0], folder)):
        yield UsageError(
            f"{where} cannot be run: {value[0]!r}: {reason} (looked for in {folder})",
            hint="the folder of the subject file is the working directory; the file must be executable",
            path=where,
        )


def problems_of_request(where: str, value: Json, known_fields: Sequence[str], example: str) -> Problems:
    """Yield what is wrong with a request to a service."""
    if not isinstance(value, Mapping):
        yield wrong(where, value, "a mapping with url", example)
        return
    yield from strangers(where, value, known_fields)
    if not str(value.get("url", "")).startswith(("http://", "https://")):
        yield wrong(f"{where}.url", value.get("url"), "an http address", example)
    if value.get("method", "POST") not in _METHODS:
        yield unknown(f"method in {where}", str(value["method"]), _METHODS, path=f"{where}.method")
    if not are_texts(value.get("headers", {})):
        yield wrong(f"{where}.headers", value["headers"], "a mapping from name to text", example)

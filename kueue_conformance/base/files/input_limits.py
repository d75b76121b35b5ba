"""Limits for files from outside: bytes, nesting, and number of values.

A file beyond a limit is a ValueError with a reason in words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import orjson
import yaml

from ..json_types import Json

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
LONGEST_FILE = 256 * 2**20
LONGEST_YAML = 32 * 2**20
DEEPEST = 100
MOST_VALUES = 3_000_000
"""The most values of a YAML text; an alias counts as all the values that it stands for."""
_LONGEST_NUMBER = 4000
_NUMBER = re.compile(r"[-+0-9a-fA-FoOxX_.:]+")
_SHOWN = 200


def content(path: Path, most: int = LONGEST_FILE) -> bytes:
    """Return the bytes of a file. Raises OSError, and ValueError when there are more than `most` of them."""
    with path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise ValueError(f"longer than {most // 2**20} MiB")
    return data


def check_yaml(text: str) -> None:
    """Raise ValueError for a text whose values would be nested too deep,
    too many or too long, YAMLError for no YAML.
    """
    if len(text) > LONGEST_YAML:
        raise ValueError(f"longer than {LONGEST_YAML // 2**20} MiB")
    sizes = _Sizes()
    for event in yaml.parse(text, Loader=LOADER):
        sizes.take(event)


class _Sizes:
    """The number of values in each open collection and behind each anchor, so far."""

    def __init__(self) -> None:
        self._open: list[tuple[str | None, int]] = []
        self._known: dict[str, int] = {}

    def take(self, event: yaml.Event) -> None:
        """Count an event of the parser."""
        if isinstance(event, yaml.CollectionStartEvent):
            self._open.append((event.anchor, 1))
            if len(self._open) > DEEPEST:
                raise ValueError(f"nested deeper than {DEEPEST}")
        elif isinstance(event, yaml.CollectionEndEvent):
            self._add(*self._open.pop())
        elif isinstance(event, yaml.ScalarEvent):
            if event.implicit[0] and len(event.value) > _LONGEST_NUMBER and _NUMBER.fullmatch(event.value):
                raise ValueError(f"a number is longer than {_LONGEST_NUMBER} digits")
            self._add(event.anchor, 1)
        elif isinstance(event, yaml.AliasEvent):
            if any(anchor == event.anchor for anchor, _ in self._open):
                raise ValueError(f"*{event.anchor} stands in what it names")
            self._add(None, self._known.get(str(event.anchor), 1))

    def _add(self, anchor: str | None, size: int) -> None:
        if anchor is not None:
            self._known[anchor] = size
        if self._open:
            outer, so_far = self._open[-1]
            self._open[-1] = outer, so_far + size
            size += so_far
        if size > MOST_VALUES:
            raise ValueError(f"more than {MOST_VALUES} values, with what aliases stand for")


def json_of(text: bytes) -> Json:
    """Return the value of a JSON text. Raises ValueError for no JSON, and for deep nesting."""
    value = orjson.loads(text)
    check_depth(value)
    return value


def json_text(value: Json) -> bytes:
    """Return a value as JSON."""
    return orjson.dumps(value)


def parse_json_or_yaml(body: bytes) -> Json | None:
    """Return the value of a JSON or YAML text, None for neither."""
    try:
        return json_of(body)
    except ValueError:
        pass
    try:
        text = body.decode()
        check_yaml(text)
        return yaml.load(text, Loader=LOADER)  # noqa: S506 - a safe one
    except (yaml.YAMLError, ValueError):
        return None


def check_depth(value: Json) -> None:
    """Raise ValueError for a value that is nested too deep,
    or has keys that are not strings, which only YAML allows.
    """
    level, depth = [value], 0
    while level:
        depth += 1
        if depth > DEEPEST:
            raise ValueError(f"nested deeper than {DEEPEST}")
        inner: list[Json] = []
        for value_at_level in level:
            if isinstance(value_at_level, Mapping):
                odd = next((key for key in value_at_level if not isinstance(key, str)), None)
                if odd is not None:
                    raise ValueError(f"the key {shorten(odd)} is no text")
                inner += value_at_level.values()
            elif isinstance(value_at_level, list):
                inner += value_at_level
        level = [inner_value for inner_value in inner if isinstance(inner_value, Mapping | list)]


def shorten(value: Json) -> str:
    """Return text from a file as one short line for a terminal, without control sequences."""
    text = value[: 2 * _SHOWN] if isinstance(value, str) else str(value)
    line = "".join(
        character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text
    )
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}…"

"""The tree of a YAML document, made from the parser's events as they come (FK-026, FK-042).

Documents of maps, lists and scalars are nearly all there are. Anchors, tags, merges and keys that are no
scalars are left to the composer, which needs ten times the time and a hundred times the memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import yaml

from ...base.json_types import Json

SHORT_SCALAR = 64
"""Characters of a scalar that is remembered: the same ones come again and again."""
MERGE_KEY = "<<"
EVENTS_PER_CHECK = 256
"""Events between two looks at how many values there are."""


class YamlTooDeep(Exception):
    """The document nests too deep."""


class YamlTree:
    """A document under construction; `plain` is False once
    something was met that only the composer understands.
    """

    def __init__(
        self,
        scalar: Callable[[str], Json],
        key: Callable[[Json], str],
        depth: int,
        check: Callable[[int], None],
    ) -> None:
        self.value: Json = None
        self.repeated: list[str] = []
        self.plain = True
        self.events = 0
        self._scalar = scalar
        self._key = key
        self._depth = depth
        self._check = check
        self._values = 0
        self._scalar_cache: dict[str, Json] = {}
        self._open: list[_Collection] = []
        self._steps: dict[type, Callable[[Any], None]] = {
            yaml.ScalarEvent: self._on_scalar,
            yaml.SequenceStartEvent: self._on_start,
            yaml.MappingStartEvent: self._on_start,
            yaml.SequenceEndEvent: self._on_end,
            yaml.MappingEndEvent: self._on_end,
            yaml.AliasEvent: self._on_alias,
        }

    def read(self, events: Iterator[Any]) -> None:
        """Take the events of the first document; later documents are not read.

        Raises YamlTooDeep, YAMLError, what `check` raises.
        """
        for event in events:
            self.events += 1
            # Now and then: a call for each event would show in the time of every body.
            if not self.events % EVENTS_PER_CHECK:
                self._count()
            step = self._steps.get(type(event))
            if step is not None:
                step(event)
            elif type(event) is yaml.DocumentEndEvent:
                break
        self._count()

    def _count(self) -> None:
        """Judge how many values there are; one of which nothing is made any more has three events at most:
        its key, its start and its end.
        """
        self._check(max(self._values, self.events // 3))

    def _on_scalar(self, event: Any) -> None:
        # The composer reads the document anew; until its end only values are counted.
        if not self.plain:
            return
        top = self._open[-1] if self._open else None
        if event.anchor is not None or event.tag is not None:
            self.plain = False
        elif top is not None and top.expects_key:
            self._take_key(top, event)
        else:
            self._add(self._read(event))

    def _take_key(self, top: _Collection, event: Any) -> None:
        """Take a key; a repeated one is told with its line."""
        if event.value == MERGE_KEY:
            self.plain = False
            return
        if event.value in top.seen_keys:
            self.repeated.append(f'line {event.start_mark.line + 1}: key "{event.value}" already set in map')
        top.seen_keys.add(event.value)
        top.key, top.expects_key = self._key(self._read(event)), False

    def _read(self, event: Any) -> Json:
        text = event.value
        if not event.implicit[0]:
            return text
        # Resolving a scalar tries many patterns, and the same words come again and again.
        if text in self._scalar_cache:
            return self._scalar_cache[text]
        try:
            value = self._scalar(text)
        except Exception:  # noqa: BLE001 - the composer comes to it again, and says what is wrong first
            self.plain = False
            return None
        if len(text) <= SHORT_SCALAR:
            self._scalar_cache[text] = value
        return value

    def _on_start(self, event: Any) -> None:
        if len(self._open) >= self._depth:
            raise YamlTooDeep
        collection = _Collection({} if type(event) is yaml.MappingStartEvent else [])
        top = self._open[-1] if self._open else None
        self.plain = self.plain and event.anchor is event.tag is None and not (top and top.expects_key)
        if self.plain:
            self._add(collection.value)
        self._open.append(collection)

    def _on_end(self, _: Any) -> None:
        self._open.pop()

    def _on_alias(self, _: Any) -> None:
        self.plain = False

    def _add(self, value: Json) -> None:
        self._values += 1
        if not self._open:
            self.value = value
            return
        top = self._open[-1]
        if top.key is None:
            top.value.append(value)
        else:
            top.value[top.key] = value
            top.key, top.expects_key = None, True


class _Collection:
    """An open map or list."""

    __slots__ = ("expects_key", "key", "seen_keys", "value")

    def __init__(self, value: Json) -> None:
        self.value = value
        self.key: str | None = None
        self.expects_key = type(value) is dict
        self.seen_keys: set[str] = set()

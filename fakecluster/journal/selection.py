"""Entries that answer a question, and what may be asserted of them (F-01)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import overload

from msgspec import Struct
from msgspec.structs import replace

from ..base.json_types import Json
from .entry import Entry
from .matching import Matches, matcher
from .redaction import redacted_message

Question = Mapping[str, Json]
SHOWN = 12
"""How many entries a failed assertion shows."""


class HotLoop(Struct, frozen=True):
    """The same request again and again without any change."""

    actor: str
    verb: str
    path: str
    times: int


class Selection(Sequence[Entry]):
    """Entries in order; asking again narrows them down."""

    def __init__(self, entries: Iterable[Entry], now: Callable[[], float]) -> None:
        self._entries = tuple(entries)
        self._now = now

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries)

    @overload
    def __getitem__(self, index: int) -> Entry: ...
    @overload
    def __getitem__(self, index: slice) -> Selection: ...
    def __getitem__(self, index: int | slice) -> Entry | Selection:
        found = self._entries[index]
        return Selection(found, self._now) if isinstance(found, tuple) else found

    def __str__(self) -> str:
        hidden = len(self._entries) - SHOWN
        shown = [replace(one, message=redacted_message(one)).line() for one in self._entries[-SHOWN:]]
        return "\n".join([f"… {hidden} before", *shown] if hidden > 0 else shown)

    def where(self, /, matches: Matches | None = None, **values: Json) -> Selection:
        """Return the entries with all of these values (see `matcher`) that also satisfy `matches`."""
        has = matcher(values)
        return Selection(
            (one for one in self._entries if has(one) and (matches is None or matches(one))), self._now
        )

    def count(self, value: Json = None, **values: Json) -> int:
        """Return how many entries there are, or how many have these values."""
        return self._entries.count(value) if value is not None else len(self.where(**values))

    def writes(self) -> Selection:
        """Return the entries that changed something."""
        return self.where(wrote=True)

    def writes_by_manager(self) -> dict[str, int]:
        """Return how many entries of each field manager changed something."""
        return dict(Counter(one.manager for one in self.writes()))

    def hot_loops(self, min: int = 20) -> tuple[HotLoop, ...]:  # noqa: A002 - the word of F-01
        """Return the writes that one actor sent at least `min` times in a row without any change."""
        idle: dict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
        worst: dict[tuple[str, str, str], int] = {}
        for one in self._entries:
            if one.wrote:
                idle.pop(one.path, None)
            elif one.verb in {"update", "patch", "create"} and not one.dry_run:
                idle[one.path][one.user, one.verb] += 1
                key = (one.user, one.verb, one.path)
                worst[key] = max(worst.get(key, 0), idle[one.path][one.user, one.verb])
        return tuple(HotLoop(*key, times) for key, times in worst.items() if times >= min)

    def assert_never(self, **values: Json) -> None:
        """Fail when an entry has these values."""
        found = self.where(**values)
        assert not found, f"{_told(values)} was to happen never, and happened {len(found)} times:\n{found}"

    def assert_order(self, *questions: Question) -> None:
        """Fail unless entries that answer the questions follow one another in this order."""
        rest = self
        for question in questions:
            found = rest.where(**question)
            assert found, (
                f"{_told(question)} did not happen in this order; after what came before it there was:\n{rest}"
            )
            rest = Selection((one for one in rest if one.seq > found[0].seq), self._now)

    def assert_quiesced(self, window: float) -> None:
        """Fail when something was written in the last `window` seconds."""
        since = self._now() - window
        late = self.writes().where(lambda one: one.time > since)
        assert not late, f"expected no write in the last {window:g} s, found {len(late)}:\n{late}"


def _told(values: Question) -> str:
    return " ".join(f"{name}={value!r}" for name, value in values.items()) or "anything"

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
from .redaction import redact_message

Question = Mapping[str, Json]
SHOWN_ENTRIES = 12
"""How many entries a failed assertion shows."""


class HotLoop(Struct, frozen=True):
    """The same request again and again without any change."""

    actor: str
    verb: str
    path: str
    times: int


class Selection(Sequence[Entry]):
    """Entries in order; asking again narrows them down."""

    def __init__(self, entries: Iterable[Entry], current_time: Callable[[], float]) -> None:
        self._entries = tuple(entries)
        self._current_time = current_time

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries)

    @overload
    def __getitem__(self, index: int) -> Entry: ...
    @overload
    def __getitem__(self, index: slice) -> Selection: ...
    def __getitem__(self, index: int | slice) -> Entry | Selection:
        selected = self._entries[index]
        return Selection(selected, self._current_time) if isinstance(selected, tuple) else selected

    def __str__(self) -> str:
        hidden = len(self._entries) - SHOWN_ENTRIES
        lines = [
            replace(entry, message=redact_message(entry)).line() for entry in self._entries[-SHOWN_ENTRIES:]
        ]
        return "\n".join([f"… {hidden} before", *lines] if hidden > 0 else lines)

    def where(self, /, matches: Matches | None = None, **values: Json) -> Selection:
        """Return the entries with all of these values (see `matcher`) that also satisfy `matches`."""
        has = matcher(values)
        return Selection(
            (entry for entry in self._entries if has(entry) and (matches is None or matches(entry))),
            self._current_time,
        )

    def count(self, value: Json = None, **values: Json) -> int:
        """Return how many entries there are, or how many have these values."""
        return self._entries.count(value) if value is not None else len(self.where(**values))

    def writes(self) -> Selection:
        """Return the entries that changed something."""
        return self.where(wrote=True)

    def writes_by_manager(self) -> dict[str, int]:
        """Return how many entries of each field manager changed something."""
        return dict(Counter(entry.manager for entry in self.writes()))

    def hot_loops(self, min: int = 20) -> tuple[HotLoop, ...]:  # noqa: A002 - the word of F-01
        """Return the writes that one actor sent at least `min` times in a row without any change."""
        idle: dict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
        worst: dict[tuple[str, str, str], int] = {}
        for entry in self._entries:
            if entry.wrote:
                idle.pop(entry.path, None)
            elif entry.verb in {"update", "patch", "create"} and not entry.dry_run:
                idle[entry.path][entry.user, entry.verb] += 1
                key = (entry.user, entry.verb, entry.path)
                worst[key] = max(worst.get(key, 0), idle[entry.path][entry.user, entry.verb])
        return tuple(HotLoop(*key, times) for key, times in worst.items() if times >= min)

    def assert_never(self, **values: Json) -> None:
        """Fail when an entry has these values."""
        matches = self.where(**values)
        # Raised, not asserted: pytest adds the expression to the text of an assertion.
        if matches:
            raise AssertionError(
                f"{_describe(values)} was to happen never, and happened {len(matches)} times:\n{matches}"
            )

    def assert_order(self, *questions: Question) -> None:
        """Fail unless entries that answer the questions follow one another in this order."""
        rest = self
        for question in questions:
            matches = rest.where(**question)
            if not matches:
                raise AssertionError(
                    f"{_describe(question)} did not happen in this order; after what came before it there was:\n{rest}"
                )
            rest = Selection((entry for entry in rest if entry.seq > matches[0].seq), self._current_time)

    def assert_quiesced(self, window: float) -> None:
        """Fail when something was written in the last `window` seconds."""
        since = self._current_time() - window
        late_writes = self.writes().where(lambda entry: entry.time > since)
        if late_writes:
            raise AssertionError(
                f"expected no write in the last {window:g} s, found {len(late_writes)}:\n{late_writes}"
            )


def _describe(values: Question) -> str:
    return " ".join(f"{name}={value!r}" for name, value in values.items()) or "anything"

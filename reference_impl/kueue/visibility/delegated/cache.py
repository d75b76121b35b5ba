"""Answers that are good for some seconds (VIS-406, VIS-428)."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

from ....runtime.clock import Clock

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Cache(Generic[K, V]):
    """Keeps values for `seconds` of the clock, the newest `most` of them."""

    def __init__(self, clock: Clock, *, seconds: float, most: int) -> None:
        self._clock, self._seconds, self._most = clock, seconds, most
        self._kept: dict[K, tuple[float, V]] = {}

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: K) -> V | None:
        """Return a value that is still good."""
        entry = self._kept.get(key)
        return entry[1] if entry and self._clock.elapsed() < entry[0] else None

    def put(self, key: K, value: V) -> None:
        """Keep a value; the oldest goes when there are too many."""
        # Taken out first: the dictionary stays in the order of age, and the oldest is
        # its first.
        self._kept.pop(key, None)
        self._kept[key] = (self._clock.elapsed() + self._seconds, value)
        if len(self._kept) > self._most:
            del self._kept[next(iter(self._kept))]

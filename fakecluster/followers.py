"""Those who follow a store: warned before each revision, told after it in order, whatever one of them raises.

A revision that is stored cannot be taken back. So what may fail is done before it (`warn`), and what a follower raises
afterwards (`tell`) reaches neither the write nor another follower: it is logged, and the follower looks at everything anew.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct

if TYPE_CHECKING:
    from .store import Event

LOG = logging.getLogger(__name__)
Stop = Callable[[], None]
T = TypeVar("T")


def nothing() -> None:
    """Catch up on nothing: what was missed is of no use any more."""


class Follower(Struct, eq=False):
    """One who hears of each event; `resync` looks at everything that is stored, after events were missed."""

    hear: Callable[[Event], None]
    resync: Callable[[], None]
    behind: bool = False

    def tell(self, event: Event) -> None:
        """Tell of an event."""
        try:
            if not self.behind:
                self.hear(event)
                return
        except Exception:
            self.behind = True
            LOG.exception("a follower of the store failed at revision %d", event.revision)
        self.resync()
        self.behind = False


class Followers:
    """All who follow one store."""

    def __init__(self) -> None:
        self._followers: dict[object, Follower] = {}
        self._warned: dict[object, Callable[[], None]] = {}
        self._untold: deque[Event] = deque()
        self._telling = False

    def add(self, hear: Callable[[Event], None], resync: Callable[[], None] = nothing) -> Stop:
        """Tell `hear` of every event from now on; returns the way to stop that."""
        return _kept(self._followers, Follower(hear, resync))

    def forewarn(self, warned: Callable[[], None]) -> Stop:
        """Call `warned` before every write, which does not happen when that raises; returns the way to stop that."""
        return _kept(self._warned, warned)

    def clear(self) -> None:
        """Tell nobody any more."""
        self._followers.clear()
        self._warned.clear()

    def warn(self) -> None:
        """Say that something is about to be stored."""
        for warned in tuple(self._warned.values()):
            warned()

    def tell(self, event: Event) -> None:
        """Tell everybody, in order of revision also when one of them writes. Never raises an Exception."""
        self._untold.append(event)
        if self._telling:
            return
        self._telling = True
        try:
            while self._untold:
                event = self._untold.popleft()
                for follower in tuple(self._followers.values()):
                    try:
                        follower.tell(event)
                    except Exception:  # noqa: BLE001 - it could not even catch up, as at the end of the stack: at the next event
                        follower.behind = True
        finally:
            self._telling = False


def _kept(known: dict[object, T], one: T) -> Stop:
    key = object()
    known[key] = one

    def stop() -> None:
        # Nothing here leads to the one that is kept: who keeps this is freed without a search for cycles.
        known.pop(key, None)

    return stop

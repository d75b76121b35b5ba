"""Waiting in real time, in the thread of the caller, so that the condition may ask over the network."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event
from typing import TypeVar

from ..base.clock import WallClock
from ..journal import Journal

T = TypeVar("T")
LOOK_AGAIN_SECONDS = 0.05
"""What is waited for may be no object of the cluster:
it is looked at this often even when nothing was written.
"""


class NeverHeld(AssertionError):
    """What was waited for did not come."""


def until(holds: Callable[[], T], journal: Journal, clock: WallClock, seconds: float) -> T:
    """Call `holds` after each write until it returns something true, and return that.

    Raises NeverHeld after `seconds`.
    """
    news = Event()
    unsubscribe = journal.subscribe(lambda entry: news.set() if entry.wrote else None)
    end = clock.elapsed() + seconds
    try:
        while True:
            # Before the look: what is written while `holds` looks must wake the next wait.
            news.clear()
            if value := holds():
                return value
            if (seconds_left := end - clock.elapsed()) <= 0:
                raise NeverHeld(f"it did not hold within {seconds:g} s:\n{journal.writes()}")
            news.wait(min(seconds_left, LOOK_AGAIN_SECONDS))
    finally:
        unsubscribe()

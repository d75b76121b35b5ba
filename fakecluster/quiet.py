"""Whether anything is still going on in a cluster, and moving its time (design.md §6).

Quiet means: no request in flight, nobody holds a busy token, no timer is due, nothing waits to be written to a watcher, and
every reader that reports its progress has seen the last event it was sent.
"""

from __future__ import annotations

import asyncio

from .clock import VirtualClock
from .server.listener import Listener

CALM_TURNS = 3
"""Turns of the loop that must be quiet in a row: bytes between two ends of a socket take one each."""


class NotQuiet(Exception):
    """The cluster went on and on."""


async def settle(listener: Listener, clock: VirtualClock, budget: float) -> None:
    """Let the loop turn until the cluster is quiet. Raises NotQuiet after `budget` real seconds."""
    try:
        async with asyncio.timeout(budget):
            await _calm(listener, clock)
    except TimeoutError:
        raise NotQuiet(f"the cluster was not quiet within {budget:g} s: {_why(listener, clock)}") from None


async def advance(listener: Listener, clock: VirtualClock, seconds: float, budget: float) -> None:
    """Move time on, from one due timer to the next, and settle after each."""
    target = clock.now() + seconds
    await settle(listener, clock, budget)
    while (due := clock.next_due()) is not None and due <= target:
        clock.advance_to(due)
        await settle(listener, clock, budget)
    clock.advance_to(target)
    await settle(listener, clock, budget)


async def _calm(listener: Listener, clock: VirtualClock) -> None:
    calm = 0
    while calm < CALM_TURNS:
        clock.advance_to(clock.now())
        await asyncio.sleep(0)
        calm = 0 if _why(listener, clock) else calm + 1


def _why(listener: Listener, clock: VirtualClock) -> str:
    reasons = {
        "requests are in flight": listener.in_flight > 0,
        "events wait to be written": listener.streams.pending,
        "somebody is at work": not clock.idle,
        "a watcher has not seen everything": listener.streams.unseen(clock.progress),
    }
    return ", ".join(reason for reason, holds in reasons.items() if holds)

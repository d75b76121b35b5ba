"""Whether anything is still going on in a cluster, and moving its time (design.md §6).

Quiet means: no request in flight, no busy token held, no timer is due, nothing waits to be written to a
watcher, and every reader that reports its progress has seen the last event it was sent.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from ..api.outcome import Outcome
from ..api.steps import Begun, Pending, RevisionWait
from ..base.clock import Clock, VirtualClock
from .listener import Listener

Listeners: TypeAlias = Sequence[Listener]
QUIET_BUDGET_SECONDS = 30.0
CALM_TURNS = 3
"""Turns of the loop that must be quiet in a row: bytes between two ends of a socket take one each."""


class NotQuiet(Exception):
    """The cluster went on and on."""


async def settle(listeners: Listeners, clock: VirtualClock, budget: float) -> None:
    """Let the loop turn until the clusters of a clock are quiet.

    Raises NotQuiet after `budget` real seconds.
    """
    try:
        async with asyncio.timeout(budget):
            await _calm(listeners, clock)
    except TimeoutError:
        why = ", ".join(dict.fromkeys(_reasons(listeners, clock)))
        raise NotQuiet(f"the cluster was not quiet within {budget:g} s: {why}") from None


async def advance(listeners: Listeners, clock: VirtualClock, seconds: float, budget: float) -> None:
    """Move time on, from one due timer to the next, and settle after each."""
    await until(lambda: False, listeners, clock, clock.now() + seconds, budget)


async def until(
    holds: Callable[[], bool], listeners: Listeners, clock: VirtualClock, end: float, budget: float
) -> bool:
    """Move time on from one due timer to the next until something holds; tell whether it did before `end`."""
    await settle(listeners, clock, budget)
    while not holds():
        if not await step(listeners, clock, end, budget):
            return False
    return True


async def step(listeners: Listeners, clock: VirtualClock, end: float, budget: float) -> bool:
    """Move time on to the next due timer, at most to `end`,
    and settle; return False when it is `end` already.
    """
    if clock.now() >= end:
        return False
    due = clock.next_due()
    clock.advance_to(end if due is None else min(due, end))
    await settle(listeners, clock, budget)
    return True


async def answer(
    handle: Callable[[], Begun],
    listener: Listener,
    listeners: Callable[[], Listeners],
    clock: Clock,
) -> Outcome:
    """Answer a request whose caller's thread is blocked: virtual time passes meanwhile, because the caller
    cannot move it.
    """
    outcome = handle()
    wait = outcome.wait if isinstance(outcome, Pending) else None
    if not (isinstance(wait, RevisionWait) and isinstance(clock, VirtualClock)):
        return await listener.complete_whole(outcome)
    answer = asyncio.create_task(listener.complete_whole(outcome))
    # A read that waits for a revision blocks the caller's thread, so time has to move without it.
    await until(answer.done, listeners(), clock, clock.now() + wait.seconds, QUIET_BUDGET_SECONDS)
    return await answer


async def _calm(listeners: Listeners, clock: VirtualClock) -> None:
    quiet_turns = 0
    while quiet_turns < CALM_TURNS:
        # Timers that are due now run first: quiet means that none is.
        clock.advance_to(clock.now())
        await asyncio.sleep(0)
        quiet = clock.idle and all(_is_quiet(listener, clock.progress) for listener in listeners)
        quiet_turns = quiet_turns + 1 if quiet else 0


def _is_quiet(listener: Listener, progress: dict[str, int]) -> bool:
    return not (listener.in_flight > 0 or listener.streams.pending or listener.streams.unseen(progress))


def _reasons(listeners: Listeners, clock: VirtualClock) -> Iterator[str]:
    """Yield the reasons why it is not quiet, for the error."""
    if not clock.idle:
        yield "work is under way"
    for listener in listeners:
        if listener.in_flight > 0:
            yield "requests are in flight"
        if listener.streams.pending:
            yield "events wait to be written"
        if listener.streams.unseen(clock.progress):
            yield "a watcher has not seen everything"

"""Waits until a store has come to a revision, or for so long that it is not worth while (FK-139)."""

from __future__ import annotations

import asyncio

from ..api.outcome import Reached
from ..clock import Clock
from ..store import Event, Store


async def reached(wanted: Reached, store: Store, clock: Clock) -> None:
    """Return once the store is there, or the time is over."""
    over = asyncio.Event()

    def heard(event: Event) -> None:
        if event.revision >= wanted.revision:
            over.set()

    forget = store.subscribe(heard, over.set)
    timer = clock.call_at(clock.now() + wanted.seconds, over.set)
    try:
        await over.wait()
    finally:
        timer.cancel()
        forget()

"""Sixteen clients at once: requests per second."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from time import perf_counter

from ..figure import Figure
from .client import KINDS, Client

CLIENTS, SECONDS = 16, 4.0


async def figures(client: Client) -> AsyncIterator[Figure]:
    """Yield the rate of reads and of writes of each kind."""
    for kind in KINDS:
        path, make = kind.path, kind.make
        await client.ask("POST", path, make("read", 0))
        yield await _rate(f"16 x GET {kind.name}", lambda _, path=path: client.ask("GET", f"{path}/read"))
        yield await _rate(
            f"16 x POST {kind.name}",
            lambda n, path=path, make=make: client.ask("POST", path, make(f"many-{n}", 0)),
        )
        await client.ask("DELETE", path)


async def _rate(name: str, act: Callable[[int], Awaitable[object]]) -> Figure:
    began, done = perf_counter(), 0
    end = began + SECONDS

    async def one() -> None:
        nonlocal done
        while perf_counter() < end:
            done += 1
            await act(done)

    await asyncio.gather(*(one() for _ in range(CLIENTS)))
    return Figure(name, (done / (perf_counter() - began),), "1/s")

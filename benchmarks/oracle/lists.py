"""Ten thousand objects: how long their list takes, and what they weigh."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from time import perf_counter

from ..figure import Figure
from .client import KINDS, Client

OBJECTS, WRITERS, TIMES = 10_000, 16, 5


async def figures(client: Client) -> AsyncIterator[Figure]:
    """Yield the seconds of a list of each kind, and the memory with the objects of both."""
    for kind in KINDS:
        numbers = iter(range(OBJECTS))

        async def write(kind=kind, numbers=numbers) -> None:
            for number in numbers:
                await client.ask("POST", kind.path, kind.make(f"item-{number:06d}", 0))

        await asyncio.gather(*(write() for _ in range(WRITERS)))
        yield Figure(
            f"list of 10 000, {kind.name}",
            tuple([await _list(client, kind.path) for _ in range(TIMES)]),
            "ms",
        )
        if kind is KINDS[0]:
            yield Figure("memory with 10 000 ConfigMaps", (client.server.memory(),), "MB")
        await client.ask("DELETE", kind.path)


async def _list(client: Client, path: str) -> float:
    began = perf_counter()
    await client.ask("GET", path)
    return (perf_counter() - began) * 1000

"""A hundred watchers of one object that is changed a thousand times: events delivered per second."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from time import perf_counter

from ..figure import Figure
from .client import KINDS, MERGE, Client, Kind

WATCHERS, CHANGES = 100, 1000


async def figures(client: Client) -> AsyncIterator[Figure]:
    """Yield the rate for each kind."""
    for kind in KINDS:
        yield await _fan_out(client, kind)


async def _fan_out(client: Client, kind: Kind) -> Figure:
    await client.ask("POST", kind.path, kind.make("watched", 0))
    since = json.loads(await client.ask("GET", kind.path))["metadata"]["resourceVersion"]
    open_ = [asyncio.Event() for _ in range(WATCHERS)]
    watchers = [
        asyncio.create_task(_watch(client, f"{kind.path}?watch=1&resourceVersion={since}", one))
        for one in open_
    ]
    await asyncio.gather(*(one.wait() for one in open_))
    began = perf_counter()
    for number in range(CHANGES):
        await client.ask("PATCH", f"{kind.path}/watched", kind.change(number + 1), MERGE)
    await asyncio.gather(*watchers)
    seconds = perf_counter() - began
    await client.ask("DELETE", f"{kind.path}/watched")
    return Figure(f"100 watchers x 1 000 changes, {kind.name}", (WATCHERS * CHANGES / seconds,), "1/s")


async def _watch(client: Client, path: str, open_: asyncio.Event) -> None:
    seen = 0
    async with client.session.get(client.server.url + path, headers=client.headers) as answer:
        open_.set()
        async for part in answer.content.iter_any():
            seen += part.count(b"\n")
            if seen >= CHANGES:
                return

"""One client, one request after another: milliseconds of each verb."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from time import perf_counter

from ..figure import Figure
from .client import APPLY, KINDS, MERGE, Client, Kind

TIMES = 300


async def figures(client: Client) -> AsyncIterator[Figure]:
    """Yield the latency of each verb of each kind."""
    for kind in KINDS:
        async for figure in _of(client, kind):
            yield figure


async def _of(client: Client, kind: Kind) -> AsyncIterator[Figure]:
    path, make = kind.path, kind.make

    async def measure(verb: str, act: Callable[[int], Awaitable[object]]) -> Figure:
        return Figure(
            f"{verb} {kind.name}", tuple([await _once(act, number) for number in range(TIMES)]), "ms"
        )

    yield await measure("POST", lambda n: client.ask("POST", path, make(f"one-{n}", 0)))
    yield await measure("GET", lambda n: client.ask("GET", f"{path}/one-{n}"))
    read = [json.loads(await client.ask("GET", f"{path}/one-{n}")) for n in range(TIMES)]
    changed = [{**read_object, **kind.change(1)} for read_object in read]
    yield await measure("PUT", lambda n: client.ask("PUT", f"{path}/one-{n}", changed[n]))
    yield await measure(
        "merge PATCH", lambda n: client.ask("PATCH", f"{path}/one-{n}", kind.change(2), MERGE)
    )
    query = "?fieldManager=bench&force=true"
    yield await measure(
        "apply", lambda n: client.ask("PATCH", f"{path}/one-{n}{query}", make(f"one-{n}", 3), APPLY)
    )
    yield await measure("DELETE", lambda n: client.ask("DELETE", f"{path}/one-{n}"))


async def _once(act: Callable[[int], Awaitable[object]], number: int) -> float:
    began = perf_counter()
    await act(number)
    return (perf_counter() - began) * 1000

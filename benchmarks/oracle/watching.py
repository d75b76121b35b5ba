"""A hundred watchers of one object that is changed a thousand times: events delivered per second."""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import AsyncIterator
from time import perf_counter
from urllib.parse import urlsplit

from ..figure import Figure
from .client import KINDS, MERGE, Client, Kind

WATCHERS, CHANGES = 100, 1000
EVENT = b'{"type":"MODIFIED"'


class Watcher(asyncio.Protocol):
    """Counts events without parsing the stream, so that the measurement is not one of the reader."""

    def __init__(self, request: bytes) -> None:
        self._request = request
        self._seen = 0
        self._rest = b""
        self.open = asyncio.Event()
        self.done = asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the stream."""
        assert isinstance(transport, asyncio.Transport)
        transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        """Count what came; an event may begin at the end of one piece."""
        self.open.set()
        text = self._rest + data
        self._seen += text.count(EVENT)
        self._rest = text[-len(EVENT) + 1 :]
        if self._seen >= CHANGES:
            self.done.set()


async def figures(client: Client) -> AsyncIterator[Figure]:
    """Yield the rate for each kind."""
    for kind in KINDS:
        yield await _fan_out(client, kind)


async def _fan_out(client: Client, kind: Kind) -> Figure:
    await client.ask("POST", kind.path, kind.make("watched", 0))
    since = json.loads(await client.ask("GET", kind.path))["metadata"]["resourceVersion"]
    path = f"{kind.path}?watch=1&resourceVersion={since}"
    transports, watchers = zip(*[await _watch(client, path) for _ in range(WATCHERS)], strict=True)
    await asyncio.gather(*(watcher.open.wait() for watcher in watchers))
    began = perf_counter()
    for number in range(CHANGES):
        await client.ask("PATCH", f"{kind.path}/watched", kind.change(number + 1), MERGE)
    await asyncio.gather(*(watcher.done.wait() for watcher in watchers))
    seconds = perf_counter() - began
    for transport in transports:
        transport.close()
    await client.ask("DELETE", f"{kind.path}/watched")
    return Figure(f"100 watchers x 1 000 changes, {kind.name}", (WATCHERS * CHANGES / seconds,), "1/s")


async def _watch(client: Client, path: str) -> tuple[asyncio.Transport, Watcher]:
    server = urlsplit(client.server.url)
    head = {"Host": server.netloc, **client.headers}
    lines = [f"GET {path} HTTP/1.1", *(f"{name}: {value}" for name, value in head.items()), "", ""]
    request = "\r\n".join(lines).encode()
    return await asyncio.get_running_loop().create_connection(
        lambda: Watcher(request),
        server.hostname,
        server.port,
        ssl=ssl.create_default_context(cafile=client.server.ca),
    )

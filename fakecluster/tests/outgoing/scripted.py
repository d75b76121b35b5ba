"""A server on loopback that answers as a script says, and what it was sent."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from fakecluster.server.outgoing.allowed_networks import Reach
from fakecluster.server.outgoing.link import ConnectTarget
from fakecluster.server.outgoing.round_tripper import OutgoingRequest, RoundTripper

T = TypeVar("T")
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
CUT = b"\0cut"
"""Ends an answer, and with it the connection."""


class Scripted:
    """Answers each request with the next part of the script, whatever connection it comes on."""

    def __init__(self, script: Sequence[bytes]) -> None:
        self.script = list(script)
        self.requests: list[tuple[int, bytes]] = []
        """The number of the connection, and method and path, of each request."""
        self.connections: list[Connected] = []
        self.port = 0

    @property
    def target(self) -> ConnectTarget:
        """What connects to it."""
        return ConnectTarget("127.0.0.1", self.port, "localhost", None, secure=False)

    def cut(self) -> None:
        """Close every connection."""
        for connection in self.connections:
            connection.transport.close()

    async def idle(self) -> None:
        """Let what is on its way over loopback arrive."""
        for _ in range(20):
            await asyncio.sleep(0.001)


class Connected(asyncio.Protocol):
    """One connection to a scripted server."""

    transport: asyncio.Transport

    def __init__(self, scripted: Scripted) -> None:
        self._scripted = scripted
        scripted.connections.append(self)
        self._number = len(scripted.connections)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self._scripted.requests.append((self._number, data.partition(b" HTTP/1.1")[0]))
        answer = self._scripted.script.pop(0)
        self.transport.write(answer.removesuffix(CUT))
        if answer.endswith(CUT):
            self.transport.close()


def talked(
    script: Sequence[bytes],
    talk: Callable[[Scripted, RoundTripper], Awaitable[T]],
    idle_seconds: float = 60.0,
) -> tuple[Scripted, T]:
    """Let something talk to a scripted server; return the server and what came of it."""

    async def run() -> tuple[Scripted, T]:
        scripted = Scripted(script)
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: Connected(scripted), "127.0.0.1", 0)
        scripted.port = server.sockets[0].getsockname()[1]
        tripper = RoundTripper(lambda _: None, Reach(), idle_seconds)
        try:
            return scripted, await asyncio.wait_for(talk(scripted, tripper), 10)
        finally:
            tripper.close()
            server.close()
            scripted.cut()
            await asyncio.sleep(0)

    return asyncio.run(run())


async def ask(
    scripted: Scripted, tripper: RoundTripper, method: str = "GET", path: str = "/", **fields: str
) -> bytes:
    """Send a request and return the body of its answer."""
    headers = (("Host", "x"), *((name.replace("_", "-"), value) for name, value in fields.items()))
    answer = await tripper.send(scripted.target, OutgoingRequest(method=method, path=path, headers=headers))
    return await tripper.whole(answer)

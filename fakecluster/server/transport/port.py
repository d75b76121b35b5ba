"""A listening port of loopback and its connections: opened, swept of idle clients, closed (FK-007, S4)."""

from __future__ import annotations

import asyncio
import socket
import ssl
from abc import ABC, abstractmethod

from ..http.message import ArrivedRequest
from .connection import Connection
from .pair import connect
from .unread_bytes import UnreadBytes

SWEEP_SECONDS = 5.0
BACKLOG = 1024


class Port(ABC):
    """Hands each request that arrives to `respond`, with the connection through which it is answered."""

    def __init__(self) -> None:
        self.connections: set[Connection] = set()
        self.unread = UnreadBytes()
        self.stopped = False
        self._server: asyncio.Server | None = None
        self._sweeping: asyncio.TimerHandle | None = None

    @abstractmethod
    def respond(self, arrived: ArrivedRequest, connection: Connection) -> None:
        """Answer a request through its connection, now or later."""

    async def start(self, at: int | socket.socket, context: ssl.SSLContext | None) -> int:
        """Listen on a port of loopback, or at a socket, and return the port.

        Raises OSError when the port is taken.
        """
        self.stopped = False
        loop = asyncio.get_running_loop()
        # A name to look up, and be it an address, would start threads that a forked process dies of at its
        # exit.
        at = socket.create_server(("127.0.0.1", at), backlog=BACKLOG) if isinstance(at, int) else at
        self._server = await loop.create_server(
            lambda: Connection(self), sock=at, ssl=context, backlog=BACKLOG
        )
        self._sweep()
        return int(self._server.sockets[0].getsockname()[1])

    def dial(self, client: asyncio.Protocol) -> None:
        """Connect a client on the same loop without a socket."""
        connect(client, Connection(self))

    def cut_overdue(self, current_time: float) -> None:
        """Cut the connections whose client takes too long at this moment of the loop's time."""
        for connection in [connection for connection in self.connections if connection.overdue(current_time)]:
            connection.transport.abort()

    def stop(self) -> None:
        """Close the socket and cut every connection, and those whose handshake is still to end."""
        self.stopped = True
        if self._server is not None:
            self._server.close()
            # It knows this port: a stopped cluster is freed without a search for cycles.
            self._server = None
        if self._sweeping is not None:
            self._sweeping.cancel()
        for connection in tuple(self.connections):
            connection.transport.abort()
        # After the connections, which give back what they hold.
        self.unread.stop()

    def _sweep(self) -> None:
        """Cut those who keep a connection without using it, now and every few seconds of real time."""
        loop = asyncio.get_running_loop()
        self.cut_overdue(loop.time())
        self._sweeping = loop.call_later(SWEEP_SECONDS, self._sweep)

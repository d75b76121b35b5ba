"""A server of a handler: HTTPS with an identity, plain HTTP without one.

server = Server(handler, port=8082, identity=fresh(["127.0.0.1"]))
await server.start()
server.show(renewed)       # from the next connection on
await server.stop()
"""

from __future__ import annotations

import asyncio
from asyncio import StreamReader, StreamWriter
from typing import TYPE_CHECKING, Final

from ..errors import OutsideError
from .connection import Budget, Connection
from .exchange import Handler
from .limits import Limits
from .tls import NewestContext, server_context

if TYPE_CHECKING:
    from .certificates import Identity

# Connections that wait to be accepted; beyond them a client tries again after a second.
BACKLOG: Final = 1024


class Server:
    """Serves a handler on one address. An empty host means every address of the machine, port 0 a free port.

    `client_authorities` (PEM) sign the certificates that clients may show: none is required, an expired one
    is handed on for the handler to refuse, one of another authority or for servers only is refused in the
    handshake. `advice` says what to do when the address cannot be used.
    """

    def __init__(
        self,
        handler: Handler,
        *,
        name: str,
        host: str = "127.0.0.1",
        port: int = 0,
        identity: Identity | None = None,
        client_authorities: bytes = b"",
        limits: Limits | None = None,
        advice: str = "choose another address",
    ) -> None:
        self.name = name
        self._handler = handler
        self._host, self._port, self._advice = host, port, advice
        self._identity, self._authorities = identity, client_authorities
        self._tls = NewestContext.of(server_context(identity, client_authorities)) if identity else None
        self._limits = limits or Limits()
        self._budget = Budget.of(self._limits)
        self._connections: set[Connection] = set()
        self._server: asyncio.Server | None = None
        self._stops = False

    async def start(self) -> None:
        """Begin to answer. Raises OutsideError that names the address, the reason and the advice."""
        handshake = None if self._tls is None else self._limits.request_seconds
        try:
            self._server = await asyncio.start_server(
                self._accept,
                self._host or None,
                self._port,
                limit=self._limits.head_bytes,
                backlog=BACKLOG,
                ssl=self._tls,
                ssl_handshake_timeout=handshake,
            )
        except OSError as error:
            reason = error.strerror or error
            raise OutsideError(
                f"cannot listen on {self._host}:{self._port}: {reason}; {self._advice}"
            ) from None

    @property
    def port(self) -> int:
        """Return the port in use."""
        assert self._server is not None
        return int(self._server.sockets[0].getsockname()[1])

    def show(self, identity: Identity) -> None:
        """Show another identity from the next connection on."""
        self._exchange(identity, self._authorities)

    def accept_clients_of(self, authorities: bytes) -> None:
        """Accept client certificates of these authorities (PEM) and no others, from the next connection on.

        Raises ssl.SSLError or ValueError when they cannot be read;
        those that were accepted are then still accepted.
        """
        self._exchange(self._identity, authorities)

    async def stop(self) -> None:
        """Stop: idle connections at once, those whose answer is under way when it is sent or too late."""
        self._stops = True
        if self._server is not None:
            # The listener goes first: nothing new may come while the rest ends.
            self._server.close()
        for connection in self._connections:
            connection.stop()
        if tasks := [connection.task for connection in self._connections if connection.task is not None]:
            _, late = await asyncio.wait(tasks, timeout=self._limits.stop_seconds)
            for task in late:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def _exchange(self, identity: Identity | None, authorities: bytes) -> None:
        if (
            self._tls is None
            or identity is None
            or (identity, authorities) == (self._identity, self._authorities)
        ):
            return
        self._tls.newest = server_context(identity, authorities)
        self._identity, self._authorities = identity, authorities

    def _has_place(self) -> bool:
        """Tell whether there is a place for a connection; one without a request gives up its own, the longest
        silent one first.
        """
        places = [connection for connection in self._connections if not connection.is_stopping]
        if len(places) < self._limits.connections:
            return True
        waiting = [connection for connection in places if not connection.is_answering]
        if waiting:
            # Clients that never sent a request go before idle ones that did: a port
            # scanner must not displace an API server.
            min(waiting, key=lambda connection: (connection.was_asked, connection.waits_since)).stop()
        return bool(waiting)

    async def _accept(self, reader: StreamReader, writer: StreamWriter) -> None:
        if self._stops or not self._has_place():
            # No answer: it would hold the place that there is none of.
            writer.transport.abort()
            return
        connection = Connection((reader, writer), self._handler, self._budget)
        self._connections.add(connection)
        try:
            await connection.serve()
        except asyncio.CancelledError:
            # The server stops: nothing above this task waits to hear of it, and a loop reports what streams
            # raise.
            return
        finally:
            self._connections.discard(connection)

"""Answers become bytes on a connection: whole ones, the first part of one, and those of another server as
they come (FK-007, FK-009).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

from ..api.outcome import Response, StreamedResponse
from ..base.clock import Clock
from .gate import Stamp
from .http.compression import Compressor
from .http.message import LAST_CHUNK, ArrivedRequest, Pairs, chunk, head
from .outgoing.answer import Answer, NoAnswerError
from .outgoing.relay import Relay, RelayedAnswer, framing
from .outgoing.tunnel import Tunnel, switching
from .transport.connection import Connection, content_headers

SWITCHING = 101
LONG_BYTES = 1024 * 1024
"""Bytes of a body whose compression takes longer than the others should wait."""
LARGE_BODY_BYTES = 64 * 1024
"""Bytes of a body from which a second write costs less than a copy."""
CommonHeaders = Callable[[Stamp, Pairs], Pairs]
"""Returns an answer's headers with those that every answer carries."""


class AnswerWriter:
    """Writes the answers of one server."""

    def __init__(self, common: CommonHeaders, relay: Relay, clock: Clock) -> None:
        self._common = common
        self._relay = relay
        self._clock = clock
        self._compressor = Compressor()

    def write_whole(
        self,
        arrived: ArrivedRequest,
        connection: Connection,
        stamp: Stamp,
        answer: Response,
    ) -> None:
        """Write an answer and go on with the connection."""
        answer = self.compress(arrived, answer)
        top = self._head_of(arrived, stamp, answer)
        if arrived.method == "HEAD":
            connection.transport.write(top)
        elif len(answer.body) < LARGE_BODY_BYTES:
            # One packet for head and body: with two the client might wait for the second.
            connection.transport.write(top + answer.body)
        else:
            connection.transport.write(top)
            connection.transport.write(answer.body)
        connection.finish(keep_alive=arrived.keep_alive)

    def compresses_long(self, arrived: ArrivedRequest, answer: Response) -> bool:
        """Tell whether an answer is to be compressed, and others should be answered meanwhile."""
        return len(answer.body) > LONG_BYTES and self._compressor.compresses(
            answer, _accept_encoding(arrived)
        )

    def compress(self, arrived: ArrivedRequest, answer: Response) -> Response:
        """Return an answer, compressed when it is large and the client accepts that."""
        return self._compressor.compress(answer, _accept_encoding(arrived))

    async def write_streamed(
        self, arrived: ArrivedRequest, connection: Connection, stamp: Stamp, answer: StreamedResponse
    ) -> None:
        """Write an answer piece by piece; the client may leave between them."""
        connection.closed = partial(cancel, asyncio.current_task())
        headers = [
            *self._common(stamp, ()),
            ("Content-Type", answer.content_type),
            ("Transfer-Encoding", "chunked"),
        ]
        self.head(arrived, connection, answer.code, headers)
        # On a thread: rendering an export may take long, and the loop has other clients.
        while piece := await asyncio.to_thread(next, answer.pieces, b""):
            connection.transport.write(chunk(piece))
            await connection.writable.wait()
        connection.transport.write(LAST_CHUNK)
        connection.finish(keep_alive=arrived.keep_alive)

    def write_part(
        self, arrived: ArrivedRequest, connection: Connection, stamp: Stamp, answer: Response, body_bytes: int
    ) -> None:
        """Write the first bytes of an answer's body and end the connection."""
        connection.transport.write(self._head_of(arrived, stamp, answer) + answer.body[:body_bytes])
        connection.transport.close()

    async def write_relayed(
        self, arrived: ArrivedRequest, connection: Connection, stamp: Stamp, answer: RelayedAnswer
    ) -> None:
        """Write the answer of another server as it comes; either side may end it."""
        connection.closed = partial(cancel, asyncio.current_task())
        if answer.code == SWITCHING and isinstance(answer.body, Answer):
            await self._tunnel(connection, answer.body)
            return
        self.begin(arrived, connection, stamp, answer)
        try:
            await self._relay.pour(answer, connection.transport, connection.writable)
        except (NoAnswerError, OSError):
            connection.transport.abort()
            return
        connection.finish(keep_alive=arrived.keep_alive)

    def begin(
        self, arrived: ArrivedRequest, connection: Connection, stamp: Stamp, answer: RelayedAnswer
    ) -> None:
        """Write the head of another server's answer."""
        headers = [*self._common(stamp, ()), *answer.headers, *framing(answer)]
        self.head(arrived, connection, answer.code, headers)

    def head(
        self, arrived: ArrivedRequest, connection: Connection, code: int, headers: list[tuple[str, str]]
    ) -> None:
        """Write the head of an answer whose body comes later."""
        top = head(code, headers, current_time=self._clock.now(), keep_alive=arrived.keep_alive)
        connection.transport.write(top)

    async def _tunnel(self, connection: Connection, answer: Answer) -> None:
        """Leave the connection to another protocol until either side ends it."""
        tunnel = Tunnel(connection.transport, connection.writable, answer.link)
        connection.transport.write(switching(answer.headers))
        # From now on no byte of the client is HTTP.
        connection.give_to(tunnel.feed)
        try:
            await tunnel.run(answer.rest)
        except OSError:
            connection.transport.abort()
        finally:
            connection.transport.close()

    def _head_of(self, arrived: ArrivedRequest, stamp: Stamp, answer: Response) -> bytes:
        headers = [*self._common(stamp, answer.headers), *content_headers(answer)]
        return head(answer.code, headers, current_time=self._clock.now(), keep_alive=arrived.keep_alive)


def _accept_encoding(arrived: ArrivedRequest) -> str:
    return arrived.header("accept-encoding") or ""


def cancel(task: asyncio.Task[Any] | None) -> None:
    """End a task, when there is one."""
    if task is not None:
        task.cancel()

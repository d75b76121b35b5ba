"""The server of one cluster: a listening socket, its connections and its watch streams (FK-007, S4, S7).

`respond` is where an outcome of the core meets the network: a Response is written, a Watch becomes a stream, a Call is made
and its answer fed back.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, Protocol

from ..api.outcome import Outcome, Pending, Proxy, Request, Response, Watch
from ..clock import Clock
from ..faults import Faults
from ..store import Store
from .compression import Compressor
from .connection import Connection, content_headers
from .disturbance import Disturbed, Plan, disturbed, planned
from .gate import UNSTAMPED, Gate, Stamp
from .message import Arrived, head
from .outgoing.calls import Caller
from .outgoing.relay import NoAnswerError, Passed, Relay, framing
from .outgoing.tunnel import Tunnel, switching
from .patience import reached
from .streams import Streams
from .turns import Waiting

SWEEP = 5.0
SWITCHING = 101
BACKLOG = 1024
LARGE = 64 * 1024
"""Bytes of a body from which a second write costs less than a copy."""


class Desk(Protocol):
    """Answers requests of its own beside the API, such as the laboratory's."""

    prefix: str

    async def answer(self, request: Request) -> Response:
        """Answer one request."""

    def stop(self) -> None:
        """End what was started on request."""


class Listener:
    """Listens on loopback and answers through the gate."""

    def __init__(
        self,
        gate: Gate,
        store: Store,
        clock: Clock,
        faults: Faults,
        relay: Relay,
        caller: Caller | None = None,
    ) -> None:
        self.connections: set[Connection] = set()
        self._caller = caller or Caller()
        self._relay = relay
        self._compressor = Compressor()
        self.streams = Streams(store, clock, self._caller.perform, faults)
        self.in_flight = 0
        self.desk: Desk | None = None
        self._gate = gate
        self._faults = faults
        self._store = store
        self._clock = clock
        self._server: asyncio.Server | None = None
        self._sweeping: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self, at: int | socket.socket, context: ssl.SSLContext | None) -> int:
        """Listen on a port of loopback, or at a socket, and return the port. Raises OSError when the port is taken."""
        loop = asyncio.get_running_loop()
        # A name to look up, and be it an address, would start threads that a forked process dies of at its exit.
        at = socket.create_server(("127.0.0.1", at), backlog=BACKLOG) if isinstance(at, int) else at
        self._server = await loop.create_server(
            lambda: Connection(self), sock=at, ssl=context, backlog=BACKLOG
        )
        self._sweep()
        return int(self._server.sockets[0].getsockname()[1])

    def _sweep(self) -> None:
        """Cut those who keep a connection without using it, now and every few seconds of real time."""
        loop = asyncio.get_running_loop()
        self.cut_overdue(loop.time())
        self._sweeping = loop.call_later(SWEEP, self._sweep)

    def cut_overdue(self, now: float) -> None:
        """Cut the connections whose client takes too long at this moment of the loop's time."""
        for connection in [one for one in self.connections if one.overdue(now)]:
            connection.transport.abort()

    def stop(self) -> None:
        """Close the socket, cut every connection, forget every stream."""
        if self._server is not None:
            self._server.close()
        if self._sweeping is not None:
            self._sweeping.cancel()
        for task in self._tasks:
            task.cancel()
        self._caller.close()
        self._relay.close()
        self.streams.stop()
        for connection in tuple(self.connections):
            connection.transport.abort()

    def respond(self, arrived: Arrived, connection: Connection) -> None:
        """Answer a request through its connection."""
        if self.desk is not None and arrived.target.startswith(self.desk.prefix):
            self._spawn(self._respond_desk(arrived, connection, self.desk))
            return
        if self._faults and (effects := self._faults.on_request(self._gate.subject(arrived))):
            self._spawn(self._respond_disturbed(arrived, connection, planned(effects)))
            return
        stamp, outcome = self._gate.handle(arrived)
        if isinstance(outcome, Pending | Proxy | Waiting):
            self._spawn(self._respond_later(arrived, connection, stamp, outcome))
        else:
            self._write(arrived, connection, stamp, outcome)

    async def settle(self, outcome: Outcome | Waiting) -> Response | Watch | Passed:
        """Wait for an outcome's turn and make the calls it asks for, until it is an answer."""
        found: Outcome | Waiting | Passed = outcome
        while isinstance(found, Pending | Proxy | Waiting):
            if isinstance(found, Pending) and found.until is not None:
                await reached(found.until, self._store, self._clock)
                found = found.resume(())
                continue
            self.in_flight += 1
            try:
                found = await self._next(found)
            finally:
                self.in_flight -= 1
        return found

    async def whole(self, outcome: Outcome | Waiting) -> Response | Watch:
        """Make the calls an outcome asks for and read the answer of another server to its end."""
        answer = await self.settle(outcome)
        return await self._relay.whole(answer) if isinstance(answer, Passed) else answer

    async def _next(self, outcome: Pending | Proxy | Waiting) -> Outcome | Passed:
        if isinstance(outcome, Waiting):
            return await outcome.turn
        if isinstance(outcome, Proxy):
            return await self._relay.ask(outcome)
        results = await asyncio.gather(*(self._caller.perform(call) for call in outcome.calls))
        return outcome.resume(tuple(results))

    async def _respond_later(
        self, arrived: Arrived, connection: Connection, stamp: Stamp, outcome: Outcome | Waiting
    ) -> None:
        try:
            answer = await self.settle(outcome)
        except Exception as error:  # noqa: BLE001 - a defect in one answer must not keep its client waiting
            answer = self._gate.crashed(arrived, stamp, error)
        if not connection.transport.is_closing():
            self._write(arrived, connection, stamp, answer, proceed=connection.later)

    async def _respond_desk(self, arrived: Arrived, connection: Connection, desk: Desk) -> None:
        stamp, asked = self._gate.asked(arrived)
        try:
            answer = asked if isinstance(asked, Response) else await desk.answer(asked)
        except Exception as error:  # noqa: BLE001 - as above
            answer = self._gate.crashed(arrived, stamp, error)
        if not connection.transport.is_closing():
            self._write(arrived, connection, stamp, answer, proceed=connection.later)

    async def _respond_disturbed(self, arrived: Arrived, connection: Connection, plan: Plan) -> None:
        try:
            done = await disturbed(arrived, plan, self._gate, self._clock, self.settle)
        except Exception as error:  # noqa: BLE001 - as above
            done = Disturbed(answer=self._gate.crashed(arrived, UNSTAMPED, error))
        if done.answer is None:
            connection.transport.abort()
        elif not connection.transport.is_closing():
            answer, proceed = done.answer, connection.later
            if done.kept is not None and isinstance(answer, Response):
                self._write_part(arrived, connection, done.stamp, answer, done.kept)
            else:
                self._write(arrived, connection, done.stamp, answer, proceed=proceed)

    def _write(
        self,
        arrived: Arrived,
        connection: Connection,
        stamp: Stamp,
        answer: Response | Watch | Passed,
        proceed: Callable[..., None] | None = None,
    ) -> None:
        if isinstance(answer, Watch) and arrived.method == "HEAD":
            answer = Response(code=200, body=b"", content_type=answer.content_type)
        if isinstance(answer, Watch):
            self._stream(arrived, connection, stamp, answer)
            return
        if isinstance(answer, Passed):
            over = answer.code == SWITCHING
            self._spawn(
                self._tunnel(connection, answer)
                if over
                else self._hand_over(arrived, connection, stamp, answer)
            )
            return
        answer = self._compressor.compressed(answer, arrived.header("accept-encoding") or "")
        top = self._head(arrived, stamp, answer)
        if arrived.method == "HEAD":
            connection.transport.write(top)
        elif len(answer.body) < LARGE:
            connection.transport.write(top + answer.body)
        else:
            connection.transport.write(top)
            connection.transport.write(answer.body)
        (proceed or connection.finished)(keep_alive=arrived.keep_alive)

    async def _hand_over(
        self, arrived: Arrived, connection: Connection, stamp: Stamp, answer: Passed
    ) -> None:
        """Write the answer of another server as it comes; either side may end it."""
        task = asyncio.current_task()
        connection.closed = partial(_cancel, task)
        headers = [*self._gate.common(stamp, ()), *answer.headers, *framing(answer)]
        top = head(answer.code, headers, now=self._clock.now(), keep_alive=arrived.keep_alive)
        connection.transport.write(top)
        try:
            await self._relay.pour(answer, connection.transport, connection.writable)
        except (NoAnswerError, OSError):
            connection.transport.abort()
            return
        connection.later(keep_alive=arrived.keep_alive)

    async def _tunnel(self, connection: Connection, answer: Passed) -> None:
        """Leave the connection to another protocol until either side ends it."""
        tunnel = Tunnel(connection.transport, connection.writable, answer.link)
        connection.closed = partial(_cancel, asyncio.current_task())
        connection.transport.write(switching(answer.body.headers))
        connection.give_to(tunnel.feed)
        try:
            await tunnel.run(answer.body.rest)
        except OSError:
            connection.transport.abort()
        finally:
            connection.transport.close()

    def _write_part(
        self, arrived: Arrived, connection: Connection, stamp: Stamp, answer: Response, kept: int
    ) -> None:
        connection.transport.write(self._head(arrived, stamp, answer) + answer.body[:kept])
        connection.transport.close()

    def _head(self, arrived: Arrived, stamp: Stamp, answer: Response) -> bytes:
        headers = [*self._gate.common(stamp, answer.headers), *content_headers(answer)]
        return head(answer.code, headers, now=self._clock.now(), keep_alive=arrived.keep_alive)

    def _stream(self, arrived: Arrived, connection: Connection, stamp: Stamp, watch: Watch) -> None:
        headers = [
            *self._gate.common(stamp, watch.headers),
            ("Content-Type", watch.content_type),
            ("Transfer-Encoding", "chunked"),
        ]
        connection.transport.write(head(200, headers, now=self._clock.now(), keep_alive=arrived.keep_alive))
        stream = self.streams.open(
            watch,
            stamp.audit_id,
            connection.transport,
            lambda: connection.later(keep_alive=arrived.keep_alive),
            lambda: self._gate.subject(arrived),
        )
        connection.closed = lambda: self.streams.forget(stream)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _cancel(task: asyncio.Task[Any] | None) -> None:
    if task is not None:
        task.cancel()

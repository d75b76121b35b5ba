"""The server of one cluster: a listening socket, its connections and its watch streams (FK-007, S4, S7).

`respond` is where an outcome of the core meets the network: a Response is written, a Watch becomes a stream,
a Proxy is relayed; `complete` waits for what a request waits for.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from functools import partial
from typing import Any, Protocol

from ..api.outcome import Outcome, Proxy, Request, Response, StreamedResponse, Watch, WebSocketMessages
from ..api.steps import Begun, Pending, RevisionWait
from ..base.clock import Clock
from ..faults import Faults
from ..store import Store
from .disturbance import DisturbedAnswer, FaultPlan, disturb, plan_of
from .gate import NO_STAMP, Gate, Stamp
from .http.hosts import DEFAULT_HOSTS, Hosts
from .http.message import ArrivedRequest
from .outgoing.calls import Caller
from .outgoing.relay import Relay, RelayedAnswer
from .priority_and_fairness import QueuedRequest
from .transport.connection import Connection
from .transport.port import Port
from .waits import Waits
from .watch.streams import WatchStreams
from .writing import AnswerWriter

LOG = logging.getLogger(__name__)


class LaboratoryHandler(Protocol):
    """Answers requests of its own beside the API, such as the laboratory's."""

    prefix: str

    async def answer(self, request: Request) -> Response | StreamedResponse:
        """Answer one request."""

    def stop(self) -> None:
        """End what was started on request."""


class Listener(Port):
    """Listens on loopback and answers through the gate."""

    def __init__(
        self,
        gate: Gate,
        store: Store,
        clock: Clock,
        faults: Faults,
        relay: Relay,
        caller: Caller | None = None,
        hosts: Hosts = DEFAULT_HOSTS,
    ) -> None:
        super().__init__()
        self._hosts = hosts
        self._caller = caller or Caller()
        self._relay = relay
        self._writer = AnswerWriter(gate.common, relay, clock)
        self.waits = Waits(self._caller.perform, store, clock)
        self.streams = WatchStreams(store, clock, self.waits.finish, faults)
        self.in_flight = 0
        self.laboratory: LaboratoryHandler | None = None
        self._gate = gate
        self._faults = faults
        self._clock = clock
        self._tasks: set[asyncio.Task[None]] = set()

    def stop(self) -> None:
        """Close the socket, cut every connection, forget every stream."""
        for task in self._tasks:
            task.cancel()
        self.waits.stop()
        self._caller.close()
        self._relay.close()
        # Before the connections are cut, which would each look for their stream.
        self.streams.stop()
        super().stop()

    def cut_overdue(self, current_time: float) -> None:
        """Cut the connections whose client takes too long, to send or to read."""
        super().cut_overdue(current_time)
        self.streams.cut_stalled(current_time)

    def respond(self, arrived: ArrivedRequest, connection: Connection) -> None:
        """Answer a request through its connection, which is cut where this raises."""
        # First of all: what a foreign page asks must reach neither a fault nor the journal.
        if foreign := self._hosts.refusal(arrived):
            self._write(arrived, connection, *self._gate.refuse(arrived, foreign))
            return
        if self.laboratory is not None and arrived.target.startswith(self.laboratory.prefix):
            self._spawn(self._respond_desk(arrived, connection, self.laboratory), connection)
            return
        if self._faults and (effects := self._faults.on_request(self._gate.subject(arrived))):
            self._spawn(self._respond_disturbed(arrived, connection, plan_of(effects)), connection)
            return
        stamp, outcome = self._gate.handle(arrived)
        # Nearly every outcome is there at once, and is written without a task.
        if isinstance(outcome, Pending | Proxy | QueuedRequest):
            self._spawn(self._respond_later(arrived, connection, stamp, outcome), connection)
        else:
            self._write(arrived, connection, stamp, outcome)

    def outcome(self, arrived: ArrivedRequest) -> Begun | QueuedRequest:
        """Return the outcome of a request for which there is no connection."""
        return self._gate.handle(arrived)[1]

    async def complete(
        self, outcome: Begun | QueuedRequest
    ) -> Response | Watch | WebSocketMessages | RelayedAnswer:
        """Wait for a request's turn and for what its steps wait for, until it is answered."""
        answer: Begun | QueuedRequest | RelayedAnswer = outcome
        while isinstance(answer, Pending | Proxy | QueuedRequest):
            if isinstance(answer, Pending) and isinstance(answer.wait, RevisionWait):
                answer = answer.resume(await self.waits.answers(answer.wait))
                continue
            # A wait for a revision does not count: the cluster is quiet although a client waits.
            self.in_flight += 1
            try:
                answer = await self._next(answer)
            finally:
                self.in_flight -= 1
        return answer

    async def complete_whole(self, outcome: Begun | QueuedRequest) -> Response | Watch | WebSocketMessages:
        """Wait until a request is answered and read the answer of another server to its end."""
        answer = await self.complete(outcome)
        return await self._relay.whole(answer) if isinstance(answer, RelayedAnswer) else answer

    async def _next(self, outcome: Pending[Outcome] | Proxy | QueuedRequest) -> Begun | RelayedAnswer:
        if isinstance(outcome, QueuedRequest):
            return await outcome.turn
        if isinstance(outcome, Proxy):
            return await self._relay.ask(outcome)
        return outcome.resume(await self.waits.answers(outcome.wait))

    async def _respond_later(
        self, arrived: ArrivedRequest, connection: Connection, stamp: Stamp, outcome: Begun | QueuedRequest
    ) -> None:
        try:
            answer = await self.complete(outcome)
        except Exception as error:  # noqa: BLE001 - a defect in one answer must not keep its client waiting
            answer = self._gate.answer_crash(arrived, stamp, error)
        if not connection.transport.is_closing():
            self._write(arrived, connection, stamp, answer)

    async def _respond_desk(
        self, arrived: ArrivedRequest, connection: Connection, desk: LaboratoryHandler
    ) -> None:
        stamp, request = self._gate.laboratory_request(arrived)
        try:
            answer = request if isinstance(request, Response) else await desk.answer(request)
        except Exception as error:  # noqa: BLE001 - as above
            answer = self._gate.answer_crash(arrived, stamp, error)
        if connection.transport.is_closing():
            return
        if isinstance(answer, StreamedResponse):
            await self._writer.write_streamed(arrived, connection, stamp, answer)
        else:
            self._write(arrived, connection, stamp, answer)

    async def _respond_disturbed(
        self, arrived: ArrivedRequest, connection: Connection, plan: FaultPlan
    ) -> None:
        try:
            done = await disturb(arrived, plan, self._gate, self._clock, self.complete)
        except Exception as error:  # noqa: BLE001 - as above
            done = DisturbedAnswer(answer=self._gate.answer_crash(arrived, NO_STAMP, error))
        if done.answer is None:
            connection.transport.abort()
        elif not connection.transport.is_closing():
            if done.body_bytes is not None and isinstance(done.answer, Response):
                self._writer.write_part(arrived, connection, done.stamp, done.answer, done.body_bytes)
            else:
                self._write(arrived, connection, done.stamp, done.answer)

    def _write(
        self,
        arrived: ArrivedRequest,
        connection: Connection,
        stamp: Stamp,
        answer: Response | Watch | WebSocketMessages | RelayedAnswer,
    ) -> None:
        if isinstance(answer, Watch) and arrived.method == "HEAD":
            # A HEAD of a watch has no stream to write.
            answer = Response(code=200, body=b"", content_type=answer.content_type)
        if isinstance(answer, WebSocketMessages):
            from .websocket import handshake

            handshake.send_messages(arrived, connection, answer)
            return
        if isinstance(answer, Watch) and answer.websocket:
            self._stream_messages(arrived, connection, stamp, answer)
            return
        if isinstance(answer, Watch):
            self._stream(arrived, connection, stamp, answer)
            return
        if isinstance(answer, RelayedAnswer):
            self._spawn(self._writer.write_relayed(arrived, connection, stamp, answer), connection)
            return
        if self._writer.compresses_long(arrived, answer):
            self._spawn(self._respond_compressed(arrived, connection, stamp, answer), connection)
            return
        self._writer.write_whole(arrived, connection, stamp, answer)

    async def _respond_compressed(
        self, arrived: ArrivedRequest, connection: Connection, stamp: Stamp, answer: Response
    ) -> None:
        # On the worker: packing megabytes would hold up all other clients.
        packed = await self.waits.compute(partial(self._writer.compress, arrived, answer))
        if not connection.transport.is_closing():
            self._writer.write_whole(arrived, connection, stamp, packed)

    def _stream(self, arrived: ArrivedRequest, connection: Connection, stamp: Stamp, watch: Watch) -> None:
        headers = [
            *self._gate.common(stamp, watch.headers),
            ("Content-Type", watch.content_type),
            ("Transfer-Encoding", "chunked"),
        ]
        self._writer.head(arrived, connection, 200, headers)
        stream = self.streams.open(
            watch,
            stamp.audit_id,
            connection,
            lambda: connection.finish(keep_alive=arrived.keep_alive),
            lambda: self._gate.subject(arrived),
        )
        connection.closed = lambda: self.streams.forget(stream)

    def _stream_messages(
        self, arrived: ArrivedRequest, connection: Connection, stamp: Stamp, watch: Watch
    ) -> None:
        """Answer with a WebSocket, whose messages are the frames of a watch."""
        # Most servers are never asked for one.
        from .websocket import handshake, messages

        client = handshake.open_watch(arrived, connection, self._gate.subprotocols(arrived))
        if client is None:
            return
        stream = self.streams.open(
            watch,
            stamp.audit_id,
            client,
            lambda: connection.finish(keep_alive=False),
            lambda: self._gate.subject(arrived),
            messages.framing(watch.content_type),
        )
        connection.closed = lambda: self.streams.forget(stream)
        client.follow(lambda: self.streams.close(stream))

    def _spawn(self, work: Coroutine[Any, Any, None], connection: Connection) -> None:
        task = asyncio.get_running_loop().create_task(_answer_or_cut(work, connection))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _answer_or_cut(work: Coroutine[Any, Any, None], connection: Connection) -> None:
    """Answer a request; where even the answer fails the connection is cut,
    so that no client waits for ever.
    """
    try:
        await work
    except Exception:
        LOG.exception("an answer could not be written")
        connection.transport.abort()

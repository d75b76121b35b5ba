"""The port of a front: each request meets the faults,
goes to the server behind, and its answer is written.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from functools import partial
from typing import Any

from ..api import status
from ..api.outcome import Response
from ..base.clock import Clock
from ..codec.media import JSON
from ..faults import Faults
from ..server.disturbance import DisturbedAnswer, disturb, plan_of
from ..server.gate import NO_STAMP
from ..server.http.message import ArrivedRequest
from ..server.outgoing.answer import NoAnswerError, UnusableAnswerError
from ..server.outgoing.relay import RelayedAnswer
from ..server.transport.connection import Connection
from ..server.transport.port import Port
from ..server.watch.framing import CHUNKED
from ..server.writing import AnswerWriter, cancel
from .authentication import Authentication
from .round_tripper import RoundTripper
from .upstream import UpstreamServer, unreachable
from .watching import FrameSink, OpenWatches, UpstreamWatch

LOG = logging.getLogger(__name__)


class FrontHandler(Port):
    """Lets through what comes to the port."""

    def __init__(
        self,
        authentication: Authentication,
        round_tripper: RoundTripper,
        upstream: UpstreamServer,
        faults: Faults,
        clock: Clock,
    ) -> None:
        super().__init__()
        self.watches = OpenWatches(
            faults, upstream.relay, lambda frame: round_tripper.revisions.note(frame, clock.now())
        )
        self._authentication = authentication
        self._round_tripper = round_tripper
        self._upstream = upstream
        self._faults = faults
        self._clock = clock
        self._writer = AnswerWriter(authentication.common, upstream.relay, clock)
        self._tasks: set[asyncio.Task[None]] = set()

    def respond(self, arrived: ArrivedRequest, connection: Connection) -> None:
        """Answer a request through its connection when the server behind has answered."""
        if refusal := self._authentication.refusal(arrived):
            self._writer.write_whole(arrived, connection, *self._authentication.refuse(arrived, refusal))
            return
        self._spawn(self._respond(arrived, connection))

    def stop(self) -> None:
        """Close the port, cut every connection, drop requests under way."""
        for task in self._tasks:
            task.cancel()
        self._upstream.close()
        super().stop()

    async def _respond(self, arrived: ArrivedRequest, connection: Connection) -> None:
        try:
            done = await self._answer_with_faults(arrived)
        except UnusableAnswerError as error:
            failure = unreachable(self._upstream.url, str(error))
            stamp, answer = self._authentication.refuse(arrived, failure)
            done = DisturbedAnswer(stamp=stamp, answer=answer)
        except (NoAnswerError, OSError):
            # The server behind cut its answer off, and so does this one.
            done = DisturbedAnswer()
        except Exception:
            LOG.exception("%s %s failed", arrived.method, arrived.target)
            stamp, answer = self._authentication.refuse(
                arrived, status.internal("the front failed; its log says why")
            )
            done = DisturbedAnswer(stamp=stamp, answer=answer)
        await self._write(arrived, connection, done)

    async def _answer_with_faults(self, arrived: ArrivedRequest) -> DisturbedAnswer:
        """Return the answer to write, after the faults that apply to it."""
        if self._faults and (effects := self._faults.on_request(self._authentication.subject(arrived))):
            return await disturb(
                arrived, plan_of(effects), self._authentication, self._clock, self._round_tripper.complete
            )
        stamp, request = self._authentication.handle(arrived)
        return DisturbedAnswer(stamp=stamp, answer=await self._round_tripper.complete(request))

    async def _write(self, arrived: ArrivedRequest, connection: Connection, done: DisturbedAnswer) -> None:
        answer, stamp = done.answer, done.stamp
        # The client has gone: the answer behind must be cut, or its connection would wait for ever.
        if isinstance(answer, RelayedAnswer) and connection.transport.is_closing():
            answer.abort()
        elif connection.transport.is_closing():
            return
        elif isinstance(answer, UpstreamWatch) and answer.websocket:
            await self._stream_messages(arrived, connection, answer)
        elif isinstance(answer, UpstreamWatch):
            await self._stream(arrived, connection, answer)
        elif isinstance(answer, RelayedAnswer):
            await self._writer.write_relayed(arrived, connection, stamp, answer)
        elif not isinstance(answer, Response):
            connection.transport.abort()
        elif done.body_bytes is not None:
            self._writer.write_part(arrived, connection, stamp, answer, done.body_bytes)
        else:
            self._writer.write_whole(arrived, connection, stamp, answer)

    async def _stream(self, arrived: ArrivedRequest, connection: Connection, answer: UpstreamWatch) -> None:
        # The end of either side ends the other: a client that leaves ends the watch behind.
        connection.closed = partial(cancel, asyncio.current_task())
        self._writer.begin(arrived, connection, NO_STAMP, answer)
        finished = partial(connection.finish, keep_alive=arrived.keep_alive)
        outlet = FrameSink(connection, CHUNKED, finished)
        watch = self.watches.open(outlet, answer, self._authentication.subject(arrived))
        await self.watches.run(watch, outlet)

    async def _stream_messages(
        self, arrived: ArrivedRequest, connection: Connection, answer: UpstreamWatch
    ) -> None:
        """Answer with a WebSocket, whose messages are the events of the server behind."""
        from ..server.websocket import handshake, messages

        connection.closed = partial(cancel, asyncio.current_task())
        client = handshake.open_watch(arrived, connection, self._authentication.subprotocols(arrived))
        if client is None:
            answer.abort()
            return
        outlet = FrameSink(client, messages.framing(JSON), partial(connection.finish, keep_alive=False))
        watch = self.watches.open(outlet, answer, self._authentication.subject(arrived))
        client.follow(watch.close)
        await self.watches.run(watch, outlet)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

"""One connection of a client: requests are read whole and
answered one after another, within the limits of its server.
"""

from __future__ import annotations

import asyncio
import logging
from asyncio import IncompleteReadError, LimitOverrunError, StreamReader, StreamWriter, timeout
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from .exchange import Handler, Request, Response
from .framing import FramingError, RequestHead, answer, chunk_size, refusal
from .limits import Limits
from .unsent import UnsentBytes

HEAD_END = b"\r\n\r\n"
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
TOLD = 200
"""Characters of a target that a log tells."""
LOG = logging.getLogger(__name__)


@dataclass(slots=True)
class BodyMemory:
    """The bytes of bodies that one server may still hold."""

    remaining: int

    @contextmanager
    def take(self, size: int) -> Iterator[None]:
        """Hold a number of bytes. Raises FramingError (503) when there is no room for them."""
        if size > self.remaining:
            raise FramingError(503, "too many requests at once")
        self.remaining -= size
        try:
            yield
        finally:
            self.remaining += size


@dataclass(frozen=True, slots=True)
class Budget:
    """What all connections of one server share."""

    limits: Limits
    memory: BodyMemory
    unsent: UnsentBytes

    @classmethod
    def of(cls, limits: Limits) -> Budget:
        """Return the budget of a server with these limits."""
        return cls(limits, BodyMemory(limits.bodies), UnsentBytes(limits.unsent))


class Connection:
    """Reads and answers the requests of one client until one of both ends it."""

    def __init__(self, streams: tuple[StreamReader, StreamWriter], handler: Handler, budget: Budget) -> None:
        self._reader, self._writer = streams
        self._handler = handler
        self._limits, self._room, self._unsent = budget.limits, budget.memory, budget.unsent
        self.is_stopping = False
        """It ends, or ends after the answer that is under way."""
        self.task = asyncio.current_task()
        self.waits_since = asyncio.get_running_loop().time()
        """When it was opened, or its last answer was sent."""
        self.was_asked = False
        """A whole request has come."""
        self.is_answering = False
        """A request is with the handler, or its answer is not yet sent."""

    async def serve(self) -> None:
        """Answer until the client leaves, takes too long, or sends bytes that are no request."""
        waits = self._limits.request_seconds
        try:
            while not self.is_stopping and (first := await self._begin(waits)):
                if not await self._exchange(first):
                    break
                waits = self._limits.idle_seconds
                # Requests that came in one piece are answered in turn with those of others.
                await asyncio.sleep(0)
            await self._close()
        except (OSError, TimeoutError, IncompleteReadError):
            self._writer.transport.abort()
        except FramingError as error:
            await self._refuse(error)
        finally:
            # Nothing stays open once this task has ended, however it ends.
            self._writer.transport.abort()

    def stop(self) -> None:
        """End after the answer that is under way, at once when there is none."""
        self.is_stopping = True
        if not self.is_answering and self.task is not None:
            self.task.cancel()

    async def _begin(self, seconds: float) -> bytes:
        """Wait for the first byte of a request; empty when the client has left."""
        async with timeout(seconds):
            byte = await self._reader.read(1)
            while byte in {b"\r", b"\n"}:  # clients may send an empty line between requests (RFC 9112 §2.2)
                byte = await self._reader.read(1)
            return byte

    async def _exchange(self, first: bytes) -> bool:
        """Read the rest of a request and answer it; tell whether another may follow."""
        async with timeout(self._limits.request_seconds) as limit:
            head = RequestHead.parse(first + await self._head())
            largest = self._limits.body_bytes
            if head.length is not None and head.length > largest:
                raise FramingError(413, "the body is too large")
            with self._room.take(largest if head.length is None else head.length):
                if head.waits_to_continue and head.length != 0:
                    self._writer.write(CONTINUE)
                body = await self._body(head)
                limit.reschedule(None)
                return await self._answer(head, body)

    async def _head(self) -> bytes:
        try:
            return await self._reader.readuntil(HEAD_END)
        except LimitOverrunError:
            raise FramingError(431, "the head is too large") from None

    async def _body(self, head: RequestHead) -> bytes:
        if head.length is not None:
            return await self._reader.readexactly(head.length)
        body = bytearray()  # chunks may be of one byte each
        while size := chunk_size(await self._line()):
            if len(body) + size > self._limits.body_bytes:
                raise FramingError(413, "the body is too large")
            body += await self._reader.readexactly(size)
            if await self._reader.readexactly(2) != b"\r\n":
                raise FramingError(400, "malformed chunk")
        trailers = 0
        while (line := await self._line()) != b"\r\n":
            trailers += len(line)
            if trailers > self._limits.head_bytes:
                raise FramingError(431, "the trailers are too large")
        return bytes(body)

    async def _line(self) -> bytes:
        try:
            return await self._reader.readuntil(b"\r\n")
        except LimitOverrunError:
            raise FramingError(400, "malformed chunk") from None

    async def _answer(self, head: RequestHead, body: bytes) -> bool:
        self.is_answering = self.was_asked = True
        request = Request(
            method=head.method,
            target=head.target,
            headers=head.headers,
            body=body,
            certificate=_certificate(self._writer),
        )
        try:
            response, fails = await self._handler(request), False
        except Exception as error:  # noqa: BLE001 a bug is told in one line, and never to the client
            detail = f"{head.method} {head.target[:TOLD]}: {type(error).__name__}: {error}"
            LOG.error(detail)  # noqa: TRY400 without a traceback
            response, fails = refusal(FramingError(500, "it could not be answered")), True
        closes = head.closes or fails or self.is_stopping
        await self._send(response, head.method, closes=closes)
        self.is_answering, self.waits_since = False, asyncio.get_running_loop().time()
        return not closes

    async def _send(self, response: Response, method: str, *, closes: bool) -> None:
        """Send an answer; a client that does not read it is cut off."""
        async with timeout(self._limits.idle_seconds):
            with self._unsent.hold(self._writer.transport, len(response.body)):
                for piece in answer(response, method=method, closes=closes):
                    self._writer.write(piece)
                    await self._writer.drain()

    async def _refuse(self, error: FramingError) -> None:
        """Answer, then read on for a moment: a socket that is closed with unread bytes takes its
        answer back.
        """
        self.is_answering = True
        try:
            await self._send(refusal(error), "", closes=True)
            if self._writer.can_write_eof():
                self._writer.write_eof()
            async with timeout(self._limits.stop_seconds):
                while await self._reader.read(1 << 16):
                    pass
            await self._close()
        except (OSError, TimeoutError):
            self._writer.transport.abort()

    async def _close(self) -> None:
        """Send the remaining bytes, and close."""
        self._writer.close()
        async with timeout(self._limits.stop_seconds):
            await self._writer.wait_closed()


def _certificate(writer: StreamWriter) -> bytes:
    """Return the certificate of the client in DER, empty when it showed none."""
    tls = writer.get_extra_info("ssl_object")
    return (tls.getpeercert(binary_form=True) or b"") if tls is not None else b""

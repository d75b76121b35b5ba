"""Performs a Proxy: passes a request on to another API server
and hands its answer over as it comes (FK-437, FK-438).

Connections are kept for the next request; a stream, such as a watch, keeps its own until either side ends it.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable
from functools import lru_cache

from msgspec import Struct

from ...api.outcome import Proxy, Response
from ...auth.certificates import KeyPair, identify
from ..http.message import LAST_CHUNK, chunk
from .allowed_networks import Reach
from .answer import Answer, UnusableAnswerError
from .extension_servers import Content, ExtensionServers
from .link import ConnectTarget, client_context
from .round_tripper import OutgoingRequest, RoundTripper

CODES_WITHOUT_BODY = frozenset({204, 304})
HEAD_SECONDS = 30.0
"""Real seconds in which an extension server has to begin its answer,
and then to end one that is read as a whole.
"""
AUTHORITIES = 128
"""Bundles of authorities whose TLS contexts are kept."""
Trust = Callable[[bytes | None], ssl.SSLContext | None]


class RelayedAnswer(Struct, frozen=True):
    """An answer on its way: what the client sees of its head, and the rest as it comes."""

    code: int
    headers: tuple[tuple[str, str], ...]
    body: Answer | Content

    def abort(self) -> None:
        """Cut it off."""
        self.body.abort()


class Relay:
    """Passes requests on; `trust` says how TLS is spoken with
    a server of which an authority is known, None is without.

    `servers` answer what concerns Services of this process.
    """

    def __init__(
        self,
        trust: Trust,
        timeout_seconds: float = HEAD_SECONDS,
        reach: Reach | None = None,
        servers: ExtensionServers | None = None,
    ) -> None:
        cached_trust = lru_cache(maxsize=AUTHORITIES)(trust)
        self._tripper = RoundTripper(lambda target: cached_trust(target.ca), reach or Reach())
        self._patience = timeout_seconds
        self._servers = servers or ExtensionServers(bytes)

    async def ask(self, proxy: Proxy) -> RelayedAnswer | Response:
        """Return the answer as soon as its head is there, or the answer in its place."""
        target = ConnectTarget(
            proxy.address.host,
            proxy.address.port,
            proxy.name,
            proxy.ca,
            is_configured=proxy.address.is_configured,
        )
        try:
            async with asyncio.timeout(self._patience):
                answer = await self._send(proxy, target)
        except TimeoutError:
            return _report(proxy, proxy.failed("net/http: timeout awaiting response headers"))
        except OSError as error:
            return _report(proxy, proxy.failed(await self._tripper.why(error, target)))
        # Judged by its code alone, before a byte of its body is read.
        instead = proxy.refused(answer.code)
        if instead is not None:
            answer.abort()
            return _report(proxy, instead)
        proxy.answered(answer.code)
        return RelayedAnswer(answer.code, proxy.answer_headers(tuple(answer.headers)), answer)

    async def _send(self, proxy: Proxy, target: ConnectTarget) -> Answer | Content:
        if proxy.inside:
            return await self._servers.send(proxy)
        sent = OutgoingRequest(method=proxy.method, path=proxy.target, headers=proxy.headers, body=proxy.body)
        return await self._tripper.send(target, sent)

    async def whole(self, passed: RelayedAnswer) -> Response:
        """Return an answer with its complete body.

        Raises NoAnswerError when it is cut off, too large or too late, OSError.
        """
        try:
            async with asyncio.timeout(self._patience):
                content = await self._whole(passed.body)
        except TimeoutError as error:
            raise UnusableAnswerError("net/http: timeout while reading the body") from error
        kind = next((value for name, value in passed.headers if name == "content-type"), "")
        return Response(code=passed.code, body=content, content_type=kind)

    async def _whole(self, body: Answer | Content) -> bytes:
        return body.body if isinstance(body, Content) else await self._tripper.whole(body)

    async def pour(self, passed: RelayedAnswer, sink: asyncio.Transport, writable: asyncio.Event) -> None:
        """Write the body of an answer to a client as it comes.

        Raises NoAnswerError, OSError when it is cut off.
        """
        # Without a length the body is framed anew: chunks of two connections have nothing to do with each
        # other.
        chunked = (
            passed.body.length is None and passed.code not in CODES_WITHOUT_BODY and not passed.body.bodiless
        )
        try:
            async for piece in passed.body.pieces():
                sink.write(chunk(piece) if chunked else piece)
                await writable.wait()
            if chunked:
                sink.write(LAST_CHUNK)
        finally:
            self.done(passed)

    def done(self, passed: RelayedAnswer) -> None:
        """Keep the connection of an answer for another request, or close it."""
        if isinstance(passed.body, Answer):
            self._tripper.done(passed.body)

    def close(self) -> None:
        """Close the idle connections."""
        self._tripper.close()


def trusting(identity: Callable[[], KeyPair | None]) -> Trust:
    """Return how TLS is spoken with extension servers,
    as the holder of a client certificate when there is one.
    """

    def context(ca: bytes | None) -> ssl.SSLContext:
        tls_context = client_context(ca)
        if ca is None:
            # insecureSkipTLSVerify; in this order, or ssl refuses.
            tls_context.check_hostname, tls_context.verify_mode = False, ssl.CERT_NONE
        pair = identity()
        if pair is not None:
            identify(tls_context, pair)
        return tls_context

    return context


def framing(passed: RelayedAnswer) -> tuple[tuple[str, str], ...]:
    """Return the headers that say where the body of an answer ends."""
    if passed.code in CODES_WITHOUT_BODY:
        return ()
    length = passed.body.length
    return (("Transfer-Encoding", "chunked"),) if length is None else (("Content-Length", length),)


def _report(proxy: Proxy, instead: Response) -> Response:
    proxy.answered(instead.code)
    return instead

"""Extension servers that are coroutines of this process:
the same requests and failures, without a socket (FK-436…438).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable

from msgspec import Struct, field

from ...aggregation.extension_server import ExtensionHandler, ExtensionRequest, ExtensionResponse, Pairs
from ...api.outcome import Proxy
from .answer import NoAnswerError
from .round_tripper import SAFE_METHODS

LOG = logging.getLogger(__name__)
HUNG_UP = "EOF"
CODES = range(200, 600)
CHUNKED = ("transfer-encoding", "chunked")


class Content(Struct, frozen=True, kw_only=True):
    """An answer that is there at once; its header names are lower case."""

    code: int
    headers: Pairs
    length: str | None
    """The length of the body, None when it is not told."""
    bodiless: bool
    body: bytes

    async def pieces(self) -> AsyncIterator[bytes]:
        """Yield the body."""
        if self.body and not self.bodiless:
            yield self.body

    def abort(self) -> None:
        """Do nothing: there is no connection to cut."""


class RegisteredServer(Struct, eq=False):
    """One registered handler and the requests that it is at work on."""

    handler: ExtensionHandler
    tasks: set[asyncio.Task[ExtensionResponse]] = field(default_factory=set)


class ExtensionServers:
    """The handlers of one running cluster by `namespace/name` of their Service.

    `certificate` returns the aggregator's own, DER.
    """

    def __init__(self, certificate: Callable[[], bytes]) -> None:
        self._certificate = certificate
        self._servers: dict[str, list[RegisteredServer]] = {}

    def add(self, service: str, handler: ExtensionHandler) -> Callable[[], None]:
        """Let a handler answer until the returned function is called, which ends its requests; of several the
        first one answers.
        """
        server, servers_of_service = RegisteredServer(handler), self._servers.setdefault(service, [])
        servers_of_service.append(server)

        def remove() -> None:
            if server in servers_of_service:
                servers_of_service.remove(server)
                for task in tuple(server.tasks):
                    task.cancel()

        return remove

    async def send(self, proxy: Proxy) -> Content:
        """Return the answer to a request.

        Raises NoAnswerError where there is no handler, or it fails or ends before it answered.
        """
        server = next(iter(self._servers.get(proxy.inside, ())), None)
        if server is None:
            raise _connection_refused(proxy)
        request = ExtensionRequest(
            method=proxy.method,
            target=proxy.target,
            headers=proxy.headers,
            body=proxy.body,
            certificate=self._certificate(),
        )
        task = asyncio.ensure_future(_response(server.handler, request))
        server.tasks.add(task)
        try:
            # Not awaited directly: an error or a cancellation of the handler is its own, not the caller's.
            await asyncio.wait((task,))
        finally:
            server.tasks.discard(task)
            task.cancel()
        if task.cancelled():
            # A request that may be repeated is sent again, to a server that is gone.
            raise _connection_refused(proxy) if proxy.method in SAFE_METHODS else NoAnswerError(HUNG_UP)
        if (error := task.exception()) is not None:
            LOG.error("the extension server of %s failed on %s", proxy.inside, proxy.target, exc_info=error)
            raise NoAnswerError(HUNG_UP)
        return _content(proxy, task.result())


async def _response(handler: ExtensionHandler, request: ExtensionRequest) -> ExtensionResponse:
    """Return what a handler answers. Raises TypeError, ValueError for what cannot be written."""
    response = await handler(request)
    if not isinstance(response, ExtensionResponse):
        raise TypeError(f"a handler answered {type(response).__name__}, expected an ExtensionResponse")
    if response.code not in CODES:
        raise ValueError(f"a handler answered {response.code}, expected a code from 200 to 599")
    for name, value in response.headers:
        # A line break in a header would begin another one.
        if not {"\r", "\n"}.isdisjoint(name + value):
            raise ValueError(f"the header {name!r} of an answer has more than one line")
    return response


def _content(proxy: Proxy, response: ExtensionResponse) -> Content:
    headers = tuple((name.lower(), value) for name, value in response.headers)
    bodiless = proxy.method == "HEAD"
    # A HEAD tells the length that a GET would have.
    declared_length = (
        next((value for name, value in headers if name == "content-length"), "") if bodiless else ""
    )
    length = None if CHUNKED in headers else declared_length or str(len(response.body))
    return Content(code=response.code, headers=headers, length=length, bodiless=bodiless, body=response.body)


def _connection_refused(proxy: Proxy) -> NoAnswerError:
    where = proxy.address
    return NoAnswerError(f"dial tcp {where.host}:{where.port}: connect: connection refused")

"""A client that sends any request and returns the raw answer, with any method, target and headers, also
forged or repeated ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from ...backends.cluster import lacking
from ...case.context import CaseContext
from ...wire.client import Client
from ...wire.raw_client import Ask, Headers, RawAnswer, RawClient, RawRequest, Send
from .burst import Burst

JSON = "application/json"


class Endpoint(Protocol):
    """An object with a path, such as a list of pending Workloads."""

    @property
    def path(self) -> str:
        """The path, without a query."""


class RequestSender:
    """Sends requests with the credentials in its `headers`, or without any."""

    def __init__(self, ask: Ask, agent: str, headers: Headers = (), send: Send | None = None) -> None:
        self._ask = ask
        self._send = send
        self._agent = agent
        self._headers = headers

    def send(
        self,
        where: Endpoint | str,
        query: str = "",
        *,
        method: str = "GET",
        accept: str = JSON,
        headers: Headers = (),
        body: bytes = b"",
    ) -> RawAnswer:
        """Send one request with path and query as given, without an Accept header where `accept` is empty."""
        target = _path(where)
        return self._ask(
            method, f"{target}?{query}" if query else target, self._merge_headers(accept, headers), body
        )

    def send_together(self, *where: Endpoint | str, method: str = "GET") -> Burst:
        """Send a request for each of these at one moment, without waiting for answers.

        Raises UsageError where that is no feature.
        """
        if self._send is None:
            raise lacking("way to send requests at one moment")
        return Burst(
            self._send([RawRequest(method, _path(endpoint), self._merge_headers(JSON)) for endpoint in where])
        )

    def _merge_headers(self, accept: str, headers: Headers = ()) -> Headers:
        overridden = {name.lower() for name, _ in headers}
        own = [("User-Agent", self._agent), *([("Accept", accept)] if accept else []), *self._headers]
        return [*(pair for pair in own if pair[0].lower() not in overridden), *headers]

    def client(self, like: Client) -> Client:
        """Return a client for objects with these credentials."""
        return Client(self._transport, agent=self._agent, run=like.run, version=like.version)

    def _transport(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes | None
    ) -> tuple[int, bytes]:
        answer = self._ask(method, path, [*headers.items(), *self._headers], body or b"")
        return answer.code, answer.body


def administrator(context: CaseContext, *headers: tuple[str, str], direct: bool = False) -> RequestSender:
    """Return a client with the harness's own credentials,
    and `headers` such as those of an impersonation.
    """
    server = context.cluster.endpoint
    if direct:
        return stranger(context, *server.users["admin"], *headers, direct=True)
    return RequestSender(
        RawClient(server.url, server.tls), _agent(context), [*server.users["admin"], *headers]
    )


def stranger(context: CaseContext, *headers: tuple[str, str], direct: bool = False) -> RequestSender:
    """Return a client with these headers as its only credentials; `direct` connects to the visibility server
    without the API server.
    """
    server = context.cluster.endpoint
    if direct and context.direct:
        return RequestSender(context.direct, _agent(context), headers, context.send)
    return RequestSender(RawClient(server.url, server.anonymous_tls), _agent(context), headers)


def _path(where: Endpoint | str) -> str:
    return where if isinstance(where, str) else where.path


def _agent(context: CaseContext) -> str:
    return f"kueue-conformance/1 {context.scenario}"

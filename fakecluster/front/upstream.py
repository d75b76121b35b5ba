"""The server behind a front: requests for it, in the name of its kubeconfig, and reads of it for the
front's own sake.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from urllib.parse import SplitResult, urlencode, urlsplit

import orjson
from msgspec.structs import replace

from ..aggregation import forwarding
from ..api import status, websocket_request
from ..api.outcome import Proxy, Response
from ..api.routes import RequestInfo
from ..api.service_address import Address
from ..base.json_types import Json
from ..codec.media import JSON
from ..recording.upstream import Upstream
from ..server.outgoing.answer import UnusableAnswerError
from ..server.outgoing.relay import Relay, RelayedAnswer
from .authentication import failure_response
from .objects import revision_of, to_kubernetes_object
from .request import FrontRequest, collection, path, readable

Pairs = tuple[tuple[str, str], ...]
USER_AGENT = "fakecluster-front"
SWITCHING_PROTOCOLS = 101
ANSWER_TIMEOUT_SECONDS = 90.0
"""Seconds in which an answer has to begin: longer than an API server lets a request take."""
OWN_HEADERS = frozenset(
    {
        *forwarding.HOP_BY_HOP,
        "host",
        "content-length",
        "expect",
        "authorization",
        "cookie",
        "accept-encoding",
        "audit-id",
    }
)
WEBSOCKET = "sec-websocket-"
"""What the headers of a WebSocket begin with."""
METHODS_WITH_BODY = frozenset({"POST", "PUT", "PATCH"})
PORTS = {"https": 443, "http": 80}


class UpstreamServer:
    """Asks one API server, as the user of its kubeconfig, or for some users as another one (`stead`)."""

    def __init__(self, upstream: Upstream, impersonated_users: Mapping[str, str]) -> None:
        self._upstream = upstream
        self._impersonated_users = impersonated_users
        self._url: SplitResult = urlsplit(upstream.url)
        self.relay = Relay(lambda _: upstream.context, ANSWER_TIMEOUT_SECONDS)

    @property
    def url(self) -> str:
        """Where it is."""
        return self._upstream.url

    async def ask(self, ask: FrontRequest) -> RelayedAnswer | Response:
        """Pass a request on; return the answer as soon as its head is there, or that there is none."""
        arrived = ask.arrived
        if (impersonated_user := self._impersonated_users.get(ask.user.name)) and _impersonates(
            arrived.headers
        ):
            return failure_response(ask, already_impersonating(impersonated_user))
        # A HEAD would leave us waiting for a body, and means a GET to every API server.
        method = "GET" if arrived.method == "HEAD" else arrived.method
        # Only a CONNECT to a host has no path; it goes to the host behind.
        target = arrived.target or self._url.netloc
        return await self.relay.ask(self._proxy(method, target, tuple(self._headers(ask)), arrived.body, ask))

    async def read(self, ask: FrontRequest, target: str) -> tuple[int, Json]:
        """Read something for the front's own sake: the status, and the JSON that came with it.

        Raises UnusableAnswerError, OSError.
        """
        headers = (*self._connection(), ("Accept", JSON), ("User-Agent", USER_AGENT))
        passed = await self.relay.ask(self._proxy("GET", target, headers, b"", ask))
        answer = passed if isinstance(passed, Response) else await self.relay.whole(passed)
        try:
            return answer.code, orjson.loads(answer.body)
        except orjson.JSONDecodeError as error:
            raise UnusableAnswerError(f"{target} is no JSON") from error

    async def object(self, ask: FrontRequest) -> Json | None:
        """Return the current object of a request, None when there is none or the server does not answer."""
        code, answered_object = await self.read(ask, path(ask.info))
        return to_kubernetes_object(answered_object) if code == 200 else None

    async def revision(self, ask: FrontRequest) -> int:
        """Return the newest revision of the server,
        as far as the collection that a request is about tells it.
        """
        info: RequestInfo = ask.info
        _, answered_list = await self.read(ask, f"{collection(info)}?{urlencode({'limit': 1})}")
        return revision_of(answered_list)

    def close(self) -> None:
        """Close the idle connections."""
        self.relay.close()

    def _proxy(self, method: str, target: str, headers: Pairs, body: bytes, ask: FrontRequest) -> Proxy:
        host, name = self._url.hostname or "", self._upstream.name
        return Proxy(
            method=method,
            target=f"{self._url.path.rstrip('/')}{target}",
            headers=headers,
            body=body,
            address=Address(host, self._url.port or PORTS[self._url.scheme], is_configured=True),
            name=name or host,
            answer_headers=forwarding.answer_headers,
            failed=lambda why: failure_response(ask, unreachable(self.url, why)),
            refused=lambda code: self._refuse_switch(ask, code),
        )

    def _refuse_switch(self, ask: FrontRequest, code: int) -> Response | None:
        """Return the answer in place of a protocol switch that was not asked for."""
        # A switch that was not asked for would turn the connection into one of unknown bytes.
        if code != SWITCHING_PROTOCOLS or ask.upgrades:
            return None
        return failure_response(
            ask, unreachable(self.url, "it speaks another protocol, which was not asked for")
        )

    def _connection(self) -> Pairs:
        return (("Host", self._url.netloc), *self._upstream.identity.items(), ("Accept-Encoding", "identity"))

    def _headers(self, ask: FrontRequest) -> Iterator[tuple[str, str]]:
        arrived = ask.arrived
        yield from self._connection()
        yield "Audit-Id", ask.audit_id
        if impersonated_user := self._impersonated_users.get(ask.user.name):
            yield "Impersonate-User", impersonated_user
        listed, is_ours = forwarding.connection_headers(arrived.headers), ask.is_websocket
        for name, value in websocket_request.without_token(arrived.headers):
            if name == "origin":
                # The front has looked at it; the server behind knows a page of its own only.
                yield name, self._upstream.origin
            elif (
                name not in OWN_HEADERS
                and name not in listed
                and not (is_ours and name.startswith(WEBSOCKET))
            ):
                yield name, readable(value) if name == "accept" and ask.info.verb == "watch" else value
        if arrived.body or arrived.method in METHODS_WITH_BODY:
            yield "Content-Length", str(len(arrived.body))
        if ask.upgrades:
            yield "Connection", "Upgrade"
            yield from ((name, value) for name, value in arrived.headers if name == "upgrade")


def _impersonates(headers: Pairs) -> bool:
    return any(name.startswith("impersonate-") for name, _ in headers)


def already_impersonating(impersonated_user: str) -> status.StatusError:
    """Return the failure of a request that wants to be made in the name of a third."""
    return status.forbidden(
        "",
        "users",
        "",
        f"this front impersonates {impersonated_user!r} and no other user",
    )


def unreachable(url: str, why: str) -> status.StatusError:
    """Return the failure of a request that the server behind does not answer."""
    return status.failure(
        503, "ServiceUnavailable", f"the API server behind this front, {url}, does not answer: {why}", {}
    )


def with_headers(response: Response, passed: RelayedAnswer) -> Response:
    """Return a whole answer with the headers of the server behind."""
    return replace(
        response, headers=tuple(header for header in passed.headers if header[0] != "content-type")
    )

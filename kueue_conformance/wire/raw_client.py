"""Raw requests and answers: any method, target and headers, and what came back byte for byte."""

from __future__ import annotations

import http.client
import ssl
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias
from urllib.parse import urlsplit

import orjson

from ..base.errors import EnvironmentProblem
from ..base.json_types import Json

Headers: TypeAlias = Sequence[tuple[str, str]]
TIMEOUT_SECONDS = 30.0


@dataclass(frozen=True, slots=True, repr=False)
class RawAnswer:
    """A code, every header in its order, and the body as it came."""

    code: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    def header(self, name: str) -> str:
        """Return the first value of a header, in any case of letters; empty when it is not there."""
        return next((value for header_name, value in self.headers if header_name.lower() == name.lower()), "")

    @property
    def document(self) -> Json:
        """The body as JSON; empty where it is something else."""
        try:
            document = orjson.loads(self.body)
        except orjson.JSONDecodeError:
            return {}
        return document if isinstance(document, dict) else {}

    @property
    def items(self) -> Sequence[Json]:
        """The items of a list; none of a refusal."""
        return tuple(self.document.get("items") or ()) if self.code == 200 else ()

    @property
    def names(self) -> list[str]:
        """`namespace/name` of each item, in their order."""
        return ["{namespace}/{name}".format(**item["metadata"]) for item in self.items]

    @property
    def message(self) -> str:
        """The message of a Status, else the text."""
        return str(self.document.get("message", "")) or self.body.decode("utf-8", "replace").strip()

    def is_refused(self, code: int, reason: str = "") -> bool:
        """Tell whether it is a Status with this code and, where one is given, this reason."""
        status = self.document
        return self.code == code == status.get("code", code) and (
            not reason or status.get("reason") == reason
        )

    def __str__(self) -> str:
        body = self.body.decode("utf-8", "replace")
        return f"{self.code} {self.header('content-type')} {body[:500]!r}"

    def __repr__(self) -> str:
        return str(self)


@dataclass(frozen=True, slots=True)
class RawRequest:
    """A request as it goes over the wire."""

    method: str
    target: str
    headers: Headers = ()
    body: bytes = b""


class SentRequests(Protocol):
    """Requests that were sent at one moment."""

    def answers(self) -> Sequence[RawAnswer | None]:
        """Return their answers in the order of the requests, None for one that there is not yet."""

    def give_up(self) -> None:
        """Cancel the requests without an answer."""


Send: TypeAlias = Callable[[Sequence[RawRequest]], SentRequests]
"""Sends requests at one moment, and waits for none of the answers."""
Ask: TypeAlias = Callable[[str, str, Headers, bytes], RawAnswer]
"""Sends method, target, headers and body, and returns the answer.

Raises EnvironmentProblem where there is none.
"""


class RawClient:
    """Asks one server, each time over a connection of its own; credentials are in the headers of a request,
    or in `tls`.
    """

    def __init__(self, url: str, tls: ssl.SSLContext | None) -> None:
        address = urlsplit(url)
        self._host, self._port = address.hostname or "127.0.0.1", address.port
        self._tls = tls

    def __call__(self, method: str, target: str, headers: Headers, body: bytes) -> RawAnswer:
        """Send one request. Raises EnvironmentProblem."""
        connection = open_connection(self._host, self._port, self._tls)
        try:
            response = send_request(connection, method, target, headers, body)
            return RawAnswer(response.status, tuple(response.getheaders()), response.read())
        except (OSError, http.client.HTTPException) as problem:
            raise EnvironmentProblem(
                f"the server at {self._host}:{self._port} does not answer: {problem!r}"
            ) from problem
        finally:
            connection.close()


def open_connection(host: str, port: int | None, tls: ssl.SSLContext | None) -> http.client.HTTPConnection:
    """Return a connection that opens with the first request; without TLS for None."""
    if tls is None:
        return http.client.HTTPConnection(host, port, timeout=TIMEOUT_SECONDS)
    return http.client.HTTPSConnection(host, port, timeout=TIMEOUT_SECONDS, context=tls)


def send_request(
    connection: http.client.HTTPConnection, method: str, target: str, headers: Headers, body: bytes
) -> http.client.HTTPResponse:
    """Send a request whose headers may repeat a name."""
    # http.client adds an Accept-Encoding of its own, which would hide what the request is about.
    connection.putrequest(
        method, target, skip_accept_encoding=any(name == "Accept-Encoding" for name, _ in headers)
    )
    # A POST without a body needs the header too, or a server may wait for one.
    length = [("Content-Length", str(len(body)))] if body or method in {"POST", "PUT", "PATCH"} else []
    for name, value in (*headers, *length):
        # `request` takes a dict of headers, in which a name cannot repeat.
        connection.putheader(name, value)
    connection.endheaders(body or None)
    return connection.getresponse()

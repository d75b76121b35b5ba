"""What an extension server of this process is asked and what it answers: requests and responses as they would
be on the wire (FK-437).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from msgspec import Struct

Pairs = tuple[tuple[str, str], ...]


class ExtensionRequest(Struct, frozen=True, kw_only=True):
    """A request as the aggregator passes it on."""

    method: str
    target: str
    """Path and query, escaped as in a request line."""
    headers: Pairs = ()
    """Every header in order, with those that tell the user (`X-Remote-User` and the like)."""
    body: bytes = b""
    certificate: bytes = b""
    """The certificate that the aggregator shows, DER;
    empty in a cluster without TLS or without a key to sign one.
    """


class ExtensionResponse(Struct, frozen=True, kw_only=True):
    """A complete answer, with a code from 200 to 599.

    Its length is told, unless `transfer-encoding: chunked` is among the headers.
    """

    code: int = 200
    headers: Pairs = ()
    body: bytes = b""


ExtensionHandler = Callable[[ExtensionRequest], Awaitable[ExtensionResponse]]
"""Answers a request on the cluster's event loop; an exception is a server that hangs up."""

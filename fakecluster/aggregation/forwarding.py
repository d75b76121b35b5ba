"""The request that is passed on to an extension server, and the changes to its answer (FK-437, FK-438).

Path, query and body go through; who asks is said anew, whatever the client said. What concerns one connection
stays on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote, quote_plus, unquote

from ..api import websocket_request
from ..api.outcome import Request
from ..api.service_address import Address
from ..auth.authentication import front_proxy

Pairs = tuple[tuple[str, str], ...]
HOP_BY_HOP = frozenset(
    {
        "connection",
        "proxy-connection",
        "keep-alive",
        "proxy-authenticate",
        "proxy-authorization",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    }
)
REMOTE_USER_HEADERS = tuple(name.lower() for name in (front_proxy.USER, front_proxy.GROUP, front_proxy.UID))
FORWARDED_HEADERS = ("x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-forwarded-uri")
OWN_HEADERS = frozenset(
    {
        "host",
        "content-length",
        "expect",
        "authorization",
        "audit-id",
        *REMOTE_USER_HEADERS,
        *FORWARDED_HEADERS,
    }
)
DROPPED_HEADER_PREFIXES = (front_proxy.EXTRA.lower(), "impersonate-")
CORS = (
    "access-control-allow-origin",
    "access-control-allow-credentials",
    "access-control-expose-headers",
    "access-control-max-age",
    "access-control-allow-methods",
    "access-control-allow-headers",
)
PATH_SAFE = "/$&+,:;=@-_.~"
PEER_ADDRESS = "127.0.0.1"


def target(request: Request) -> str:
    """Return path and query for an extension server: the query in order of its keys."""
    # Decoded and encoded again, as Go's url.URL does: a client's own escapes do not survive.
    path = quote(unquote(request.path), safe=PATH_SAFE)
    pairs = sorted(request.query, key=lambda pair: pair[0])
    query = "&".join(f"{quote_plus(key, safe='~')}={quote_plus(value, safe='~')}" for key, value in pairs)
    return f"{path}?{query}" if query else path


def headers(request: Request, address: Address) -> Pairs:
    """Return the headers that an extension gets."""
    return tuple(_headers(request, f"{address.host}:{address.port}"))


def answer_headers(extension_headers: Pairs) -> Pairs:
    """Return the headers of an extension's answer that reach the client."""
    listed = connection_headers(extension_headers)
    dropped = {*HOP_BY_HOP, *CORS, *listed, "content-length", "date"}
    return tuple((name, value) for name, value in extension_headers if name not in dropped)


def _headers(request: Request, host: str) -> Iterator[tuple[str, str]]:
    client_headers = request.all_headers
    listed = connection_headers(client_headers)
    yield "Host", host
    passed_on = websocket_request.without_token(client_headers)
    yield from ((name, value) for name, value in passed_on if _passes(name, listed))
    # Go passes on `trailers` alone, which gRPC needs.
    if any(name == "te" and "trailers" in value.lower() for name, value in client_headers):
        yield "Te", "trailers"
    if request.body or request.method in {"POST", "PUT", "PATCH"}:
        yield "Content-Length", str(len(request.body))
    # The same id on both servers, so that their logs can be joined.
    yield "Audit-Id", request.audit_id
    before = [value for name, value in client_headers if name == "x-forwarded-for"]
    yield "X-Forwarded-For", ", ".join([*before, PEER_ADDRESS])
    yield "X-Forwarded-Host", host
    yield "X-Forwarded-Proto", "https"
    yield "X-Forwarded-Uri", quote(unquote(request.path), safe=PATH_SAFE)
    yield from front_proxy.identity_headers(request.user)
    if is_upgrade(client_headers):
        yield "Connection", "Upgrade"
        yield from ((name, value) for name, value in client_headers if name == "upgrade")


def _passes(name: str, listed: frozenset[str]) -> bool:
    return not (
        name in HOP_BY_HOP
        or name in OWN_HEADERS
        or name in listed
        or name.startswith(DROPPED_HEADER_PREFIXES)
    )


def connection_headers(headers: Pairs) -> frozenset[str]:
    """Return the headers that concern one connection, as its `Connection` says."""
    values = (value for name, value in headers if name == "connection")
    return frozenset(name.strip().lower() for value in values for name in value.split(","))


def is_upgrade(headers: Pairs) -> bool:
    """Whether a client wants to speak another protocol."""
    return "upgrade" in connection_headers(headers)

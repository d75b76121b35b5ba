"""A request for a WebSocket, as kube-apiserver recognises it,
and the subprotocols that it offers (FK-140, FK-390).
"""

from __future__ import annotations

Headers = tuple[tuple[str, str], ...]
PROTOCOL = "sec-websocket-protocol"
BEARER = "base64url.bearer.authorization.k8s.io."
"""What a subprotocol begins with whose rest is a bearer token: a browser can set no other header."""


def is_upgrade(headers: Headers) -> bool:
    """Whether the client asks for a WebSocket. Header names are lower case."""
    first = next((value for name, value in headers if name == "upgrade"), "")
    return first.lower() == "websocket" and any(
        name == "connection" and "upgrade" in value.lower() for name, value in headers
    )


def subprotocols(headers: Headers) -> tuple[str, ...]:
    """Return the subprotocols of the first header that offers any: Go reads no further one."""
    first = next((value for name, value in headers if name == PROTOCOL), "").strip()
    return tuple(protocol.strip() for protocol in first.split(",")) if first else ()


def bearer_protocols(headers: Headers) -> tuple[str, ...]:
    """Return the subprotocols of all headers that stand for a token."""
    return tuple(protocol for protocol in _every(headers) if protocol.startswith(BEARER))


def other_protocols(headers: Headers) -> tuple[str, ...]:
    """Return the subprotocols of all headers that stand for themselves."""
    return tuple(protocol for protocol in _every(headers) if not protocol.startswith(BEARER))


def without_token(headers: Headers) -> Headers:
    """Return the headers for another server, which the token is not meant for."""
    if not bearer_protocols(headers):
        return headers
    rest = ",".join(other_protocols(headers))
    return (
        *((name, value) for name, value in headers if name != PROTOCOL),
        *(((PROTOCOL, rest),) if rest else ()),
    )


def _every(headers: Headers) -> list[str]:
    return [text.strip() for name, value in headers if name == PROTOCOL for text in value.split(",")]

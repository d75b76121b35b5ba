"""Requests for another protocol, with what follows them."""

from ..conversation import Conversation
from ..requests import CONFIG_MAPS, config_map, request
from .shape import EVERYWHERE, Shape

PROTOCOLS = (b"h2c", b"websocket", b"SPDY/3.1", b"TLS/1.0", b"x", b"")
SMUGGLED = "smuggled"
"""The first part of the names of objects that must never come to be."""


def with_body(site, random):
    """A request whose body is a request, and that asks for an upgrade which is not served."""
    inner = request(site, "POST", CONFIG_MAPS, config_map(f"{SMUGGLED}-{random.randrange(10**9)}"))
    extra = b"Connection: Upgrade\r\nUpgrade: " + random.choice(PROTOCOLS) + b"\r\n"
    method, target = random.choice(
        (("POST", "/api/v1/namespaces"), ("GET", f"{CONFIG_MAPS}/target"), ("PUT", f"{CONFIG_MAPS}/target"))
    )
    return Conversation(parts=(request(site, method, target, inner, extra=extra),))


def connect(site, random):
    """CONNECT, well formed or not, with a request as its body."""
    inner = request(site, "POST", CONFIG_MAPS, config_map(f"{SMUGGLED}-{random.randrange(10**9)}"))
    target = random.choice(
        ("127.0.0.1:1", "/api/v1/pods", "*", "", "[::1]:x", "a" * 3000, "127.0.0.1:99999999999")
    )
    length = f"Content-Length: {len(inner)}\r\n".encode()
    extra = random.choice((b"", length, length + b"Connection: Upgrade\r\nUpgrade: h2c\r\n"))
    body = inner if extra else b""
    return Conversation(
        parts=(request(site, "CONNECT", target, extra=extra) + body,), is_whole=False, hold=0.3
    )


def many(site, random):
    """Hundreds of upgrade requests in one piece."""
    extra = b"Connection: Upgrade\r\nUpgrade: " + random.choice(PROTOCOLS) + b"\r\n"
    response = request(site, "GET", "/version", extra=extra)
    return Conversation(parts=(response * random.randint(100, 1500),))


SHAPES = (
    Shape("upgrade-with-body", with_body),
    Shape("connect", connect, EVERYWHERE),
    Shape("many-upgrades", many, EVERYWHERE),
)

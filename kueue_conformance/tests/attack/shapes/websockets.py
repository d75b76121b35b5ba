"""Watches over WebSockets: clients that flood them, read nothing, or send what is no frame."""

import base64

from ..conversation import Conversation
from ..requests import CONFIG_MAPS, request
from .shape import Shape

TEXT, BINARY, CLOSE, PING = 1, 2, 8, 9
MASK = b"\1\2\3\4"
BEARER = "base64url.bearer.authorization.k8s.io."


def frame(opcode, size, *, head=0x80, claimed=None):
    """Return a masked frame with a payload, which may claim to be longer than it is."""
    length = size if claimed is None else claimed
    if length < 126:
        bounds = bytes([head | opcode, 0x80 | length])
    elif length < 1 << 16:
        bounds = bytes([head | opcode, 0xFE]) + length.to_bytes(2, "big")
    else:
        bounds = bytes([head | opcode, 0xFF]) + length.to_bytes(8, "big")
    return bounds + MASK + b"x" * size


def open_request(site, *lines):
    """Return a request for a watch over a WebSocket."""
    head = [
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13",
    ]
    scheme = "https" if site.tls else "http"
    head += [f"Origin: {scheme}://127.0.0.1:{site.port}", *lines]
    return request(
        site, "GET", f"{CONFIG_MAPS}?watch=1", extra="".join(f"{line}\r\n" for line in head).encode()
    )


def flood(site, random):
    """Very many frames, whose answers are read or not."""
    size = random.choice((0, 1, 125))
    frames = frame(random.choice((PING, TEXT, BINARY)), size)
    return Conversation(
        parts=(open_request(site), frames * random.randint(1_000, 100_000)),
        reads=random.random() < 0.5,
        hold=random.uniform(0.1, 1.0),
        connections=random.randint(1, 4),
    )


def large(site, random):
    """One message of many megabytes, in one frame or in fragments without end."""
    size = random.choice((1 << 16, 1 << 20, 4 << 20))
    pieces = [open_request(site), frame(TEXT, size, head=random.choice((0, 0x80)))]
    pieces += [frame(0, size, head=0) for _ in range(random.randint(0, 5))]
    return Conversation(parts=tuple(pieces), is_whole=False, hold=0.3)


def broken(site, random):
    """What is no frame, or promises what does not come."""
    garbage = random.choice(
        (
            random.randbytes(random.randint(1, 5_000)),
            frame(BINARY, 10, claimed=random.choice((1 << 20, 1 << 40, (1 << 63) - 1))),
            frame(CLOSE, 125),
            frame(PING, 200),
            frame(CLOSE, 1),
            frame(5, 3),
            frame(TEXT, 3, head=0xF0),
        )
    )
    return Conversation(
        parts=(open_request(site), garbage * random.randint(1, 50)),
        half_close=not site.tls and random.random() < 0.3,
    )


def offers(site, random):
    """Handshakes with thousands of subprotocols, or tokens that are none."""
    token = base64.urlsafe_b64encode(random.randbytes(random.randint(1, 20_000))).decode().rstrip("=")
    protocols = random.choice(
        (
            ",".join(["a"] * random.randint(1_000, 100_000)),
            f"{BEARER}{token}, x",
            ",".join([f"{BEARER}YQ"] * random.randint(2, 10_000)),
            BEARER + "!" * 50_000,
        )
    )
    return Conversation(parts=(open_request(site, f"Sec-WebSocket-Protocol: {protocols}"),))


SHAPES = (
    Shape("websocket-floods", flood),
    Shape("websocket-large-messages", large),
    Shape("websocket-broken-frames", broken),
    Shape("websocket-offers", offers),
)

"""A client of WebSockets that says exactly what a test wants it to say."""

from __future__ import annotations

import base64
import json
from contextlib import contextmanager

from wsproto.connection import CLIENT, Connection
from wsproto.events import CloseConnection, Message, Ping

from .raw import connect

KEY = "dGhlIHNhbXBsZSBub25jZQ=="
ACCEPT = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
"""The answer to the key, from RFC 6455."""
BEARER = "base64url.bearer.authorization.k8s.io."


class WebSocket:
    """One connection: the answer to the handshake, and what follows."""

    def __init__(self, link):
        self.link = link
        self.frames = Connection(CLIENT)
        self.head, self.events = b"", []
        self.ended = False

    def handshake(self, request):
        """Send a request, and read the head of its answer."""
        self.link.sendall(request)
        data = b""
        while b"\r\n\r\n" not in data and not self.ended:
            data += self._received()
        self.head, _, rest = data.partition(b"\r\n\r\n")
        if self.code == 101:
            self.frames.receive_data(rest)
        self.rest = rest

    @property
    def code(self):
        """The status of the answer."""
        return int(self.head.split(b" ", 2)[1])

    def header(self, name):
        """The value of a header of the answer, None without one."""
        lines = (line.partition(": ") for line in self.head.decode().split("\r\n"))
        return next((value for key, _, value in lines if key.lower() == name.lower()), None)

    def next(self):
        """Return the next event of the connection, None at its end."""
        while not self.events and not self.ended:
            self.events += self.frames.events()
            if not self.events and (data := self._received()):
                self.frames.receive_data(data)
        return self.events.pop(0) if self.events else None

    def message(self):
        """Return the next message whole: text as JSON, binary as bytes; None where another event comes."""
        pieces = []
        while isinstance(event := self.next(), Message):
            pieces.append(event.data)
            if event.message_finished:
                return json.loads("".join(pieces)) if isinstance(event.data, str) else b"".join(pieces)
        return None

    def watch_event(self):
        """Return the next event of a watch as (type, name or code), and what is neither at its end."""
        event = self.message() or {"type": "", "object": {}}
        shown = event["object"]
        return event["type"], shown.get("metadata", {}).get("name") or shown.get("code")

    def types(self, count):
        """Return the types of so many watch events."""
        return [self.message()["type"] for _ in range(count)]

    def ping(self, payload):
        """Send a ping and return the answer to it."""
        self.link.sendall(self.frames.send(Ping(payload)))
        return self.next().payload

    def close(self, code=1001):
        """Send a close."""
        self.link.sendall(self.frames.send(CloseConnection(code=code)))

    def _received(self):
        data = self.link.recv(65536)
        self.ended = not data
        return data


def ask(target, *headers, host, token="", key=KEY, version="13", origin="http://{}"):
    """Return the bytes of a request for a WebSocket."""
    lines = [
        f"GET {target} HTTP/1.1",
        f"Host: {host}",
        "Connection: keep-alive, Upgrade",
        "Upgrade: WebSocket",
        *([f"Authorization: Bearer {token}"] if token else []),
        *([f"Sec-WebSocket-Key: {key}"] if key else []),
        *([f"Sec-WebSocket-Version: {version}"] if version else []),
        *([f"Origin: {origin.format(host)}"] if origin else []),
        *headers,
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def as_subprotocol(token):
    """Return the subprotocol that stands for a token."""
    return BEARER + base64.urlsafe_b64encode(token.encode()).decode().rstrip("=")


@contextmanager
def open_socket(url, target, *headers, **options):
    """Yield a connection on which a WebSocket was asked for."""
    with connect(url) as link:
        socket = WebSocket(link)
        scheme, _, host = url.partition("://")
        socket.handshake(ask(target, *headers, host=host, **({"origin": f"{scheme}://{{}}"} | options)))
        yield socket

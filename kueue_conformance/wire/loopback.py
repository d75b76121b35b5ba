"""Requests to a server of this process: plain HTTP over one connection that is kept.

A scenario sends dozens of requests that are answered in less time than a client for strangers takes to send one.
"""

from __future__ import annotations

import select
import socket
import threading
from collections.abc import Mapping
from urllib.parse import urlsplit

import httptools

from ..errors import EnvironmentProblem

_SECONDS = 30.0
_CHUNK = 1 << 16


class Loopback:
    """A `Transport` to `http://HOST:PORT` that speaks with a bearer token; connects when first used, `close` ends it."""

    def __init__(self, url: str, token: str) -> None:
        where = urlsplit(url)
        self._address = where.hostname or "", where.port or 80
        self._always = f"Host: {where.netloc}\r\nAuthorization: Bearer {token}\r\n"
        self._socket: socket.socket | None = None
        self._alone = threading.Lock()

    def __call__(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes | None
    ) -> tuple[int, bytes]:
        """Send one request and return code and body of its answer. Raises EnvironmentProblem."""
        own = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        size = "" if body is None else f"Content-Length: {len(body)}\r\n"
        head = f"{method} {path} HTTP/1.1\r\n{self._always}{own}{size}\r\n"
        with self._alone:
            try:
                connection = self._socket = self._kept() or self._connected()
                connection.sendall(head.encode() + (body or b""))
                return _answer(connection)
            except OSError as problem:
                raise EnvironmentProblem(
                    f"the API server of this process does not answer: {problem}"
                ) from problem

    def close(self) -> None:
        """End the connection."""
        if self._socket is not None:
            self._socket.close()

    def _kept(self) -> socket.socket | None:
        """Return the connection unless the server has closed it meanwhile: it says nothing else unasked."""
        if self._socket is None or not _readable(self._socket):
            return self._socket
        self._socket.close()
        return None

    def _connected(self) -> socket.socket:
        made = socket.create_connection(self._address, timeout=_SECONDS)
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return made


def _readable(connection: socket.socket) -> bool:
    look = select.poll()
    look.register(connection, select.POLLIN)
    return bool(look.poll(0))


def _answer(connection: socket.socket) -> tuple[int, bytes]:
    answer = _Answer()
    parser = httptools.HttpResponseParser(answer)
    while not answer.complete:
        data = connection.recv(_CHUNK)
        if not data:
            raise ConnectionResetError("it closed the connection")
        parser.feed_data(data)
    return int(parser.get_status_code()), b"".join(answer.body)


class _Answer:
    """What the parser tells of one answer."""

    def __init__(self) -> None:
        self.body: list[bytes] = []
        self.complete = False

    def on_body(self, part: bytes) -> None:
        """Collect a part of the body."""
        self.body.append(part)

    def on_message_complete(self) -> None:
        """Note that nothing more comes."""
        self.complete = True

"""Requests over sockets whose sending and reading are two steps, so that several are under way at once."""

from __future__ import annotations

import json
import select
import socket
import ssl
from urllib.parse import urlencode, urlsplit

HEAD_END = b"\r\n\r\n"
ANSWER_SECONDS = 20.0


class LostAnswer(Exception):
    """The connection ended before the answer: whether the request took effect is not known."""


class Address:
    """Where a server is, and how it knows the client."""

    def __init__(self, url: str, token: str, context: ssl.SSLContext | None = None) -> None:
        self.url, self.token, self.context = urlsplit(url), token, context

    def connect(self) -> socket.socket:
        connection = socket.create_connection((self.url.hostname, self.url.port), timeout=ANSWER_SECONDS)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return self.context.wrap_socket(connection) if self.context else connection

    def send(self, method: str, path: str, query: dict[str, str], body: object = None) -> socket.socket:
        """Send a request and return the connection on which its answer comes."""
        content = b"" if body is None else json.dumps(body).encode()
        kind = "application/merge-patch+json" if method == "PATCH" else "application/json"
        lines = [
            f"{method} {path}{'?' + urlencode(query) if query else ''} HTTP/1.1",
            f"Host: {self.url.hostname}",
            f"Authorization: Bearer {self.token}",
            f"Content-Type: {kind}",
            f"Content-Length: {len(content)}",
            "Connection: close",
        ]
        connection = self.connect()
        connection.sendall("\r\n".join(lines).encode() + HEAD_END + content)
        return connection


class Answer:
    """An answer that is read bit by bit: its head, then the chunks or the rest of its body."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        connection.setblocking(False)
        self._unread = b""
        self.code = 0
        self._is_chunked = False
        self.body = b""
        self.is_over = False

    def read(self, seconds: float) -> None:
        """Take what has come, or what comes within so many seconds."""
        while not self.is_over:
            try:
                data = self._connection.recv(65536)
            except (BlockingIOError, ssl.SSLWantReadError):
                if not select.select([self._connection], [], [], seconds)[0]:
                    return
                continue
            except OSError:
                data = b""
            self._take(data)

    def _take(self, data: bytes) -> None:
        if not data:
            self.close()
            return
        self._unread += data
        if not self.code:
            head, end, rest = self._unread.partition(HEAD_END)
            if not end:
                return
            self.code, self._unread = int(head.split(b" ", 2)[1]), rest
            self._is_chunked = b"transfer-encoding: chunked" in head.lower()
        if not self._is_chunked:
            self.body, self._unread = self.body + self._unread, b""
            return
        while (line_end := self._unread.find(b"\r\n")) >= 0:
            size = int(self._unread[:line_end], 16)
            if len(self._unread) < line_end + 4 + size:
                return
            self.body += self._unread[line_end + 2 : line_end + 2 + size]
            self._unread = self._unread[line_end + 4 + size :]
            if size == 0:
                self.close()
                return

    def close(self) -> None:
        """Read nothing any more."""
        self.is_over = True
        self._connection.close()

    def json(self) -> tuple[int, dict]:
        """Return the code and the body of a whole answer. Raises LostAnswer."""
        try:
            return self.code, json.loads(self.body)
        except ValueError:
            raise LostAnswer from None

    def take_lines(self) -> list[dict]:
        """Return the whole lines of the body that were not taken yet."""
        *lines, self.body = self.body.split(b"\n")
        return [json.loads(line) for line in lines]

"""HTTP/1.1 messages as values: a request as it arrived, a response head as bytes (FK-007, FK-009)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from email.utils import formatdate
from functools import cache, lru_cache
from http import HTTPStatus
from urllib.parse import unquote_plus

from msgspec import Struct, field

from .client_certificate import ANONYMOUS_PEER, ClientCertificate

MALFORMED_ESCAPE = re.compile("%(?![0-9A-Fa-f]{2})")
Pairs = tuple[tuple[str, str], ...]


class ArrivedRequest(Struct, frozen=True, kw_only=True):
    """One request as it came in. Header names are lower case and may repeat."""

    method: str
    target: str
    headers: Pairs = ()
    body: bytes = b""
    keep_alive: bool = True
    peer: ClientCertificate = field(default=ANONYMOUS_PEER)

    @property
    def path(self) -> str:
        """The path as it was sent; its segments are decoded where they are read."""
        return self.target.partition("?")[0]

    @property
    def query(self) -> Pairs:
        """The decoded parameters in order."""
        return tuple(_parameters(self.target.partition("?")[2]))

    def header(self, name: str) -> str | None:
        """Return the first value of a header."""
        return next((value for key, value in self.headers if key == name), None)

    def all(self, name: str) -> tuple[str, ...]:
        """Return every value of a header."""
        return tuple(value for key, value in self.headers if key == name)


def _parameters(query: str) -> Iterable[tuple[str, str]]:
    """Yield decoded parameters; as in Go, one that is not well formed is dropped and the others are kept."""
    for parameter in query.split("&"):
        if not parameter or ";" in parameter:
            continue
        name, _, value = parameter.partition("=")
        if "%" not in parameter and "+" not in parameter:
            # A client may send a hundred thousand of them.
            yield name, value
        elif not MALFORMED_ESCAPE.search(parameter):
            yield unquote_plus(name), unquote_plus(value)


def head(
    code: int, headers: Iterable[tuple[str, str]], *, current_time: float, keep_alive: bool = True
) -> bytes:
    """Encode a status line and headers; `Date` and `Connection: close` are added."""
    lines = [f"HTTP/1.1 {code} {_phrase(code)}", *(f"{name}: {value}" for name, value in headers)]
    # Go's server sends a date with every answer, and clients measure their clocks by it.
    lines.append(f"Date: {_date(int(current_time))}")
    if not keep_alive:
        lines.append("Connection: close")
    return ("\r\n".join(lines) + "\r\n\r\n").encode("utf-8", "replace")


def chunk(data: bytes) -> bytes:
    """Frame a chunk of a chunked body."""
    return b"%x\r\n%b\r\n" % (len(data), data)


LAST_CHUNK = b"0\r\n\r\n"
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


def plain(status_line: str) -> bytes:
    """Return the answer to bytes that are no request, which ends the connection."""
    kind = "Content-Type: text/plain; charset=utf-8"
    return f"HTTP/1.1 {status_line}\r\n{kind}\r\nConnection: close\r\n\r\n{status_line}".encode()


MALFORMED = plain("400 Bad Request")
HEAD_TOO_LARGE = plain("431 Request Header Fields Too Large")


@lru_cache(maxsize=16)
def _date(second: int) -> str:
    return formatdate(second, usegmt=True)


@cache
def _phrase(code: int) -> str:
    try:
        return HTTPStatus(code).phrase
    except ValueError:
        return "Unknown"

"""HTTP/1.1 between bytes and values: heads are parsed strictly,
answers get what frames their bodies and nothing else.

What two programs on the way could read in different ways (two lengths, a folded header, a bare control
character) is an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.utils import formatdate
from http import HTTPStatus
from typing import Final

from .exchange import Headers, Response

PIECE_BYTES: Final = 1 << 18
_TOKEN: Final = rb"[!#$%&'*+\-.^_`|~0-9A-Za-z]+"
_REQUEST_LINE: Final = re.compile(rb"(" + _TOKEN + rb") ([\x21-\x7e\x80-\xff]+) HTTP/1\.([01])")
_HEADER: Final = re.compile(rb"(" + _TOKEN + rb"):[ \t]*([^\x00-\x08\x0a-\x1f\x7f]*)")
_LENGTH: Final = re.compile(r"[0-9]{1,18}")
_CHUNK: Final = re.compile(rb"([0-9A-Fa-f]{1,15})[ \t]*(?:;[^\r\n]*)?\r\n")
_BREAKS: Final = re.compile(r"[\r\n\0]")


class FramingError(Exception):
    """A request that is refused before a handler sees it,
    with the code of the answer; the connection ends with it.
    """

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestHead:
    """The head of a request, and how its body is framed: in chunks when `length` is None."""

    method: str
    target: str
    headers: Headers
    length: int | None
    waits_to_continue: bool
    closes: bool
    """The connection ends after the answer."""

    @classmethod
    def parse(cls, raw: bytes) -> RequestHead:
        """Read a head that ends in an empty line. Raises FramingError."""
        line, *lines = raw.removesuffix(b"\r\n\r\n").split(b"\r\n")
        match = _REQUEST_LINE.fullmatch(line)
        if match is None:
            raise FramingError(400, "malformed request line")
        method, target, minor = match.groups()
        headers = tuple(_header(line) for line in lines)
        is_current = minor == b"1"
        _check_host(_values(headers, "host"), required=is_current)
        tokens = {
            token.strip().lower() for value in _values(headers, "connection") for token in value.split(",")
        }
        return cls(
            method=method.decode("ascii"),
            target=_text(target),
            headers=headers,
            length=_length(headers),
            waits_to_continue=is_current and _waits_to_continue(_values(headers, "expect")),
            closes=not is_current or "close" in tokens,
        )


def chunk_size(line: bytes) -> int:
    """Read the line before a chunk. Raises FramingError."""
    names = _CHUNK.fullmatch(line)
    if names is None:
        raise FramingError(400, "malformed chunk")
    return int(names[1], 16)


def answer(response: Response, *, method: str, closes: bool) -> Iterator[bytes | memoryview]:
    """Yield the bytes of an answer to a request with this method,
    in pieces short enough to be encrypted one by one.
    """
    body = b"" if response.code in {204, 304} else response.body
    names = {name.lower() for name, _ in response.headers}
    framing = [("Date", formatdate(usegmt=True))]
    if response.code not in {204, 304}:
        framing.append(("Content-Length", str(len(body))))
    if closes:
        framing.append(("Connection", "close"))
    headers = [*response.headers, *(pair for pair in framing if pair[0].lower() not in names)]
    # A line break inside of a value would begin another header.
    lines = "".join(f"{_BREAKS.sub(' ', name)}: {_BREAKS.sub(' ', value)}\r\n" for name, value in headers)
    head = f"HTTP/1.1 {response.code} {_phrase(response.code)}\r\n{lines}\r\n".encode()
    shown = memoryview(b"" if method == "HEAD" else body)
    yield head + shown[:PIECE_BYTES]
    for start in range(PIECE_BYTES, len(shown), PIECE_BYTES):
        yield shown[start : start + PIECE_BYTES]


def refusal(error: FramingError) -> Response:
    """Return the answer to a request that is no request."""
    status = f"{error.code} {_phrase(error.code)}"
    return Response(
        code=error.code,
        headers=(("Content-Type", "text/plain; charset=utf-8"),),
        body=f"{status}: {error}".encode(),
    )


def _header(line: bytes) -> tuple[str, str]:
    match = _HEADER.fullmatch(line)
    if match is None:
        raise FramingError(400, "malformed header")
    return match[1].decode("ascii").lower(), _text(match[2].rstrip(b" \t"))


def _values(headers: Headers, name: str) -> list[str]:
    return [value for header, value in headers if header == name]


def _text(raw: bytes) -> str:
    """Decode as Go prints strings into JSON: bytes that are no UTF-8 become U+FFFD."""
    return raw.decode("utf-8", "replace")


def _check_host(hosts: list[str], *, required: bool) -> None:
    if len(hosts) > 1:
        raise FramingError(400, "too many Host headers")
    if required and not hosts:
        raise FramingError(400, "missing required Host header")


def _length(headers: Headers) -> int | None:
    codings, lengths = _values(headers, "transfer-encoding"), _values(headers, "content-length")
    if codings:
        if [coding.lower() for coding in codings] != ["chunked"]:
            raise FramingError(400, "unsupported transfer encoding")
        if lengths:
            raise FramingError(400, "both Transfer-Encoding and Content-Length")
        return None
    if len(lengths) > 1 or any(not _LENGTH.fullmatch(length) for length in lengths):
        raise FramingError(400, "bad Content-Length")
    return int(lengths[0]) if lengths else 0


def _waits_to_continue(expected: list[str]) -> bool:
    if any(expectation.lower() != "100-continue" for expectation in expected):
        raise FramingError(417, "unsupported expectation")
    return bool(expected)


def _phrase(code: int) -> str:
    try:
        return HTTPStatus(code).phrase
    except ValueError:
        return f"status code {code}"

"""One request and its answer on a connection to another server."""

from __future__ import annotations

import asyncio
import zlib
from typing import Any
from urllib.parse import SplitResult

import httptools

from ...api.outcome import Call, CallResult

LIMIT = 64 * 1024 * 1024
"""The greatest answer that is read."""
PIECE = 65536


class Cut(Exception):
    """The other side closed the connection; the text says how far it had come."""


class TooLarge(Exception):
    """The answer does not fit into memory that anybody wants to spend on it."""


class Malformed(Exception):
    """The answer is no HTTP."""

    def __init__(self, line: bytes) -> None:
        super().__init__(line)
        self.line = line


class Exchange:
    """Writes a request, then collects the answer while it is parsed."""

    def __init__(self, call: Call, url: SplitResult) -> None:
        self._call = call
        self._url = url
        self._headers: list[tuple[str, str]] = []
        self._body = bytearray()
        self._began = self._complete = False
        self._unpacking = not any(name.lower() == "accept-encoding" for name in call.headers)
        """Whether packed answers are a matter between the two servers, because the caller said nothing about them."""
        self._parser: Any = httptools.HttpResponseParser(self)

    @property
    def keep_alive(self) -> bool:
        """Whether the connection is good for another request."""
        return self._complete and bool(self._parser.should_keep_alive())

    async def run(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> CallResult:
        """Exchange request and answer. Raises Cut, TooLarge, Malformed, OSError."""
        writer.write(self._encoded())
        while not self._complete:
            data = await reader.read(PIECE)
            if not data:
                self._ended()
                break
            self._feed(data)
            if len(self._body) > LIMIT:
                raise TooLarge
        packed = self._unpacking and ("content-encoding", "gzip") in self._headers
        body = _unpacked(bytes(self._body)) if packed else bytes(self._body)
        return CallResult(code=self._parser.get_status_code(), headers=tuple(self._headers), body=body)

    def _feed(self, data: bytes) -> None:
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserError as error:
            raise Malformed(data) from error

    def _ended(self) -> None:
        """Judge the end of the connection: an answer without a length ends with it."""
        if not self._began:
            raise Cut("EOF")
        lengths = {"content-length", "transfer-encoding"}
        if any(name in lengths for name, _ in self._headers):
            raise Cut("unexpected EOF")

    def _encoded(self) -> bytes:
        call, url = self._call, self._url
        target = (url.path or "/") + (f"?{url.query}" if url.query else "")
        headers = {"Host": url.netloc, "Content-Length": str(len(call.body)), **call.headers}
        if self._unpacking:
            headers["Accept-Encoding"] = "gzip"
        lines = [f"{call.method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
        return ("\r\n".join(lines) + "\r\n\r\n").encode() + call.body

    # What the parser calls.

    def on_status(self, status: bytes) -> None:
        """Note that an answer has begun."""
        del status
        self._began = True

    def on_header(self, name: bytes, value: bytes) -> None:
        """Collect a header."""
        self._headers.append((name.decode("latin-1").lower(), value.decode("utf-8", "replace")))

    def on_body(self, body: bytes) -> None:
        """Collect the body."""
        self._body += body

    def on_message_complete(self) -> None:
        """Note that all is there."""
        self._complete = True


def _unpacked(body: bytes) -> bytes:
    """Return the content of a packed answer. Raises TooLarge, or Cut for what is no gzip."""
    unpacker = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        content = unpacker.decompress(body, LIMIT)
    except zlib.error as error:
        raise Cut("gzip: invalid header") from error
    if unpacker.unconsumed_tail:
        raise TooLarge
    if not unpacker.eof:
        raise Cut("unexpected EOF")
    return content

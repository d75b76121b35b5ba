"""Performs a Call: one HTTP(S) request to a webhook or an extension server, on a connection of its own."""

from __future__ import annotations

import asyncio
import ssl
from typing import Any
from urllib.parse import urlsplit

import httptools

from ..api.outcome import Call, CallResult


class _Answer:
    """Collects a response while it is parsed."""

    def __init__(self) -> None:
        self.body: list[bytes] = []
        self.complete = False

    def on_body(self, body: bytes) -> None:
        self.body.append(body)

    def on_message_complete(self) -> None:
        self.complete = True


async def perform(call: Call) -> CallResult:
    """Send the request and return the answer, or the text of why there is none."""
    try:
        async with asyncio.timeout(call.timeout):
            return await _exchange(call)
    except TimeoutError:
        return CallResult(error="context deadline exceeded")
    except OSError as error:
        host = urlsplit(call.url).netloc
        return CallResult(error=f"dial tcp {host}: connect: {(error.strerror or str(error)).lower()}")
    except httptools.HttpParserError as error:
        return CallResult(error=f"malformed HTTP response: {error}")


async def _exchange(call: Call) -> CallResult:
    url = urlsplit(call.url)
    secure = _context(call.ca) if url.scheme == "https" else None
    port = url.port or (443 if secure else 80)
    reader, writer = await asyncio.open_connection(url.hostname, port, ssl=secure)
    try:
        writer.write(_encoded(call, url.netloc, url.path + (f"?{url.query}" if url.query else "")))
        return await _read(reader)
    finally:
        writer.close()


def _context(ca: bytes | None) -> ssl.SSLContext:
    return ssl.create_default_context(cadata=ca.decode() if ca else None)


def _encoded(call: Call, host: str, target: str) -> bytes:
    headers = {"Host": host, "Content-Length": str(len(call.body)), "Connection": "close", **call.headers}
    lines = [f"{call.method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + call.body


async def _read(reader: asyncio.StreamReader) -> CallResult:
    answer = _Answer()
    parser: Any = httptools.HttpResponseParser(answer)
    while not answer.complete and (data := await reader.read(65536)):
        parser.feed_data(data)
    if not answer.complete and not answer.body:
        return CallResult(error="EOF")
    return CallResult(code=parser.get_status_code(), body=b"".join(answer.body))

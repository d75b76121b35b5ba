"""HTTP/1.1 requests out of the bytes of one connection (FK-005, FK-007).

The parser takes an offer of another protocol (`Upgrade`, and any CONNECT) for the end of HTTP and leaves the
body unread. A body belongs to its request all the same, so it is read by a parser that is shown the same
framing without the offer.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable
from typing import Any, Literal

import httptools

from .bad_requests import NotATargetError, origin, refusal_of
from .client_certificate import ANONYMOUS_PEER, ClientCertificate
from .message import CONTINUE, HEAD_TOO_LARGE, MALFORMED, ArrivedRequest

MAX_BODY_BYTES = 3 * 1024 * 1024 + 1
"""One byte more than the body limit of FK-013, so that the gate can tell; the rest is read and dropped."""
MAX_HEAD_BYTES = 1024 * 1024 + 4096
"""Bytes of request line and headers that a client may send, as in Go's server; trailers and chunk extensions
have the same limit.
"""
FRAMING_HEADERS = frozenset({"connection", "content-length", "transfer-encoding"})
"""The headers that say where a body ends, and whether another request follows it."""
Phase = Literal["head", "body", "idle"]
STAND_IN_METHOD = b"TRACE"
METHOD_NAME = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}) ")


class RequestReader:
    """Feeds the parser, which calls back for each part of a request. `now` tells the loop's time."""

    def __init__(self, current_time: Callable[[], float]) -> None:
        self.peer: ClientCertificate = ANONYMOUS_PEER
        self.complete: deque[ArrivedRequest | bytes] = deque()
        """What is to be answered in order; bytes are an answer themselves,
        to what is no request or is still to come.
        """
        self.ended = False
        """Whether further bytes are dropped: the connection ends after the complete requests."""
        self.phase: Phase = "head"
        self.since = current_time()
        """When the message began that is being read."""
        self._current_time = current_time
        self._parser: Any = httptools.HttpRequestParser(self)
        self._bodiless = 0
        """Bytes of the message that came since its beginning, or since the last piece of its body."""
        self._reset()

    def _reset(self) -> None:
        self._target, self._headers, self._body, self._size = b"", [], [], 0  # type: ignore[var-annotated]
        self._method = ""
        """The method of the message, where the parser was shown another one."""
        self._unread_body = False
        """Whether the parser stopped before the body."""

    def feed(self, data: memoryview) -> memoryview:
        """Read requests and return what was not read: what follows a request that offers another protocol may
        be of that one.
        """
        begins = self.phase == "idle" or not self._bodiless
        rest = data[len(data) :]
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade as upgrade:
            # What follows an offer may be of the other protocol; only the handler knows whether it is
            # taken.
            rest = data[upgrade.args[0] :]
            self._past_upgrade()
        except httptools.HttpParserError:
            method = unknown_method(data) if begins else ""
            if method and not self.complete:
                self._parser = httptools.HttpRequestParser(self)
                self._reset()
                self._method = method
                return memoryview(with_stand_in_method(data, method))
            self.refuse(MALFORMED)
        if self.phase != "idle":
            self._bodiless += len(data) - len(rest)
            if self._bodiless > MAX_HEAD_BYTES:
                self.refuse(HEAD_TOO_LARGE)
        return rest

    def refuse(self, answer: bytes) -> None:
        """Read no more: the bytes are no request, or too long a one."""
        if not self.ended:
            self.complete.append(answer)
            self.ended = True

    def forget(self) -> None:
        """Part from the parser: it knows its reader, and apart they are freed at once."""
        self.complete.clear()
        # The parser knows its reader: apart both are freed without the collector.
        self._parser = None

    def _past_upgrade(self) -> None:
        """Go on after a head that offers another protocol, with its body if it has one."""
        stopped_parser = self._parser
        self._parser = httptools.HttpRequestParser(self)
        if not self._unread_body:
            return
        method, target, headers = self._method or _method(stopped_parser), self._target, self._headers
        self._reset()
        try:
            self._parser.feed_data(_framing(headers, stopped_parser.get_http_version()))
        except httptools.HttpParserError:
            self.refuse(MALFORMED)
        self._method, self._target, self._headers = method, target, headers

    # What the parser calls.

    def on_message_begin(self) -> None:
        """Begin to wait for the end of a head."""
        self.phase, self.since, self._bodiless = "head", self._current_time(), 0

    def on_url(self, url: bytes) -> None:
        """Collect the request's target."""
        self._target += url

    def on_header(self, name: bytes, value: bytes) -> None:
        """Collect a header; trailers, which come behind the body, count for nothing."""
        if self.phase == "head":
            self._headers.append((name.decode("latin-1").lower(), value.decode("utf-8", "replace")))

    def on_headers_complete(self) -> None:
        """Go on with the body; tell a client to go on that waits to be told."""
        self.phase = "body"
        self._unread_body = self._parser.should_upgrade() and _has_body(self._headers)
        expectation = next((value for name, value in self._headers if name == "expect"), "")
        if expectation.lower() == "100-continue" and not self.ended:
            self.complete.append(CONTINUE)

    def on_body(self, body: bytes) -> None:
        """Collect the body as far as it counts."""
        if self._size < MAX_BODY_BYTES:
            self._body.append(body[: MAX_BODY_BYTES - self._size])
        self._size += len(body)
        self._bodiless = 0

    def on_message_complete(self) -> None:
        """Note a request as complete, unless there is something against it."""
        if self._unread_body:
            return
        self.phase = "idle"
        headers = tuple(self._headers)
        method = self._method or _method(self._parser)
        if refusal := refusal_of(method, self._parser.get_http_version(), self._target, headers):
            self.refuse(refusal)
            return
        try:
            target = origin(method, self._target)
        except NotATargetError:
            self.refuse(MALFORMED)
            return
        keep_alive = self._parser.should_keep_alive()
        body = b"".join(self._body)
        if not self.ended:
            self.complete.append(
                ArrivedRequest(
                    method=method,
                    target=target,
                    headers=headers,
                    body=body,
                    keep_alive=keep_alive,
                    peer=self.peer,
                )
            )
        self.ended = self.ended or not keep_alive
        self._reset()


def _method(parser: Any) -> str:
    return str(parser.get_method().decode("ascii"))


def _has_body(headers: list[tuple[str, str]]) -> bool:
    """Whether a body follows a head; `Content-Length: 0` promises none."""
    return any(
        name == "transfer-encoding" or (name == "content-length" and value.strip("0"))
        for name, value in headers
    )


def _framing(headers: list[tuple[str, str]], version: str) -> bytes:
    """Return a head whose body ends where that of the given headers does."""
    lines = [f"{STAND_IN_METHOD.decode()} / HTTP/{version}"]
    lines += [f"{name}: {value}" for name, value in headers if name in FRAMING_HEADERS]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def unknown_method(data: memoryview) -> str:
    """Return the method that a message begins with when it is
    a name and the parser does not take it; empty otherwise.
    """
    method = METHOD_NAME.match(data)
    if method is None:
        return ""
    try:
        # Asked with a fresh parser: the connection's own one has failed already.
        httptools.HttpRequestParser(None).feed_data(bytes(method[0]) + b"/ HTTP/1.1\r\n\r\n")
    except httptools.HttpParserUpgrade:
        return ""
    except httptools.HttpParserError:
        return bytes(method[1]).decode("ascii")
    return ""


def with_stand_in_method(data: memoryview, method: str) -> bytes:
    """Return a message with a method that the parser knows."""
    return STAND_IN_METHOD + bytes(data[len(method) :])

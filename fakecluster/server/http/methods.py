"""Methods that the parser of HTTP does not know, or knows from other protocols: it is shown another one in
their place (FK-005).
"""

from __future__ import annotations

import re

import httptools

STAND_IN = b"TRACE"
NAME = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}) ")


def unknown(data: memoryview) -> str:
    """Return the method that a message begins with when it is
    a name and the parser does not take it; empty otherwise.
    """
    method = NAME.match(data)
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
    return STAND_IN + bytes(data[len(method) :])

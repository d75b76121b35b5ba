"""Methods that the parser of HTTP does not know: it is shown another one in their place (FK-005)."""

from __future__ import annotations

import re

import httptools

STAND_IN = b"TRACE"
NAME = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}) ")


def unknown(data: bytes) -> str:
    """Return the method that a message begins with when it is a name and the parser knows none of that name; empty otherwise."""
    found = NAME.match(data)
    if found is None:
        return ""
    try:
        httptools.HttpRequestParser(None).feed_data(found[0] + b"/ HTTP/1.1\r\n\r\n")
    except httptools.HttpParserInvalidMethodError:
        return found[1].decode("ascii")
    except httptools.HttpParserError:
        return ""
    return ""


def replaced(data: bytes, method: str) -> bytes:
    """Return a message with a method that the parser knows."""
    return STAND_IN + data[len(method) :]

"""Requests that Go's HTTP server refuses before a handler sees them:
versions, hosts, paths, expectations (FK-007).
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from .message import MALFORMED, Pairs, plain

VERSIONS = frozenset({"1.0", "1.1"})
ESCAPE = re.compile(b"%(?![0-9A-Fa-f]{2})")
OTHER_VERSION = plain("505 HTTP Version Not Supported: unsupported protocol version")
NO_HOST = plain("400 Bad Request: missing required Host header")
EXPECTATION_FAILED = b"HTTP/1.1 417 Expectation Failed\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
TARGET_BYTES, FIELD_CHARACTERS = 256 * 1024, 64 * 1024
"""The longest request target, and the longest value of a header, that are read: each is parsed by several
parts of the server while others wait.
"""
TARGET_TOO_LONG = plain(f"414 URI Too Long: limit is {TARGET_BYTES} bytes")
FIELD_TOO_LONG = plain(
    f"431 Request Header Fields Too Large: limit is {FIELD_CHARACTERS} characters in a header"
)
KNOWN_EXPECTATIONS = frozenset({"", "100-continue"})
AUTHORITY = re.compile(r"([^@]*@)?(\[[^]]*\]|[^:\[\]]*)(:[0-9]*)?")
CONNECT = "CONNECT"


class NotATargetError(ValueError):
    """A request target that names neither a path nor an address."""


def refusal_of(method: str, version: str, target: bytes, headers: Pairs) -> bytes:
    """Return the answer to a request that is not one, empty when there is nothing against it."""
    if version not in VERSIONS:
        # HTTP/0.9 has no versions at all, so its requests are no HTTP for Go.
        return MALFORMED if version == "0.9" else OTHER_VERSION
    if len(target) > TARGET_BYTES:
        return TARGET_TOO_LONG
    if any(len(value) > FIELD_CHARACTERS for _, value in headers):
        return FIELD_TOO_LONG
    hosts = sum(1 for name, _ in headers if name == "host")
    # Go refuses both before a handler sees the request.
    if hosts > 1 or ESCAPE.search(target.partition(b"?")[0]):
        return MALFORMED
    # The target of a CONNECT is a host itself.
    if not hosts and version == "1.1" and method != CONNECT:
        return NO_HOST
    expected = next((value for name, value in headers if name == "expect"), "")
    return b"" if expected.lower() in KNOWN_EXPECTATIONS else EXPECTATION_FAILED


def origin(method: str, target: bytes) -> str:
    """Return path and query of a request target, which may be a whole address, or a host for CONNECT.

    Raises NotATargetError.
    """
    text = target.decode("utf-8", "replace")
    if text.startswith("/"):
        return text
    connecting = method == CONNECT
    try:
        address = urlsplit(f"//{text}" if connecting else text)
    except ValueError as error:
        raise NotATargetError(text) from error
    if connecting and not AUTHORITY.fullmatch(address.netloc):
        raise NotATargetError(text)
    # A path without its slash is taken as it is, and answered 404 later.
    if not connecting and not address.scheme:
        return text
    return address.path + (f"?{address.query}" if address.query else "")

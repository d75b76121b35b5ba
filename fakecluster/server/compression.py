"""Large answers are compressed for clients that accept it, as upstream does; watches never are (FK-010, S8)."""

from __future__ import annotations

import gzip

from msgspec.structs import replace

from ..api.outcome import Response

THRESHOLD = 128 * 1024
GZIP = ("Content-Encoding", "gzip")
VARY = ("Vary", "Accept-Encoding")


def compressed(response: Response, accept_encoding: str) -> Response:
    """Return the response, compressed when it is large and the client accepts gzip."""
    if len(response.body) <= THRESHOLD or not accepts(accept_encoding):
        return response
    return replace(
        response,
        body=gzip.compress(response.body, compresslevel=1, mtime=0),
        headers=(GZIP, VARY, *(one for one in response.headers if one != VARY)),
    )


def accepts(header: str) -> bool:
    """Return whether an Accept-Encoding header names gzip; one with a quality is not looked at."""
    return any(part.strip() == "gzip" for part in header.split(","))

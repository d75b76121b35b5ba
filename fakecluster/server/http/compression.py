"""Large answers are compressed for clients that accept it,
as upstream does; watches never are (FK-010, S8).
"""

from __future__ import annotations

import gzip
from collections.abc import Hashable

from msgspec.structs import replace

from ...api.outcome import Response

THRESHOLD = 128 * 1024
GZIP = ("Content-Encoding", "gzip")
# Caches between client and server must not give a packed answer to a client without gzip.
VARY = ("Vary", "Accept-Encoding")
MAX_COMPRESSED_ANSWERS = 8
"""Answers kept compressed before that begins anew: when many clients start they ask for the same lists."""


class Compressor:
    """Compresses the answers of one cluster; one that is asked for again was compressed before."""

    def __init__(self) -> None:
        self._packed: dict[Hashable, bytes] = {}

    def compress(self, response: Response, accept_encoding: str) -> Response:
        """Return the response, compressed when it is large and the client accepts gzip."""
        if not self.compresses(response, accept_encoding):
            return response
        headers = (GZIP, VARY, *(header for header in response.headers if header != VARY))
        return replace(response, body=self._body(response), headers=headers)

    def compresses(self, response: Response, accept_encoding: str) -> bool:
        """Tell whether a response is still to be compressed for a client:
        it is large, and gzip is accepted.
        """
        packed = GZIP in response.headers
        return not packed and len(response.body) > THRESHOLD and accepts(accept_encoding)

    def _body(self, response: Response) -> bytes:
        # Only answers with a tag come twice with the same bytes.
        if response.tag is None:
            return _pack(response.body)
        if (packed := self._packed.get(response.tag)) is None:
            if len(self._packed) >= MAX_COMPRESSED_ANSWERS:
                self._packed.clear()
            packed = self._packed[response.tag] = _pack(response.body)
        return packed


def accepts(header: str) -> bool:
    """Return whether an Accept-Encoding header names gzip; one with a quality is not looked at."""
    return any(coding.strip() == "gzip" for coding in header.split(","))


def _pack(body: bytes) -> bytes:
    # The fastest level, as upstream; without a time in its head, equal answers are equal bytes.
    return gzip.compress(body, compresslevel=1, mtime=0)

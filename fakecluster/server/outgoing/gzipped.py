"""Bodies that are packed between two servers: unpacked up to a limit."""

from __future__ import annotations

import zlib

from .answer import NoAnswerError
from .round_tripper import LIMIT, TOO_LARGE


def unpacked(body: bytes) -> bytes:
    """Return the content of a packed body. Raises NoAnswerError when it is too large, cut off or no gzip."""
    unpacker = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        content = unpacker.decompress(body, LIMIT)
    except zlib.error as error:
        raise NoAnswerError("gzip: invalid header") from error
    if unpacker.unconsumed_tail:
        raise NoAnswerError(TOO_LARGE)
    if not unpacker.eof:
        raise NoAnswerError("unexpected EOF")
    return content

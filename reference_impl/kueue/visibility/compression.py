"""Large answers are compressed for clients that accept gzip (VIS-228)."""

from __future__ import annotations

import asyncio
import zlib
from typing import Final

from ...runtime.serving.exchange import Request, Response
from .negotiation import MEDIA_TYPES

# Larger bodies are compressed; the real server looks at the first write, which is the
# whole document.
THRESHOLD_BYTES: Final = 128 * 1024
LEVEL: Final = 1
# Bytes that are compressed before the loop may do something else.
AT_ONCE_BYTES: Final = 1 << 18
_GZIP_WINDOW: Final = 16 + zlib.MAX_WBITS


async def compress(request: Request, response: Response) -> Response:
    """Compress an answer that is large enough for a client
    that accepts gzip, which q values do not take back.
    """
    if len(response.body) <= THRESHOLD_BYTES or not _is_wanted(request) or not _is_document(response):
        return response
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, _GZIP_WINDOW)
    chunks = []
    for start in range(0, len(response.body), AT_ONCE_BYTES):
        if start:
            # Compression holds the loop: other requests get a turn between two pieces.
            await asyncio.sleep(0)
        chunks.append(packer.compress(response.body[start : start + AT_ONCE_BYTES]))
    headers = (*response.headers, ("Content-Encoding", "gzip"), ("Vary", "Accept-Encoding"))
    return Response(code=response.code, headers=headers, body=b"".join((*chunks, packer.flush())))


def _is_wanted(request: Request) -> bool:
    # As the real server: `gzip;q=0` is no `gzip`, so a quality turns it off whatever it
    # is.
    return any(coding.strip() == "gzip" for coding in (request.header("accept-encoding") or "").split(","))


def _is_document(response: Response) -> bool:
    content_type = next((value for name, value in response.headers if name == "Content-Type"), "")
    return content_type.partition(";")[0] in MEDIA_TYPES

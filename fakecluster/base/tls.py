"""How event loops read TLS connections here."""

from __future__ import annotations

import ssl
from typing import Any

RECORD_BYTES = 16_384
"""The most that one TLS record holds, and so the most that one read returns (RFC 8446, 5.1)."""


class RecordReader(ssl.SSLObject):
    """A TLS connection that makes room for one record when it is read; `sslobject_class` of a context."""

    # The names are those of the base class.
    def read(self, len: int = RECORD_BYTES, buffer: Any = None) -> Any:  # noqa: A002
        """Return the bytes of one record, or write them to a buffer and return how many they are."""
        # Event loops ask for 256 KiB each time. That is mapped, cut and unmapped for each record, as large
        # blocks go back to the system here: 15 times the cost of reading a short one.
        return super().read(min(len, RECORD_BYTES), buffer)

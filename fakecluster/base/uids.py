"""Random identities: uids of objects, ids of requests, reviews and tokens (FK-009, FK-061)."""

from __future__ import annotations

from random import Random

_FIXED = 0xF000 << 64 | 0xC000 << 48
_VERSION_4 = 0x4000 << 64 | 0x8000 << 48


def uid(random: Random) -> str:
    """Return a UUID of version 4, as the standard library makes it from 128 random bits,
    in a tenth of its time.
    """
    # Version and variant are set in the number, which is cheaper than taking the text apart.
    text = f"{random.getrandbits(128) & ~_FIXED | _VERSION_4:032x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"

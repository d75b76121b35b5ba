"""The order in which requested resources are looked at (Q-161): by the 64-bit FNV-1a hash of the name."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

_OFFSET, _PRIME, _MASK = 0xCBF29CE484222325, 0x100000001B3, 0xFFFFFFFFFFFFFFFF


def sort_resources(resources: Iterable[str]) -> list[str]:
    """Sort resource names as the scheduler visits them."""
    return sorted(resources, key=lambda name: (_fnv1a(name), name))


@lru_cache(maxsize=256)
def _fnv1a(name: str) -> int:
    digest = _OFFSET
    for byte in name.encode():
        # Python's integers do not wrap at 64 bits as Go's uint64 does.
        digest = ((digest ^ byte) * _PRIME) & _MASK
    return digest

"""Shuffle sharding: a flow is dealt a hand of queues, so that few flows share all of theirs (FK-520)."""

from __future__ import annotations

from hashlib import sha256


def flow_hash(schema: str, distinguisher: str) -> int:
    """Return the number that stands for a flow; the same on every server."""
    # As upstream: the first eight bytes, little endian, so that a flow has the same hand everywhere.
    return int.from_bytes(sha256(f"{schema}\0{distinguisher}".encode()).digest()[:8], "little")


def hand(number: int, deck: int, size: int) -> list[int]:
    """Return `size` different cards out of `deck`, as a number shuffles them."""
    cards: list[int] = []
    remainders: list[int] = []
    for dealt in range(size):
        number, remainder = divmod(number, deck - dealt)
        card = remainder
        # A remainder counts the cards that are left; the earlier ones are counted back in.
        for earlier in reversed(remainders):
            card += card >= earlier
        remainders.append(remainder)
        cards.append(card)
    return cards

"""Shuffle sharding: each flow waits in a few of many queues,
so that two flows rarely share all of theirs (VIS-608).
"""

from __future__ import annotations

from hashlib import sha256


def hand(schema: str, flow: str, *, queues: int, size: int) -> tuple[int, ...]:
    """Return the indexes of `size` different queues, always the same ones for a flow of a schema."""
    number = int.from_bytes(sha256(f"{schema}\0{flow}".encode("utf-8", "surrogatepass")).digest())
    remaining = list(range(queues))
    chosen = []
    for _ in range(min(size, queues)):
        number, at = divmod(number, len(remaining))
        chosen.append(remaining.pop(at))
    return tuple(chosen)

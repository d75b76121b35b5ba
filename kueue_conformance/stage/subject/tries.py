"""What a program did after the faults that it met:
how often it tried again, and after which pauses (pure).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

from ...backends.faults import FaultHit
from ...history.story import Request

Disturbed = Literal["subject", "Kueue", "autoscaler"]
_CONFLICT = 409
_NOUNS = {"subject": "the subject", "Kueue": "Kueue", "autoscaler": "the autoscaler"}


def expect_tries(disturbed: Disturbed, times: int) -> str:
    """Return the expectation that so many requests of a program meet a fault."""
    noun = _NOUNS[disturbed]
    if times == 1:
        return f"a request of {noun} meets the fault"
    return f"{noun} tries again until {times} of its requests have met the fault"


def unrepeated_conflict(attempts: Sequence[Request]) -> Request | None:
    """Return the newest of a program's writes, where the API server refused it because the object had
    changed; None where it was answered otherwise.
    """
    return attempts[-1] if attempts and attempts[-1].code == _CONFLICT else None


def describe_tries(
    disturbed: Disturbed, hits: Sequence[FaultHit], now: float, conflict: Request | None = None
) -> str:
    """Return how many requests met a fault, or the API server's own `conflict`, and how long the program has
    not tried again since; times are seconds of the cluster.
    """
    noun = _NOUNS[disturbed]
    if not hits and conflict:
        return (
            f"none met it: the API server itself refused {conflict} before, and {noun} has waited"
            f" {_seconds(max(0.0, now - conflict.at))} without another try"
        )
    if not hits:
        return f"{noun} has sent no request that could meet it"
    newest = hits[-1]
    pauses = [later.at - earlier.at for earlier, later in pairwise(hits)]
    earlier = f"; the longest pause between its tries was {_seconds(max(pauses))}" if pauses else ""
    return (
        f"{len(hits)} met it; after the last, {newest.request} ({newest.effect}), {noun} has waited"
        f" {_seconds(max(0.0, now - newest.at))} without another try: its back-off is longer than that,"
        f" or it has given up{earlier}"
    )


def _seconds(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds >= 10 else f"{seconds:.1f} s"

"""The words of the scheduler for a pod that no node takes (FK-461)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from ...base.json_types import Json
from .filters import Rejection

NO_NODES = "no nodes available to schedule pods"
NO_CLAIMS = "no new claims to deallocate"
NEVER = "not eligible due to preemptionPolicy=Never."
NO_HELP = "Preemption is not helpful for scheduling"
NO_VICTIMS = "No preemption victims found for incoming pod"
NOTE_LIMIT, ELLIPSIS = 1024, " ..."
"""Characters of the note of an Event."""


def unschedulable(pod: Json, rejections: Sequence[Rejection]) -> str:
    """Word why none of the nodes takes a pod."""
    if not rejections:
        return NO_NODES
    # Equal reasons of several nodes are counted, as the scheduler's FitError does.
    reasons = _histogram(reason for rejection in rejections for reason in rejection.reasons)
    return f"{_none_of(rejections)}: {reasons}. {NO_CLAIMS}, preemption: {_preemption(pod, rejections)}"


def unready_claims(nodes: int, problem: str) -> str:
    """Word what keeps a pod from every node: one of its claims."""
    return f"0/{nodes} nodes are available: {problem}. not found"


def truncate(message: str) -> str:
    """Return as much of a message as the note of an Event holds."""
    # The note of an Event is limited by validation.
    return message if len(message) <= NOTE_LIMIT else message[: NOTE_LIMIT - len(ELLIPSIS)] + ELLIPSIS


def _preemption(pod: Json, rejections: Sequence[Rejection]) -> str:
    if pod["spec"].get("preemptionPolicy") == "Never":
        return NEVER
    outcomes = _histogram(NO_VICTIMS if rejection.resolvable else NO_HELP for rejection in rejections)
    return f"{_none_of(rejections)}: {outcomes}."


def _none_of(rejections: Sequence[Rejection]) -> str:
    return f"0/{len(rejections)} nodes are available"


def _histogram(reasons: Iterable[str]) -> str:
    # Sorted as texts with their numbers before them, as the scheduler does: 10 comes before 2.
    return ", ".join(sorted(f"{count} {reason}" for reason, count in Counter(reasons).items()))

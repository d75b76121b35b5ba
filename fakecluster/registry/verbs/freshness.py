"""Reads that must not be older than a revision: they wait for one that is still to come (FK-139)."""

from __future__ import annotations

from collections.abc import Callable

from ...api import deadlines, status
from ...api.outcome import Outcome, Pending, Reached
from ..action import Action

UNCACHED = frozenset({("", "events")})
"""Kinds that the real server reads from its database, which knows at once that it is not as far."""


def reached(action: Action, revision: int, proceed: Callable[[], Outcome]) -> Outcome:
    """Go on once the store is as far as the client has seen. Raises 504, or answers it, when that does not come to be."""
    store, patience = action.api.store, action.api.patience
    if revision <= store.revision:
        return proceed()
    cached = action.kind.stored_as not in UNCACHED
    allowed = deadlines.allowed(action.request, action.info)
    seconds = min(patience, allowed) if allowed > 0 else patience

    def late() -> Outcome:
        if revision <= store.revision:
            return proceed()
        if seconds < patience:
            return deadlines.late()
        raise status.too_large_revision(revision, store.revision, again=cached or action.info.verb == "watch")

    if not (cached and seconds):
        return late()
    return Pending(until=Reached(revision=revision, seconds=seconds), resume=lambda _: late())

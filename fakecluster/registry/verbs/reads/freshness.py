"""Reads that must not be older than a revision: they wait for one that is still to come (FK-139)."""

from __future__ import annotations

from ....api import deadlines, status
from ....api.outcome import Response
from ....api.steps import RevisionWait, Steps
from ...action import Action

UNCACHED_RESOURCES = frozenset({("", "events")})
"""Kinds that the real server reads from its database, which knows at once that it is not as far."""


def wait_for(action: Action, revision: int) -> Steps[Response | None]:
    """Wait until the store is as far as the client has seen; return the refusal where the client allows
    less time than that takes.

    Raises 504 where it does not come to be.
    """
    store, patience = action.api.store, action.api.patience
    # The usual case: the client has seen nothing newer.
    if revision <= store.revision:
        return None
    cached = action.kind.stored_as not in UNCACHED_RESOURCES
    allowed = deadlines.parse_timeout(action.request, action.info)
    seconds = min(patience, allowed) if allowed > 0 else patience
    # A kind that is not cached knows at once that the revision is not there.
    if cached and seconds:
        yield RevisionWait(revision=revision, seconds=seconds)
        if revision <= store.revision:
            return None
    # The client's own timeout is over first.
    if seconds < patience:
        return deadlines.timeout_response()
    raise status.too_large_revision(revision, store.revision, retry=cached or action.info.verb == "watch")

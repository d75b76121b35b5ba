"""The error and the messages of calls that an event loop cannot take."""

from __future__ import annotations

from typing import Final

CLUSTER_STOPPED: Final = "the cluster was stopped before that was done"
CALLED_ON_OWN_LOOP: Final = (
    "called from the cluster's own event loop, where waiting would never end: await the coroutine"
)


class NotRunning(RuntimeError):
    """There is no loop on which something could be done, or it ended before that was done."""

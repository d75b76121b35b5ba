"""Which ClusterQueues try their Workloads again when one gives quota back (Q-051, BUG-166)."""

from __future__ import annotations

from collections.abc import Callable

RetriedQueues = Callable[[str, str], set[str]]
"""Of the ClusterQueue of a Workload's LocalQueue, empty where that is stopped, and of the one whose quota
it held.
"""


def of_local_queue(local: str, _held: str) -> set[str]:
    """Return the ClusterQueue that the LocalQueue names now (BUG-166)."""
    return {local} - {""}


def of_quota(local: str, held: str) -> set[str]:
    """Return both: a Workload may wait in another queue than the one whose quota it holds."""
    return {local, held} - {""}

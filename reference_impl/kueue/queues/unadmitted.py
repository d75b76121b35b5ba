"""The gauges of Workloads that are not admitted, by cause (KV-17)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final, NamedTuple

from ...runtime.metrics import Registry
from ..workload import conditions as c
from ..workload.unreserved import UnreservedReason
from ..workload.view import Workload

BY_CLUSTER_QUEUE: Final = "kueue_unadmitted_workloads"
BY_LOCAL_QUEUE: Final = "kueue_local_queue_unadmitted_workloads"
_NO_RESERVATION: Final = "NoReservation"


class UnadmittedState(NamedTuple):
    """Where a Workload waits, the reason of its Admitted, and that of QuotaReserved while it has no quota."""

    local_queue: str
    namespace: str
    cluster_queue: str
    reason: str
    cause: str


def unadmitted_state(workload: Workload, cluster_queue: str) -> UnadmittedState | None:
    """Return the state of a Workload, None where it does not count or its ClusterQueue is unknown (pure)."""
    if not cluster_queue or workload.is_admitted or workload.is_finished or workload.is_deleting:
        return None
    admitted, reserved = workload.condition(c.ADMITTED), workload.condition(c.QUOTA_RESERVED)
    reason = admitted["reason"] if admitted else _NO_RESERVATION
    cause = reserved["reason"] if reserved else UnreservedReason.PENDING_EVALUATION.value
    # Once quota is reserved nothing about quota keeps the Workload back: the reason is that of the checks.
    if workload.has_quota_reservation:
        cause = ""
    return UnadmittedState(workload.queue_name, workload.namespace, cluster_queue, reason, cause)


class UnadmittedWorkloads:
    """Counts Workloads that are not admitted."""

    def __init__(self, metrics: Registry, cluster_queue_for: Callable[[str, str], tuple[str, bool]]) -> None:
        self._metrics = metrics
        self._cluster_queue_for = cluster_queue_for
        self._states: dict[str, UnadmittedState] = {}
        self._counts: Counter[tuple[str, ...]] = Counter()

    def workload(self, old: Workload | None, new: Workload | None) -> None:
        """Follow a Workload that was made, changed or deleted."""
        # Out with the state before, whatever has changed: a Workload counts in one series of each gauge.
        if old is not None and (before := self._states.pop(old.key, None)) is not None:
            self._count(before, -1)
        if new is None:
            return
        # Asked at each event: a LocalQueue may be made later than its Workloads, or move to another
        # ClusterQueue.
        cluster_queue, _ = self._cluster_queue_for(new.namespace, new.queue_name)
        state = unadmitted_state(new, cluster_queue)
        if state is not None:
            self._states[new.key] = state
            self._count(state, 1)

    def _count(self, state: UnadmittedState, change: int) -> None:
        for name, labels in (
            (BY_CLUSTER_QUEUE, (state.cluster_queue, state.reason, state.cause)),
            (BY_LOCAL_QUEUE, tuple(state)),
        ):
            self._counts[name, *labels] += change
            if count := self._counts[name, *labels]:
                self._metrics.set(name, *labels, value=count)
            else:
                # A series of nothing would stay for ever.
                del self._counts[name, *labels]
                self._metrics.remove(name, *labels)

"""Builds the snapshot that a decision reads, from the informers and from the queue manager."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

from reference_impl.api.resource import Json, Key
from reference_impl.kueue.checks.preemption_policy import ANYTIME, Policies
from reference_impl.runtime.store import Store

from .view import Workload
from .workload_context import (
    Feedback,
    Queues,
    QueueView,
    Reservations,
    ReservationState,
    WorkloadContext,
    with_cluster_queue,
)

DEFAULT_RETRY_MINUTES = 15


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldReader:
    """Builds the `World` of a Workload: the snapshot that a decision reads."""

    local_queues: Store
    cluster_queues: Store
    admission_checks: Store
    queues: Queues
    reservations: Reservations | None = None
    """Answers about reservations in a dialect that looks at them again (AC-449)."""
    feedback: Feedback | None = None
    """Answers of the scheduler in a dialect that names why quota is not reserved (KV-13, KV-14)."""

    def of(self, workload: Workload) -> WorkloadContext:
        """Return what a rule may know about the world around a Workload, as of now."""
        local_queue = self.local_queues.get(Key(workload.namespace, workload.queue_name))
        name, exists = self.queues.cluster_queue_for(workload.namespace, workload.queue_name)
        # A LocalQueue that the queue manager does not know, as a stopped one, hides its
        # ClusterQueue as well (C-22).
        cluster_queue = self.cluster_queues.get(Key("", name)) if exists else None
        world = WorkloadContext(
            local_queue=None if local_queue is None else QueueView.of(local_queue),
            cluster_queue_name=name,
            is_queue_known=exists,
            is_cluster_queue_active=exists and self.queues.is_active(name),
            retry_delays=self._retry_delays(workload),
            preemption_policies=self._preemption_policies(workload),
            outlook=self._outlook(workload),
        )
        if self.feedback is not None:
            world = replace(
                world,
                admissibility_problem=partial(self.feedback.admissibility_problem, workload, name),
                equivalent_failure=partial(self.feedback.equivalent_failure, workload),
            )
        return world if cluster_queue is None else with_cluster_queue(world, cluster_queue)

    def _outlook(self, workload: Workload) -> ReservationState:
        if self.reservations is None or not workload.has_quota_reservation:
            return ReservationState()
        return self.reservations.reservation_state(workload)

    def _preemption_policies(self, workload: Workload) -> Policies:
        """Return the policy of each listed check that is there (AC-442, AC-488)."""
        checks = self._checks(workload).items()
        return {name: _spec(check).get("preemptionPolicy") or ANYTIME for name, check in checks if check}

    def _retry_delays(self, workload: Workload) -> Mapping[str, float]:
        return {name: _minutes(check) * 60 for name, check in self._checks(workload).items()}

    def _checks(self, workload: Workload) -> Mapping[str, Json | None]:
        return {name: self.admission_checks.get(Key("", name)) for name in workload.checks.names}


def _minutes(check: Json | None) -> float:
    """Return the KEP's `retryDelayMinutes` (AC-451, AC-480)."""
    minutes = _spec(check).get("retryDelayMinutes")
    # Zero minutes are a value: `or` would replace them.
    return float(DEFAULT_RETRY_MINUTES if minutes is None else minutes)


def _spec(check: Json | None) -> Json:
    return (check or {}).get("spec") or {}

"""Reads the world around a Workload from the informers and from the queue side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from reference_impl.api.resource import Json, Key
from reference_impl.runtime.store import Store

from .view import Workload
from .world import Queues, QueueView, World, with_cluster_queue

DEFAULT_RETRY_MINUTES = 15


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """Where the state machine looks."""

    local_queues: Store
    cluster_queues: Store
    admission_checks: Store
    queues: Queues
    rechecks: bool = False
    """Whether the dialect asks again if a reservation is still valid (AC-449)."""

    def of(self, workload: Workload) -> World:
        """Return what a rule may know about the surroundings of a Workload, as of now."""
        local_queue = self.local_queues.get(Key(workload.namespace, workload.queue_name))
        name, known = self.queues.cluster_queue_for(workload.namespace, workload.queue_name)
        cluster_queue = self.cluster_queues.get(Key("", name)) if known else None
        world = World(
            local_queue=None if local_queue is None else QueueView.of(local_queue),
            cluster_queue_name=name,
            queue_known=known,
            cluster_queue_active=known and self.queues.is_active(name),
            retry_delays=self._retry_delays(workload),
            invalid_reservation=self._invalid_reservation(workload),
        )
        return world if cluster_queue is None else with_cluster_queue(world, cluster_queue)

    def _invalid_reservation(self, workload: Workload) -> str:
        if not self.rechecks or not workload.reserved or workload.admitted:
            return ""
        return self.queues.invalid_reservation(workload)

    def _retry_delays(self, workload: Workload) -> Mapping[str, float]:
        found = {name: self.admission_checks.get(Key("", name)) for name in workload.checks.names}
        return {name: _minutes(check) * 60 for name, check in found.items()}


def _minutes(check: Json | None) -> float:
    """Return the KEP's `retryDelayMinutes` (AC-451, AC-480)."""
    minutes = ((check or {}).get("spec") or {}).get("retryDelayMinutes")
    return float(DEFAULT_RETRY_MINUTES if minutes is None else minutes)

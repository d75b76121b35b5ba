"""The LocalQueue controller: status, written only when it changes (AC-432, AC-435…438, Q-377…Q-380)."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from ...api.kinds import LOCAL_QUEUES
from ...api.resource import Json, Key
from ...runtime.client import Client
from ...runtime.clock import Clock
from ...runtime.controller import RequeueAfter
from ...runtime.latest_objects import LatestObjects
from ...runtime.metrics import Registry
from ...runtime.store import Store
from ..queueing.queue_manager import QueueManager
from .rules import QueueRules
from .status import ACTIVE, local_queue_active, local_queue_status
from .usage_samples import METRIC, UsageSamples

ANSWERS = ("True", "False", "Unknown")


@dataclass(frozen=True, slots=True)
class LocalQueues:
    """Reconciles one LocalQueue at a time."""

    queue_manager: QueueManager
    client: Client
    clock: Clock
    metrics: Registry
    rules: QueueRules
    latest: LatestObjects
    cluster_queues: Store
    samples: UsageSamples | None = None
    """None where what a LocalQueue has used decides nothing."""

    async def reconcile(self, key: Key) -> RequeueAfter | None:
        """Bring the status in line with what the queue manager knows; come back when the next sample of its
        usage is due.
        """
        obj = self.latest.get(key)
        if obj is None:
            self._forget(key)
            return None
        spec = obj.get("spec") or {}
        name = spec.get("clusterQueue") or ""
        cluster_queue = self.cluster_queues.get(Key("", name))
        active = local_queue_active(spec, cluster_queue, self.rules.local_queue_ready_message)
        status = local_queue_status(self.queue_manager, obj, cluster_queue, active, self.clock.now())
        sample = self._sample(key, name, obj) if active.status else None
        status |= self.samples.status(str(key)) if self.samples else {}
        self._measure(key, status, name)
        # A PUT without a change brings no event, but costs a request.
        if status != obj.get("status"):
            answer = await self.client.update_status(LOCAL_QUEUES, {**obj, "status": status})
            self.latest.record_write(answer)
        return sample

    def _sample(self, key: Key, cluster_queue: str, obj: Json) -> RequeueAfter | None:
        """Sample the usage; another LocalQueue of the ClusterQueue may come first afterwards."""
        if self.samples is None:
            return None
        local, current_time = str(key), self.clock.now()
        if self.samples.take_sample(local, cluster_queue, obj, current_time):
            self.queue_manager.listener.work()
        with suppress(LookupError):
            self.metrics.set(METRIC, key.name, key.namespace, value=self.samples.consumption.usage(local))
        return RequeueAfter(self.samples.wait(local, current_time))

    def _measure(self, key: Key, status: Json, cluster_queue: str) -> None:
        local = (key.name, key.namespace)
        active = next(
            condition["status"] for condition in status["conditions"] if condition["type"] == ACTIVE
        )
        for answer in ANSWERS:
            self.metrics.set("kueue_local_queue_status", *local, answer, value=answer == active)
        waiting = status["pendingWorkloads"]
        active_queue = self.queue_manager.is_active(cluster_queue)
        # In a queue that admits nothing every Workload is inadmissible.
        parked = self.queue_manager.queues.parked_in(str(key)) if active_queue else waiting
        self.metrics.set("kueue_local_queue_pending_workloads", *local, "active", value=waiting - parked)
        self.metrics.set("kueue_local_queue_pending_workloads", *local, "inadmissible", value=parked)
        self.metrics.set(
            "kueue_local_queue_reserving_active_workloads", *local, value=status["reservingWorkloads"]
        )
        self.metrics.set(
            "kueue_local_queue_admitted_active_workloads", *local, value=status["admittedWorkloads"]
        )

    def _forget(self, key: Key) -> None:
        for metric in (
            "status",
            "pending_workloads",
            "unadmitted_workloads",
            "reserving_active_workloads",
            "admitted_active_workloads",
            "admission_fair_sharing_usage",
        ):
            self.metrics.remove(f"kueue_local_queue_{metric}", key.name, key.namespace)

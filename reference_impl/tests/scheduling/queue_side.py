"""Words in which scheduling tests describe a cluster: one queue manager, with cycles run by hand."""

from __future__ import annotations

import itertools

from reference_impl.kueue.defects import without
from reference_impl.kueue.dialects import dialect
from reference_impl.kueue.queueing.event_handlers import EventHandlers
from reference_impl.kueue.queueing.heads import pop_heads
from reference_impl.kueue.queueing.queue_manager import QueueManager
from reference_impl.kueue.queueing.strategies import RequeueReason
from reference_impl.kueue.scheduling.cycle import Cycle
from reference_impl.kueue.scheduling.entry import Drop, Preempt, Requeue, Reserve
from reference_impl.kueue.scheduling.preemption.classical import ClassicalPreemptor
from reference_impl.kueue.scheduling.reservation import reserve
from reference_impl.kueue.scheduling.texts import pending_preemption
from reference_impl.kueue.workload.draft import StatusDraft
from reference_impl.kueue.workload.preempting import preempt
from reference_impl.kueue.workload.release import after_eviction
from reference_impl.kueue.workload.transitions import V0_19
from reference_impl.kueue.workload.view import Workload

V0_19_DIALECT = dialect("v0.19")
CORRECTED = without(V0_19_DIALECT)
WORLDS = {"v0.19": V0_19_DIALECT, "without defects": CORRECTED, "kep993": dialect("kep993")}
SENT_BACK = V0_19_DIALECT.queues.eviction_ordered_reasons
EPOCH = 1_700_000_000


def container(**requests):
    return {"name": "c", "image": "i", "resources": {"requests": requests}}


def pod_set(name="main", count=1, requests=None, min_count=None, **spec):
    template = {"spec": {"restartPolicy": "Never", "containers": [container(**(requests or {}))], **spec}}
    shape = {"name": name, "count": count, "template": template}
    return shape if min_count is None else {**shape, "minCount": min_count}


def flavor(name="default", **spec):
    return {"metadata": {"name": name}, "spec": spec}


def group(*covered, **flavors):
    """Flavors by keyword: a list of nominal quotas, or of mappings with limits, in the order of `covered`."""
    return {
        "coveredResources": list(covered),
        "flavors": [
            {
                "name": name,
                "resources": [
                    _line(resource, quota) for resource, quota in zip(covered, quotas, strict=True)
                ],
            }
            for name, quotas in flavors.items()
        ],
    }


def _line(resource, quota):
    limits = quota if isinstance(quota, dict) else {"nominalQuota": quota}
    return {"name": resource, **limits}


class Silence:
    """A listener that only counts what it is told."""

    def __init__(self):
        self.wakes = 0
        self.dirty = []
        self.fewer = []

    def work(self):
        pass

    def wake(self):
        self.wakes += 1

    def dirty_cluster_queue(self, name, *, soon):
        self.dirty.append(name)

    def dirty_local_queue(self, key, *, soon):
        self.dirty.append(key)

    def fewer_pending(self, name):
        self.fewer.append(name)


class Cluster:
    """A queue manager fed with objects; `run` plays a cycle and returns what became of each head."""

    def __init__(self, *, block_admission=False, follows=V0_19_DIALECT):
        self.now = EPOCH
        self.objects = {}
        self.follows = follows
        self.queue_manager = QueueManager(
            lambda: self.now, self._of, follows.queues.eviction_ordered_reasons, follows.pending
        )
        self.queue_manager.listener = self.silence = Silence()
        self.notes = EventHandlers(self.queue_manager)
        self.preemptor = ClassicalPreemptor(
            self.queue_manager.ledger,
            self.queue_manager.catalogue,
            follows.queues.eviction_ordered_reasons,
            gives=follows.scheduling.is_preemptible_queue,
        )
        self.cycle = Cycle(
            self.queue_manager.ledger,
            self.queue_manager.catalogue,
            self.preemptor,
            follows.scheduling,
            block_admission=block_admission,
        )
        self.notes.namespace(None, {"metadata": {"name": "ns", "labels": {}}})
        self._serial = itertools.count()
        self.preempted = {}
        """The targets of each preemptor, with their reasons."""

    def _of(self, key):
        return [
            workload
            for workload in self.objects.values()
            if f"{workload.namespace}/{workload.queue_name}" == key
        ]

    def flavors(self, *flavors):
        for resource in flavors or (flavor(),):
            self.notes.flavor(None, resource if isinstance(resource, dict) else flavor(resource))
        return self

    def queue(self, name, *groups, local=None, **spec):
        obj = {
            "metadata": {"name": name},
            "spec": {"namespaceSelector": {}, "resourceGroups": list(groups), **spec},
        }
        old = self.objects.get(f"cq/{name}") and {"metadata": {"name": name}, "spec": {}}
        self.notes.cluster_queue(old, obj)
        self.notes.local_queue(
            None,
            {
                "metadata": {"namespace": "ns", "name": local or name},
                "spec": {"clusterQueue": name},
            },
        )
        return self

    def checked(self, *names, **spec):
        """Active AdmissionChecks."""
        for name in names:
            active = {"conditions": [{"type": "Active", "status": "True"}]}
            check = {"metadata": {"name": name}, "spec": {"controllerName": "c", **spec}, "status": active}
            self.notes.check(None, check)
        return self

    def workload(self, name, *pod_sets, queue="cq", priority=0, created=None, **fields):
        serial = next(self._serial)
        stamp = f"2023-11-14T22:{created if created is not None else serial % 60:02d}:00Z"
        obj = {
            "metadata": {
                "name": name,
                "namespace": "ns",
                "uid": f"uid-{serial:03d}",
                "creationTimestamp": stamp,
                "generation": 1,
            },
            "spec": {"queueName": queue, "priority": priority, "podSets": list(pod_sets)},
            **fields,
        }
        return self.put(Workload(obj))

    def cpu(self, name, cores, **fields):
        return self.workload(name, pod_set(requests={"cpu": cores}), **fields)

    def put(self, workload):
        old = self.objects.get(workload.key)
        self.objects[workload.key] = workload
        self.queue_manager.workload(old, workload)
        return self

    def remove(self, name):
        self.queue_manager.workload(self.objects.pop(f"ns/{name}"), None)
        return self

    def wake(self):
        self.queue_manager.wake_now()
        return self

    def heads(self):
        queue_manager = self.queue_manager
        return pop_heads(queue_manager.queues, queue_manager.catalogue, queue_manager.ledger.cohort_trees)

    def run(self):
        return dict(self._carry_out(verdict) for verdict in self.cycle.run(self.heads()))

    def run_all(self):
        """Run cycles until no head is worth a look; the last word on each Workload."""
        verdicts = {}
        while verdicts_of_cycle := self.run():
            verdicts |= verdicts_of_cycle
        return verdicts

    def _carry_out(self, verdict):
        workload = self.objects[verdict.head.pending.key]
        match verdict:
            case Reserve(head, assignment):
                spec = self.queue_manager.catalogue.cluster_queues[head.cluster_queue]
                status = reserve(workload, assignment, spec, V0_19, self.now, 0).status
                self.put(Workload({**workload.object, "status": status}))
                return workload.name, "reserved"
            case Requeue(head, reason, message, last_assignment=scan):
                pending = self.queue_manager.pending(workload).replacing(
                    head.pending.with_last_assignment(scan)
                )
                self.queue_manager.queues.requeue(pending, reason, self.now, head.evaluated_state)
                return workload.name, message
            case Preempt(head, message, targets):
                self.queue_manager.queues.requeue(
                    self.queue_manager.pending(workload),
                    RequeueReason.PENDING_PREEMPTION,
                    self.now,
                    head.evaluated_state,
                )
                for target in targets:
                    self._evict(target)
                self.preempted[workload.name] = {
                    target.holding.workload.name: str(target.reason) for target in targets
                }
                return workload.name, pending_preemption(message, len(targets))
            case Drop():
                return workload.name, "dropped"
            case _:
                return workload.name, "waits"

    def _evict(self, target):
        victim = self.objects[target.holding.workload.key]
        if not victim.is_evicted:
            done = preempt(victim, target.reason, "preempted", V0_19, self.now, condition=True)
            self.put(Workload({**victim.object, "status": done.write.status}))

    def release(self, *names):
        """Let evicted Workloads give their quota back, as their jobs do once they have stopped."""
        for name in names:
            victim = self.objects[f"ns/{name}"]
            evicted = victim.condition("Evicted")
            status = after_eviction(StatusDraft.of(victim, self.now), evicted, V0_19).status
            self.put(Workload({**victim.object, "status": status}))
        return self

    def admission(self, name):
        return self.objects[f"ns/{name}"].admission

    def flavors_of(self, name):
        """The flavors of each pod set."""
        return {
            pod_set_assignment["name"]: pod_set_assignment.get("flavors", {})
            for pod_set_assignment in self.admission(name)["podSetAssignments"]
        }

    def pending(self, queue="cq"):
        """Counts: will be tried, parked."""
        cluster_queue = self.queue_manager.queues.cluster_queues[queue]
        return cluster_queue.active, cluster_queue.pending - cluster_queue.active

"""The stage of a scenario: makes namespaces, queues and the
objects that they need, with generated names (harness/H-36).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

from ..case.context import CaseContext, within
from ..history.fact import Fact
from ..wire.resource import KUEUE
from .answer import Answer, expect_refusal, try_request
from .checks.check import Check
from .checks.checks import Checks
from .cohorts.preemption_tables import PreemptionTables
from .kueue.replicas import Replicas
from .making import manifests, templated_workloads
from .making.api_objects import ApiObjects
from .making.job_families import JobFamilies
from .making.names import Names
from .making.pod_sets import PodSets
from .queues.metrics import Metrics
from .queues.prerequisites import Prerequisites
from .queues.queue import Queue
from .users.throttling import Throttling
from .users.users import Users
from .workloads.conditions import unreserved_reason
from .workloads.events import Events
from .workloads.job import Job
from .workloads.release import ReleaseStandIn
from .workloads.workload import Workload


class Stage(Checks, PodSets, ApiObjects, JobFamilies, Users, PreemptionTables, Throttling):
    """A namespace of one case, and the way to put things into the cluster."""

    def __init__(self, context: CaseContext, names: Names) -> None:
        super().__init__(context, names)
        self.namespace = names.name("namespace")
        self.client.create({"kind": "Namespace", "metadata": {"name": self.namespace}})
        self.release = ReleaseStandIn(context, self.namespace)
        context.stand_ins.append(self.release.act)

    def unreserved_reason(self, cause: str) -> str:
        """Return the reason of QuotaReserved=False that the release has for a cause, such as `suspended`."""
        return unreserved_reason(self.context.dialect, cause)

    def make_queue(
        self,
        checks: int | Sequence[Check] = 0,
        *,
        flavors: int | Sequence[str] = 1,
        cpu: str | Sequence[str] = "10",
        on: Mapping[str, Sequence[str]] | None = None,
        namespace: str = "",
        local: bool = True,
        **spec: Any,
    ) -> Queue:
        """Make a ClusterQueue with quota for `cpu` in each flavor,
        active checks, and a `local` queue of the same name.
        """
        required = [self.make_check() for _ in range(checks)] if isinstance(checks, int) else list(checks)
        offered = [self.make_flavor() for _ in range(flavors)] if isinstance(flavors, int) else list(flavors)
        amounts = [cpu] * len(offered) if isinstance(cpu, str) else list(cpu)
        template = self.context.workload_template
        quotas = {
            name: templated_workloads.quotas(template, amount)
            for name, amount in zip(offered, amounts, strict=True)
        }
        rules = {check.name: (on or {}).get(check.name, ()) for check in required}
        name, namespace_name = self.names.name("queue"), namespace or self.namespace
        self.client.create(manifests.cluster_queue(name, quotas, rules, self.client.version, **spec))
        queue = Queue(self.context, self.names, name, namespace_name, offered, required)
        self._wait_until_observed(queue.has_active_condition)
        return self._add_local_queue(queue) if local else queue

    def _add_local_queue(self, queue: Queue) -> Queue:
        """Make the LocalQueue."""
        self.client.create(manifests.local_queue(queue.name, queue.namespace, queue.cluster_queue))
        self._wait_until_observed(queue.has_active_condition_locally)
        return queue

    def _wait_until_observed(self, fact: Callable[[], Fact]) -> None:
        """Wait until Kueue has seen it: else the first state of what is made next depends on which of the two
        Kueue reads first.
        """
        if self.context.kueue_works:
            within("react", fact)

    def make_queue_without_local(self) -> Queue:
        """Make a ClusterQueue without a LocalQueue."""
        return self.make_queue(local=False)

    def make_queue_with_pending(self, *priorities: int) -> tuple[Queue, list[Workload]]:
        """Make a queue without quota with pending Workloads of falling priorities, which is the
        order of its list.
        """
        queue = self.make_queue(cpu="0")
        workloads = [queue.submit(cpu="1", priority=priority) for priority in priorities]
        within("settle", lambda: queue.pending().lists(*workloads))
        return queue, workloads

    def prerequisites(self) -> Prerequisites:
        """Return the objects that a Workload needs to get quota; none of them is created yet."""
        return Prerequisites(self.context, self.names, self.namespace)

    def missing_queue(self) -> Queue:
        """Return a queue without a ClusterQueue and a LocalQueue."""
        return Queue(self.context, self.names, self.names.name("missing"), self.namespace, (), ())

    def make_queue_without_cluster_queue(self) -> Queue:
        """Make a LocalQueue whose ClusterQueue does not exist."""
        return self._add_local_queue(
            Queue(self.context, self.names, self.names.name("queue"), self.namespace, (), ())
        )

    def make_incomplete_queue(self, missing: str) -> tuple[Queue, Callable[[], object]]:
        """Make a queue with `no-local-queue` or `no-cluster-queue`,
        and return it with a function that makes the missing object.
        """
        if missing == "no-local-queue":
            queue = self.make_queue_without_local()
            return queue, lambda: self._add_local_queue(queue)
        queue = self.make_queue_without_cluster_queue()
        return queue, lambda: self.make_cluster_queue_for(queue, [])

    def make_priority_class(self, value: int, name: str = "") -> str:
        """Make a WorkloadPriorityClass, of this name where one is given, and return its name."""
        name = name or self.names.name("priority")
        self.client.create({"kind": "WorkloadPriorityClass", "metadata": {"name": name}, "value": value})
        return name

    def make_pod_priority_class(self, value: int) -> str:
        """Make a PriorityClass of pods and return its name."""
        name = self.names.name("pods")
        self.client.create({"kind": "PriorityClass", "metadata": {"name": name}, "value": value})
        return name

    def change_priority_class(self, name: str, value: int) -> None:
        """Give a WorkloadPriorityClass another value."""
        self.client.merge("WorkloadPriorityClass", name, {"value": value})

    def make_blocked_queue(self, blocker: str) -> Queue:
        """Make a queue with `no-local-queue`, `no-cluster-queue`, `stopped-local-queue` or
        `stopped-cluster-queue`.
        """
        state, _, queue_kind = blocker.partition("-")
        if state == "no":
            return self.make_incomplete_queue(blocker)[0]
        queue = self.make_queue()
        queue.set_stop_policy(queue_kind, "Hold")
        within("react", lambda: queue.is_stopped(queue_kind))
        return queue

    def label_namespace(self, labels: Mapping[str, str]) -> None:
        """Add labels to the namespace of the case."""
        self.client.merge("Namespace", self.namespace, {"metadata": {"labels": dict(labels)}})

    def make_cluster_queue_for(self, queue: Queue, checks: Sequence[Check], *, cpu: str = "10") -> Queue:
        """Make the ClusterQueue that a LocalQueue refers to."""
        flavor = self.make_flavor()
        rules: Mapping[str, Sequence[str]] = {check.name: () for check in checks}
        self.client.create(manifests.cluster_queue(queue.cluster_queue, {flavor: {"cpu": cpu}}, rules))
        return Queue(self.context, self.names, queue.name, queue.namespace, [flavor], checks)

    def make_local_queue_for(self, queue: Queue) -> Queue:
        """Make the LocalQueue of a queue (anew)."""
        return self._add_local_queue(queue)

    def make_local_queue_of(self, queue: Queue, other: Queue) -> Queue:
        """Make a LocalQueue that bears the name of `queue` and belongs to the ClusterQueue of `other`."""
        return self._add_local_queue(self._feeding(other, queue.name, queue.namespace))

    def make_local_queue_in_other_namespace(
        self, queue: Queue, labels: Mapping[str, str] | None = None
    ) -> Queue:
        """Make a LocalQueue of the same name for the same ClusterQueue in one more namespace."""
        return self._add_local_queue(self._feeding(queue, queue.name, self.make_namespace(labels)))

    def make_namesake_of(self, queue: Queue, checks: int = 1) -> Queue:
        """Make a LocalQueue of the same name in one more namespace, for another ClusterQueue with checks."""
        other = self.make_queue(checks, local=False)
        return self._add_local_queue(self._feeding(other, queue.name, self.make_namespace()))

    def make_second_local_queue(self, queue: Queue, *, namespace: str = "") -> Queue:
        """Make a LocalQueue of another name for the same ClusterQueue,
        in the same namespace unless another is given.
        """
        return self._add_local_queue(
            self._feeding(queue, self.names.name("local"), namespace or queue.namespace)
        )

    def _feeding(self, queue: Queue, name: str, namespace: str) -> Queue:
        return Queue(
            self.context, self.names, name, namespace, queue.flavors, queue.checks, queue.cluster_queue
        )

    def try_to_create_invalid(self, kind: str, spec: Mapping[str, Any]) -> Answer:
        """Try to create an object, which must be refused, and return the answer."""
        manifest = {"kind": kind, "metadata": {"name": self.names.name()}, "spec": dict(spec)}
        return expect_refusal(lambda: self.client.create(manifest))

    def try_to_create(self, kind: str, spec: Mapping[str, Any], **metadata: Any) -> Answer:
        """Try to create an object; return the server's answer."""
        namespace = {"namespace": self.namespace} if kind in {"Workload", "Job"} else {}
        manifest = {
            "kind": kind,
            "metadata": {"name": self.names.name(), **namespace, **metadata},
            "spec": dict(spec),
        }
        return try_request(lambda: self.client.create(manifest))

    def scope_of(self, kind: str) -> str:
        """Return `Cluster` or `Namespaced`, as the server's discovery tells it."""
        served = self.client.call("GET", f"/apis/{KUEUE}/v1beta2")["resources"]
        return next(
            "Namespaced" if resource["namespaced"] else "Cluster"
            for resource in served
            if resource["kind"] == kind
        )

    def restart_control_plane(self) -> None:
        """Stop the control plane and start it again."""
        self.context.acts()
        self.context.restart()

    @property
    def replicas(self) -> Replicas:
        """The control plane and a second one beside it."""
        return Replicas(self.context, self.client)

    def without_control_plane(self) -> AbstractContextManager[None]:
        """Stop the control plane for the block."""
        self.context.acts()
        return self.context.stopped()

    def make_namespace(self, labels: Mapping[str, str] | None = None) -> str:
        """Make one more namespace, whose bare Workloads are released as well."""
        name = self.names.name("namespace")
        self.client.create({"kind": "Namespace", "metadata": {"name": name, "labels": dict(labels or {})}})
        self.context.stand_ins.append(ReleaseStandIn(self.context, name).act)
        return name

    def job_of(self, workload: Workload) -> Job:
        """Return the Job of a Workload that was submitted as one."""
        return Job(self.context, workload.namespace, workload.job)

    def start_job(self, queue: Queue) -> tuple[Workload, Job]:
        """Submit a Job, bring it through its checks,
        and return its Workload and the Job when it is started.
        """
        workload = queue.submit_until("admitted", "job")
        job = self.job_of(workload)
        within("settle", job.is_started)
        return workload, job

    def events_of(self, workload: Workload) -> Events:
        """Return the events about a Workload and its Job."""
        return Events(self.context, workload)

    def metrics_of(self, queue: Queue) -> Metrics:
        """Return the metrics of a queue."""
        return Metrics(self.context, queue)

    def has_event(
        self,
        reason: str,
        about: Workload,
        *,
        note: str = "",
        type: str = "",  # noqa: A002 - the API's word
    ) -> Fact:
        """An event with this reason was emitted about a Workload or its Job."""
        return self.events_of(about).has_event(reason, note=note, type=type)

    def has_one_event(
        self,
        reason: str,
        about: Workload,
        *,
        type: str = "",  # noqa: A002 - the API's word
    ) -> Fact:
        """Exactly one event with this reason was emitted about a Workload or its Job."""
        return self.events_of(about).has_one_event(reason, type=type)

    def has_event_with_text(self, reason: str, about: Workload, note: str) -> Fact:
        """An event with this reason and exactly this text was emitted about a Workload or its Job."""
        return self.events_of(about).has_event_with_text(reason, note)

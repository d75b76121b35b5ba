"""What a scenario starts from: makes namespaces, flavors, checks and queues with names of its own (harness/H-36)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..bench import Bench, within
from ..fact import Fact
from ..wire.client import KUEUE
from . import manifests
from .answer import Answer, refused, tried
from .check import Check
from .events import Events
from .job import Job
from .metrics import Metrics
from .names import Names
from .queue import Queue
from .release import Release
from .workload import Workload

_LABEL = "kueue-conformance.dev/flavor"


class Stage:
    """A namespace of one case, and the way to put things into the cluster."""

    def __init__(self, bench: Bench, names: Names) -> None:
        self.bench = bench
        self.client = bench.client
        self.names = names
        self.namespace = names.name("namespace")
        self.client.create({"kind": "Namespace", "metadata": {"name": self.namespace}})
        self.release = Release(bench, self.namespace)
        bench.stand_ins.append(self.release.act)

    def queue(
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
        """Make a ClusterQueue with quota for `cpu` in each flavor, active checks, and a `local` queue of the same name."""
        required = [self.check() for _ in range(checks)] if isinstance(checks, int) else list(checks)
        offered = [self.flavor() for _ in range(flavors)] if isinstance(flavors, int) else list(flavors)
        amounts = [cpu] * len(offered) if isinstance(cpu, str) else list(cpu)
        quotas = {name: {"cpu": amount} for name, amount in zip(offered, amounts, strict=True)}
        rules = {check.name: (on or {}).get(check.name, ()) for check in required}
        name, place = self.names.name("queue"), namespace or self.namespace
        self.client.create(manifests.cluster_queue(name, quotas, rules, self.client.version, **spec))
        made = Queue(self.bench, self.names, name, place, offered, required)
        self._noticed(made.is_noticed)
        return self._opened(made) if local else made

    def _opened(self, queue: Queue) -> Queue:
        """Make the LocalQueue."""
        self.client.create(manifests.local_queue(queue.name, queue.namespace, queue.name))
        self._noticed(queue.is_noticed_by_users)
        return queue

    def _noticed(self, fact: Callable[[], Fact]) -> None:
        """Wait until Kueue knows of it: else what is seen of the next thing at first depends on who is faster."""
        if self.bench.kueue_works:
            within("react", fact)

    def queue_without_local(self) -> Queue:
        """Return a queue whose LocalQueue does not exist."""
        return self.queue(local=False)

    def queue_without_cluster_queue(self) -> Queue:
        """Return a queue whose ClusterQueue does not exist."""
        return self._opened(Queue(self.bench, self.names, self.names.name("queue"), self.namespace, (), ()))

    def incomplete_queue(self, missing: str) -> tuple[Queue, Callable[[], object]]:
        """Return a queue with `no-local-queue` or `no-cluster-queue`, and what makes that."""
        if missing == "no-local-queue":
            queue = self.queue_without_local()
            return queue, lambda: self._opened(queue)
        queue = self.queue_without_cluster_queue()
        return queue, lambda: self.cluster_queue_for(queue, [])

    def priority_class(self, value: int) -> str:
        """Make a WorkloadPriorityClass and return its name."""
        name = self.names.name("priority")
        self.client.create({"kind": "WorkloadPriorityClass", "metadata": {"name": name}, "value": value})
        return name

    def blocked_queue(self, blocker: str) -> Queue:
        """Return a queue with `no-local-queue`, `no-cluster-queue`, `stopped-local-queue` or `stopped-cluster-queue`."""
        state, _, what = blocker.partition("-")
        if state == "no":
            return self.incomplete_queue(blocker)[0]
        queue = self.queue()
        queue.stops(what, "Hold")
        within("react", lambda: queue.says_stopped(what))
        return queue

    def namespace_is_labelled(self, labels: Mapping[str, str]) -> None:
        """Add labels to the namespace of the case."""
        self.client.merge("Namespace", self.namespace, {"metadata": {"labels": dict(labels)}})

    def cluster_queue_for(self, queue: Queue, checks: Sequence[Check]) -> Queue:
        """Make the ClusterQueue that a LocalQueue refers to."""
        flavor = self.flavor()
        rules: Mapping[str, Sequence[str]] = {check.name: () for check in checks}
        self.client.create(manifests.cluster_queue(queue.name, {flavor: {"cpu": "10"}}, rules))
        return Queue(self.bench, self.names, queue.name, queue.namespace, [flavor], checks)

    def in_other_namespace(self, queue: Queue) -> Queue:
        """Make a LocalQueue for the same ClusterQueue in one more namespace."""
        return self._opened(
            Queue(self.bench, self.names, queue.name, self.other_namespace(), queue.flavors, queue.checks)
        )

    def refusal_of(self, kind: str, spec: Mapping[str, Any]) -> Answer:
        """Try to create an object, which must be refused, and return the answer."""
        manifest = {"kind": kind, "metadata": {"name": self.names.name()}, "spec": dict(spec)}
        return refused(lambda: self.client.create(manifest))

    def answer_to(self, kind: str, spec: Mapping[str, Any], **metadata: Any) -> Answer:
        """Try to create an object; return what the server says against it."""
        place = {} if kind != "Workload" else {"namespace": self.namespace}
        manifest = {
            "kind": kind,
            "metadata": {"name": self.names.name(), **place, **metadata},
            "spec": dict(spec),
        }
        return tried(lambda: self.client.create(manifest))

    def scope_of(self, kind: str) -> str:
        """Return `Cluster` or `Namespaced`, as the server's discovery tells it."""
        served = self.client.call("GET", f"/apis/{KUEUE}/v1beta2")["resources"]
        return next("Namespaced" if one["namespaced"] else "Cluster" for one in served if one["kind"] == kind)

    def control_plane_restarts(self) -> None:
        """Stop the control plane and start it again."""
        self.bench.acts()
        self.bench.restart()

    def check(self, *, active: bool = True, **more: Any) -> Check:
        """Make an AdmissionCheck, Active unless told otherwise."""
        name = self.names.name("check")
        self.client.create(manifests.admission_check(name, **more))
        made = Check(self.bench, name)
        return made.becomes_active() if active else made

    def check_named_like(self, other: Check) -> Check:
        """Make an Active check of another controller whose name begins with the name of `other`."""
        name = f"{other.name}-too"
        self.client.create(manifests.admission_check(name))
        return Check(self.bench, name).becomes_active()

    def checks_around(self, own: Check) -> tuple[Check, Check, Check]:
        """Make an Active check of another controller before and one after a check, in order of their names."""
        names = f"a-{own.name}"[:63], f"z-{own.name}"[:63]
        for name in names:
            self.client.create(manifests.admission_check(name))
        first, last = (Check(self.bench, name).becomes_active() for name in names)
        return first, own, last

    def missing_check(self) -> Check:
        """Return a check that does not exist, for a queue to refer to."""
        return Check(self.bench, self.names.name("check"))

    def create_check(self, check: Check) -> Check:
        """Create the object of a missing check."""
        self.client.create(manifests.admission_check(check.name))
        return check

    def flavor(self, **spec: Any) -> str:
        """Make a ResourceFlavor with one node label, and what else its spec says, and return its name."""
        return self.create_flavor(self.names.name("flavor"), **spec)

    def create_flavor(self, name: str, **spec: Any) -> str:
        """Make a ResourceFlavor of this name."""
        self.client.create(manifests.flavor(name, {_LABEL: name}, **spec))
        if self.bench.kueue_works:
            # Else a ClusterQueue that names it is inactive at first, or not, depending on who is faster.
            within("react", lambda: self._is_in_use(name))
        return name

    def _is_in_use(self, name: str) -> Fact:
        """Kueue has taken notice of a ResourceFlavor: it keeps it from being deleted."""
        held = self.client.get("ResourceFlavor", name)["metadata"].get("finalizers", [])
        return Fact(bool(held), f"ResourceFlavor {name} has a finalizer of Kueue", f"finalizers {held}")

    def delete_flavor(self, name: str) -> None:
        """Delete a ResourceFlavor."""
        self.client.delete("ResourceFlavor", name)

    def flavor_is_gone(self, name: str) -> Fact:
        """A ResourceFlavor no longer exists."""
        return Fact(
            self.client.find("ResourceFlavor", name) is None, f"ResourceFlavor {name} is gone", "it is there"
        )

    def node_selector(self, flavor: str) -> Mapping[str, str]:
        """Return what a Job gets for a flavor made here."""
        return {_LABEL: flavor}

    def other_namespace(self) -> str:
        """Make one more namespace, whose bare Workloads are released as well."""
        name = self.names.name("namespace")
        self.client.create({"kind": "Namespace", "metadata": {"name": name}})
        self.bench.stand_ins.append(Release(self.bench, name).act)
        return name

    def pod_updates(self, section: str = "labels", *, value: str = "ours", pods: str = "main") -> list[Any]:
        """Return what a verdict can change of the pods of a Workload made here."""
        return [manifests.pod_set_update(section, value, pods)]

    def pod_sets(self, *names: str) -> list[Any]:
        """Return podSets of these names, for a Workload that has several."""
        return [
            {"name": name, "count": 1, "template": manifests.pod_template({"cpu": "1m"})} for name in names
        ]

    def pod_set(self, name: str, *, on: str = "", **requests: str) -> Any:
        """Return one podSet of one pod with these requests, which can run on no other flavor than `on`."""
        where = {"nodeSelector": self.node_selector(on)} if on else {}
        return {"name": name, "count": 1, "template": manifests.pod_template(requests, **where)}

    def group(self, resource: str, *flavors: str, amount: str = "10") -> Any:
        """Return a resource group of one resource, with a quota of `amount` in each of its flavors."""
        return manifests.resource_group({flavor: {resource: amount} for flavor in flavors})

    def template_with(self, section: str, *, value: str = "theirs") -> Any:
        """Return what a template says that has a value of its own where `pod_updates` sets one."""
        return manifests.template_with(section, value)

    def job_of(self, workload: Workload) -> Job:
        """Return the Job of a Workload that was submitted as one."""
        return Job(self.bench, workload.namespace, workload.job)

    def events_of(self, workload: Workload) -> Events:
        """Return what was told by events about a Workload and its Job."""
        return Events(self.bench, workload)

    def metrics_of(self, queue: Queue) -> Metrics:
        """Return what is counted about a queue."""
        return Metrics(self.bench, queue)

    def emitted(self, reason: str, about: Workload, *, note: str = "", type: str = "") -> Fact:  # noqa: A002 - the API's word
        """An event with this reason was emitted about a Workload (or its Job)."""
        events = self._events(about)
        found = [one for one in _with_reason(events, reason, type) if note in one.get("message", "")]
        return _told(bool(found), f"event {reason} {note!r}", events)

    def emitted_once(self, reason: str, about: Workload, *, type: str = "") -> Fact:  # noqa: A002 - the API's word
        """Exactly one event with this reason was emitted about a Workload (or its Job)."""
        events = self._events(about)
        times = sum(map(_times, _with_reason(events, reason, type)))
        return _told(times == 1, f"event {reason} {type}, once", events)

    def emitted_just(self, reason: str, about: Workload, note: str) -> Fact:
        """An event with this reason and exactly this text was emitted about a Workload (or its Job)."""
        texts = [one.get("message") for one in _with_reason(self._events(about), reason, "")]
        return Fact(note in texts, f"event {reason} {note!r}", f"events with the texts {texts}")

    def _events(self, about: Workload) -> Sequence[Any]:
        names = {about.name, about.job}
        events = self.client.list("Event", about.namespace)
        return [one for one in events if one["involvedObject"].get("name") in names]


def _with_reason(events: Sequence[Any], reason: str, type: str) -> Sequence[Any]:  # noqa: A002 - the API's word
    return [one for one in events if one.get("reason") == reason and type in ("", one.get("type"))]


def _times(event: Any) -> int:
    """Return how often an event was emitted: clients count what they repeat."""
    return int((event.get("series") or event).get("count") or 1)


def _told(holds: bool, expected: str, events: Sequence[Any]) -> Fact:
    seen = sorted(f"{one.get('reason', '')} ({_times(one)})" for one in events)
    return Fact(holds, expected, f"events {seen}")

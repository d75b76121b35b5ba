"""What a scenario starts from: makes namespaces, flavors, checks and queues with names of its own (harness/H-36)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..bench import Bench
from ..client import KUEUE
from ..fact import Fact
from . import manifests
from .check import Check
from .job import Job
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
        self.namespace = names.name()
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
        **spec: Any,
    ) -> Queue:
        """Make a ClusterQueue with quota for `cpu` in each flavor, active checks, and a LocalQueue of the same name."""
        required = [self.check() for _ in range(checks)] if isinstance(checks, int) else list(checks)
        offered = [self.flavor() for _ in range(flavors)] if isinstance(flavors, int) else list(flavors)
        amounts = [cpu] * len(offered) if isinstance(cpu, str) else list(cpu)
        quotas = {name: {"cpu": amount} for name, amount in zip(offered, amounts, strict=True)}
        rules = {check.name: (on or {}).get(check.name, ()) for check in required}
        name, place = self.names.name("queue"), namespace or self.namespace
        self.client.create(manifests.cluster_queue(name, quotas, rules, **spec))
        self.client.create(manifests.local_queue(name, place, name))
        return Queue(self.bench, self.names, name, place, offered, required)

    def queue_without_local(self) -> Queue:
        """Return a queue whose LocalQueue does not exist."""
        made = self.queue()
        made.delete_local()
        return made

    def queue_without_cluster_queue(self) -> Queue:
        """Return a queue whose ClusterQueue does not exist."""
        name = self.names.name("queue")
        self.client.create(manifests.local_queue(name, self.namespace, name))
        return Queue(self.bench, self.names, name, self.namespace, (), ())

    def control_plane_restarts(self) -> None:
        """Stop the control plane and start it again."""
        self.bench.restart()

    def check(self, *, active: bool = True, **more: Any) -> Check:
        """Make an AdmissionCheck, Active unless told otherwise."""
        name = self.names.name("check")
        self.client.create(manifests.admission_check(name, **more))
        made = Check(self.bench, name)
        return made.becomes_active() if active else made

    def missing_check(self) -> Check:
        """Return a check that does not exist, for a queue to refer to."""
        return Check(self.bench, self.names.name("check"))

    def create_check(self, check: Check) -> Check:
        """Create the object of a missing check."""
        self.client.create(manifests.admission_check(check.name))
        return check

    def flavor(self) -> str:
        """Make a ResourceFlavor with one node label and return its name."""
        name = self.names.name("flavor")
        self.client.create(manifests.flavor(name, {_LABEL: name}))
        return name

    def node_selector(self, flavor: str) -> Mapping[str, str]:
        """Return what a Job gets for a flavor made here."""
        return {_LABEL: flavor}

    def other_namespace(self) -> str:
        """Make one more namespace, whose bare Workloads are released as well."""
        name = self.names.name()
        self.client.create({"kind": "Namespace", "metadata": {"name": name}})
        self.bench.stand_ins.append(Release(self.bench, name).act)
        return name

    def job_of(self, workload: Workload) -> Job:
        """Return the Job of a Workload that was submitted as one."""
        return Job(self.bench, workload.namespace, workload.job)

    def emitted(self, reason: str, about: Workload, *, note: str = "", type: str = "") -> Fact:  # noqa: A002 - the API's word
        """An event with this reason was emitted about a Workload (or its Job)."""
        names = {about.name, about.job}
        events = [
            one
            for one in self.client.list("Event", about.namespace)
            if one["involvedObject"].get("name") in names
        ]
        found = [
            one
            for one in events
            if one.get("reason") == reason
            and note in one.get("message", "")
            and type in ("", one.get("type"))
        ]
        return Fact(
            bool(found),
            f"event {reason} {note!r}",
            f"events {sorted({one.get('reason', '') for one in events})}",
        )

    @property
    def served_kinds(self) -> Sequence[str]:
        """The kinds of Kueue's API that the server offers."""
        return sorted(
            one["kind"]
            for one in self.client.call("GET", f"/apis/{KUEUE}/v1beta2")["resources"]
            if "/" not in one["name"]
        )

"""Cohorts and ClusterQueues that belong together,
and the Workloads in them, by the names of a text (`topology_text`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...base.json_types import Json
from ...case.context import CaseContext, within
from ...history.fact import Fact
from ..clock import Clock
from ..making import manifests
from ..queues.queue import Queue
from ..workloads.view import WorkloadView
from ..workloads.workload import Workload
from .topology_text import (
    CPU,
    CohortNode,
    PodSetText,
    Quota,
    WorkloadText,
    parse_pairs,
    parse_topology,
    parse_workloads,
)

_FIELDS = {"borrows": "borrowingLimit", "lends": "lendingLimit"}
_PREEMPTION = {"within": "withinClusterQueue", "reclaim": "reclaimWithinCohort"}
_FUNGIBILITY = {"canBorrow": "whenCanBorrow", "canPreempt": "whenCanPreempt", "prefers": "preference"}
_PLAIN = ("queueingStrategy", "stopPolicy")


class Topology:
    """What `Stage.make_topology` made. Workloads are known by their names in the text.

    Who is as important as one before, or more, comes a second later: uids decide neither who is older nor who
    got quota first.
    """

    def __init__(
        self,
        context: CaseContext,
        queues: Mapping[str, Queue],
        cohorts: Mapping[str, str],
        flavors: Mapping[str, str],
        keys: Mapping[str, str],
    ) -> None:
        self._context = context
        self._clock = Clock(context)
        self._queues = dict(queues)
        self.cohorts = cohorts
        """The names of the Cohort objects by those of the text."""
        self.flavors = flavors
        """The names of the ResourceFlavors by those of the text."""
        self._keys = keys
        self._priorities: set[int] = set()
        self.workloads: dict[str, Workload] = {}

    def __getitem__(self, name: str) -> Queue:
        """Return a queue by its name in the text."""
        return self._queues[name]

    def add_queues(self, **queues: Queue) -> None:
        """Add queues under new names, such as another LocalQueue of a ClusterQueue."""
        self._queues.update(queues)

    def submit_all(self, text: str, **spec: Any) -> list[Workload]:
        """Submit Workloads one after the other; `spec` adds fields to each."""
        return [self._submit(ask, **spec) for ask in self._in_turn(text)]

    def submit_in_turn(self, text: str, **spec: Any) -> list[Workload]:
        """Submit Workloads one after the other, each of which gets quota before the next one comes."""
        workloads = []
        for ask in self._in_turn(text):
            workloads.append(self._submit(ask, **spec))
            # Kueue prefers victims that got quota last, so the order of admission has to be the
            # order of the text.
            within("reserve", workloads[-1].has_quota_reserved)
        return workloads

    def submit(self, text: str, **spec: Any) -> Workload:
        """Submit one Workload."""
        (workload,) = self.submit_all(text, **spec)
        return workload

    def path(self, names: str) -> str:
        """Return the path from a root to a queue as Kueue writes it: `all q` is `/<cohort>/<queue>`."""
        *cohorts, queue = names.split()
        return "".join(
            f"/{segment}"
            for segment in (*(self.cohorts[name] for name in cohorts), self[queue].cluster_queue)
        )

    def delete_workloads(self, *names: str) -> None:
        """Delete the Workloads of these names."""
        for name in names:
            self.workloads.pop(name).delete()

    def has_preempted(self, text: str) -> Fact:
        """Exactly these Workloads are preempted and still hold their quota, each for its reason: `low
        InClusterQueue, mid InCohortReclamation`.
        """
        expected_reasons = dict(parse_pairs(text))
        observed_reasons = {
            name: str(view.condition("Preempted").get("reason", view.condition("Evicted")["reason"]))
            for name, view in self._views()
            if view.is_true("Evicted")
        }
        return Fact(
            observed_reasons == expected_reasons,
            f"preempted are {expected_reasons or 'none'}",
            f"{observed_reasons or 'none'}",
        )

    def has_admitted_counts(self, name: str, *counts: int) -> Fact:
        """A Workload is let in with so many pods of each pod set."""
        admission = self.workloads[name].object.get("status", {}).get("admission") or {}
        observed_counts = [assignment.get("count") for assignment in admission.get("podSetAssignments", ())]
        return Fact(
            observed_counts == [*counts], f"{name} has quota for {counts} pods", f"for {observed_counts}"
        )

    def has_pod_counts(self, name: str, *counts: int) -> Fact:
        """The spec of a Workload has so many pods in each pod set."""
        observed_counts = [pod_set["count"] for pod_set in self.workloads[name].object["spec"]["podSets"]]
        return Fact(observed_counts == [*counts], f"{name} asks for {counts} pods", f"for {observed_counts}")

    def were_preempted(self, *names: str) -> Fact:
        """Exactly these of the Workloads were evicted at some time."""
        evicted = sorted(name for name, workload in self.workloads.items() if workload.was_ever("Evicted"))
        return Fact(
            evicted == sorted(names),
            f"evicted were {', '.join(sorted(names)) or 'none'}",
            f"evicted were {evicted}",
        )

    def has_reserved(self, *names: str) -> Fact:
        """Exactly these of the Workloads hold quota."""
        reserving = sorted(name for name, view in self._views() if view.is_true("QuotaReserved"))
        return Fact(
            reserving == sorted(names),
            f"quota is held by {', '.join(sorted(names)) or 'none'}",
            f"it is held by {reserving}",
        )

    def has_tried(self, *names: str) -> Fact:
        """These Workloads have a message that they did not get quota."""
        views = dict(self._views())
        tried = sorted(
            name for name in names if views[name].condition("QuotaReserved").get("status") == "False"
        )
        return Fact(tried == sorted(names), f"tried were {', '.join(sorted(names))}", f"tried were {tried}")

    def has_flavors(self, name: str, flavors: str) -> Fact:
        """A Workload has these flavors of the text, one for each pod set: `one two`."""
        admission = self.workloads[name].object.get("status", {}).get("admission") or {}
        called = {flavor: name for name, flavor in self.flavors.items()}
        used_flavors = [
            "+".join(
                sorted({called.get(flavor, flavor) for flavor in assignment.get("flavors", {}).values()})
            )
            for assignment in admission.get("podSetAssignments", ())
        ]
        return Fact(
            used_flavors == flavors.split(),
            f"{name} uses {flavors}",
            f"it uses {' '.join(used_flavors) or 'nothing'}",
        )

    def shows_shares(self, text: str) -> Fact:
        """The statuses of these queues and cohorts tell these shares: `a 84, b 0`; `-` is none."""
        expected_shares = parse_pairs(text)
        observed_shares = {name: self._share(name) for name in expected_shares}
        return Fact(observed_shares == expected_shares, f"shares are {expected_shares}", f"{observed_shares}")

    def _share(self, name: str) -> str:
        kind, object_name = (
            ("ClusterQueue", self._queues[name].name)
            if name in self._queues
            else ("Cohort", self.cohorts[name])
        )
        fair = (self._context.client.get(kind, object_name).get("status") or {}).get("fairSharing") or {}
        return str(fair.get("weightedShare", "-"))

    # What an administrator does to cohorts

    def set_quotas(self, text: str) -> None:
        """Give a ClusterQueue other quotas: `q 2 borrows<=1`."""
        (node,) = parse_topology(text)
        self[node.name].try_to_change(resourceGroups=resource_groups(node.quotas, self.flavors))

    def make_cohort(self, name: str, cpu: str) -> None:
        """Make the object of a cohort that was only a name, with quota of its own in the first flavor."""
        quota = Quota(CPU, next(iter(self.flavors)), cpu)
        spec = {"resourceGroups": resource_groups([quota], self.flavors)}
        self._context.client.create(
            {"kind": "Cohort", "metadata": {"name": self.cohorts[name]}, "spec": spec}
        )

    def set_cohort_quota(self, name: str, cpu: str) -> None:
        """Set the quota of a Cohort, in the first flavor."""
        quota = Quota(CPU, next(iter(self.flavors)), cpu)
        self._change_cohort(name, resourceGroups=resource_groups([quota], self.flavors))

    def move_cohort(self, name: str, parent: str) -> None:
        """Give a Cohort another parent."""
        self._change_cohort(name, parentName=self.cohorts[parent])

    def delete_cohort(self, name: str) -> None:
        """Delete the object of a cohort."""
        self._context.client.delete("Cohort", self.cohorts[name])

    def _change_cohort(self, name: str, **spec: Json) -> None:
        self._context.client.merge("Cohort", self.cohorts[name], {"spec": spec})

    def _views(self) -> Iterator[tuple[str, WorkloadView]]:
        """Yield the current objects by name, read at the same time."""
        names = {workload.name: name for name, workload in self.workloads.items()}
        # One list, so that all are of one moment.
        for manifest in self._context.client.list("Workload", next(iter(self._queues.values())).namespace):
            if (name := names.get(manifest["metadata"]["name"])) is not None:
                yield name, WorkloadView(manifest)

    def _in_turn(self, text: str) -> Iterator[WorkloadText]:
        for ask in parse_workloads(text):
            if any(priority <= (ask.priority or 0) for priority in self._priorities):
                # Kueue orders equal priorities by creation time, which has whole seconds; then by
                # uid, which is random.
                self._clock.tick()
            self._priorities.add(ask.priority or 0)
            yield ask

    def _submit(self, ask: WorkloadText, **spec: Any) -> Workload:
        names = ["main"] if len(ask.pods) == 1 else [f"pods-{at}" for at in range(1, len(ask.pods) + 1)]
        fields_of_workload: dict[str, Any] = {} if ask.priority is None else {"priority": ask.priority}
        fields_of_workload["podSets"] = [
            self._pod_set(name, pods) for name, pods in zip(names, ask.pods, strict=True)
        ]
        self.workloads[ask.name] = self._queues[ask.queue].submit(**fields_of_workload, **spec)
        return self.workloads[ask.name]

    def _pod_set(self, name: str, pods: PodSetText) -> Json:
        where = {"nodeSelector": {self._keys[pods.flavor]: self.flavors[pods.flavor]}} if pods.flavor else {}
        least = {} if pods.least is None else {"minCount": pods.least}
        template = manifests.pod_template(pods.requests, **where)
        return {"name": name, "count": pods.count, "template": template, **least}


def resource_groups(quotas: Sequence[Quota], flavors: Mapping[str, str]) -> list[Json]:
    """Return resource groups: resources that have a flavor in common are in one."""
    groups: list[list[Quota]] = []
    for quota in quotas:
        # The API allows a flavor in one resource group only.
        group_of_flavor = next(
            (group for group in groups if {quota.flavor} & {member.flavor for member in group}), None
        )
        same = group_of_flavor or next(
            (group for group in groups if quota.resource in {member.resource for member in group}), None
        )
        if same is None:
            groups.append([quota])
        else:
            same.append(quota)
    return [_group(group, flavors) for group in groups]


def _group(quotas: Sequence[Quota], flavors: Mapping[str, str]) -> Json:
    resources = list(dict.fromkeys(quota.resource for quota in quotas))
    by_flavor: dict[str, list[Json]] = {}
    # The API wants the resources of each flavor in the order of coveredResources.
    for quota in sorted(quotas, key=lambda quota: resources.index(quota.resource)):
        limits = {_FIELDS[name]: amount for name, amount in quota.limits.items()}
        by_flavor.setdefault(quota.flavor, []).append(
            {"name": quota.resource, "nominalQuota": quota.nominal, **limits}
        )
    # Flavors are tried in the order of the list, so the order of the text stays.
    order = list(dict.fromkeys(quota.flavor for quota in quotas))
    return {
        "coveredResources": resources,
        "flavors": [{"name": flavors[name], "resources": by_flavor[name]} for name in order],
    }


def fields(node: CohortNode) -> Json:
    """Return the fields of a ClusterQueue that the words of a text mean."""
    words = node.words
    preemption: dict[str, Json] = {_PREEMPTION[name]: words[name] for name in words if name in _PREEMPTION}
    if "borrow" in words:
        threshold = {"maxPriorityThreshold": int(words["threshold"])} if "threshold" in words else {}
        preemption["borrowWithinCohort"] = {"policy": words["borrow"], **threshold}
    fungibility = {_FUNGIBILITY[name]: words[name] for name in words if name in _FUNGIBILITY}
    return {
        **{name: words[name] for name in _PLAIN if name in words},
        **({"preemption": preemption} if preemption else {}),
        **({"flavorFungibility": fungibility} if fungibility else {}),
        **weighing(node),
    }


def weighing(node: CohortNode) -> Json:
    """Return the fair sharing of a queue or cohort that has a weight."""
    return {"fairSharing": {"weight": node.words["weight"]}} if "weight" in node.words else {}

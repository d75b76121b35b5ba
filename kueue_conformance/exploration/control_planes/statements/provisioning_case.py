"""A Workload with a check of Kueue's own controller, and the requests for it (pure)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ....base.json_types import Json
from ....stage.workloads.view import WorkloadView
from ..snapshot import Snapshot
from ..state import State, is_deleted
from .merged_pod_sets import MergedPodSet, merge

CONTROLLER = "kueue.x-k8s.io/provisioning-request"


@dataclass(frozen=True, slots=True)
class ProvisioningCase:
    """A Workload with one of its provisioning checks, and the requests for it, the newest first."""

    state: State
    workload: WorkloadView
    check: str
    config: Json
    requests: Sequence[Json]
    is_stalled: bool = False
    """Whether a check of the Workload needs capacity and has no request."""

    @property
    def entry(self) -> Mapping[str, Any]:
        """The entry of the check."""
        return dict(self.workload.checks[self.check])

    @property
    def request(self) -> Json:
        """The newest request; an empty one where there is none."""
        return self.requests[0] if self.requests else {}

    def says(self, condition: str) -> Mapping[str, Any]:
        """Return a condition of the newest request, empty where there is none."""
        conditions = (self.request.get("status") or {}).get("conditions") or ()
        return next((item for item in conditions if item["type"] == condition), {})

    @property
    def merged(self) -> Sequence[MergedPodSet]:
        """The pod sets of a request that is made now."""
        return merge(self.pod_sets, self.config["spec"].get("podSetMergePolicy", ""))

    @property
    def is_merging_open(self) -> bool:
        """Whether pod sets with other flavors are merged, which some releases do not (PA-064)."""
        assignments: Any = (self.workload.admission or {}).get("podSetAssignments", ())
        flavors = {item["name"]: item.get("flavors", {}) for item in assignments}
        return any(
            flavors.get(name) != flavors.get(merged.members[0])
            for merged in self.merged
            for name in merged.members
        )

    @property
    def pod_sets(self) -> Sequence[tuple[Json, int]]:
        """The pod sets that need capacity, with the numbers of pods that they were admitted with."""
        assignments: Any = (self.workload.admission or {}).get("podSetAssignments", ())
        counts = {item["name"]: item.get("count") for item in assignments}
        # With partial admission fewer pods need capacity.
        managed = {*(self.config["spec"].get("managedResources") or ())}
        return [
            (item, counts.get(item["name"], item["count"]))
            for item in self.workload.object["spec"]["podSets"]
            if item["count"] and counts.get(item["name"], item["count"]) and _uses(item, managed)
        ]


def _uses(pod_set: Json, managed: set[str]) -> bool:
    """Tell whether pods name a managed resource; all are, where none is named (PA-040)."""
    pods = pod_set["template"]["spec"]
    named = {
        resource
        for container in (*pods["containers"], *pods.get("initContainers", ()))
        for amounts in (container.get("resources") or {}).values()
        for resource in amounts
    }
    # A request of 0 counts as well: the name of the resource decides.
    return not managed or bool(named & managed)


def is_provisioning(check: Json) -> bool:
    """Tell whether Kueue's own controller decides about a check."""
    return bool(check.get("spec", {}).get("controllerName") == CONTROLLER)


def attempt_of(request: Json) -> int:
    """Return the number of an attempt, which ends the name of its request (PA-045)."""
    return int(request["metadata"]["name"].rpartition("-")[2])


def owns(workload: WorkloadView, request: Json) -> bool:
    """Tell whether a request belongs to a Workload, and not to a former one of its name."""
    owners = [owner.get("uid") for owner in request["metadata"].get("ownerReferences", ())]
    return not owners or workload.object["metadata"].get("uid") in owners


def all_requests(state: State, workload: WorkloadView) -> Iterator[Json]:
    """Yield the requests for the checks of a Workload, with those of the rest before."""
    name = workload.object["metadata"]["name"]
    for snapshot in (state.before, state.snapshot):
        for check in workload.checks:
            yield from requests_of(snapshot, name, check)


def requests_of(snapshot: Snapshot, workload: str, check: str) -> Iterator[Json]:
    """Yield the requests for a check of a Workload that are not being deleted."""
    pattern = re.compile(re.escape(f"{workload}-{check}-") + r"\d+")
    for name, request in snapshot.objects["ProvisioningRequest"].items():
        # A check whose name continues another one's has requests of its own.
        if pattern.fullmatch(name) and not is_deleted(request):
            yield request

"""Which pods a request is needed for (PA-040…043, PA-062)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from reference_impl.api.objects import PodSetAssignment
from reference_impl.api.resource import Json
from reference_impl.kueue.workload.view import Workload

from . import messages


class InconsistentError(Exception):
    """Quota was reserved for other podSets than the Workload has, so no request can be made."""


@dataclass(frozen=True, slots=True)
class ManagedPodSet:
    """A podSet and the number of its pods that need capacity."""

    pod_set: Json
    count: int
    assignment: Json

    @property
    def name(self) -> str:
        """Return the name of the podSet."""
        return str(self.pod_set["name"])


def uses_managed_resources(pod_set: Json, managed: frozenset[str]) -> bool:
    """Tell whether a container names a managed resource,
    in requests or limits; an amount of 0 counts (PA-040).
    """
    return _has_managed_resource(pod_set, managed, ("requests", "limits"))


def requests_managed_resources(pod_set: Json, managed: frozenset[str]) -> bool:
    """Tell the same by requests alone, as v0.6 did (DK-18)."""
    return _has_managed_resource(pod_set, managed, ("requests",))


def _has_managed_resource(pod_set: Json, managed: frozenset[str], places: Iterable[str]) -> bool:
    # `managedResources` empty means every podSet.
    if not managed:
        return True
    spec = pod_set["template"].get("spec") or {}
    containers = (*(spec.get("containers") or ()), *(spec.get("initContainers") or ()))
    named = (
        (container.get("resources") or {}).get(section) or {}
        for container in containers
        for section in places
    )
    return any(not managed.isdisjoint(resources) for resources in named)


def assignments(workload: Workload) -> Mapping[str, PodSetAssignment]:
    """Return what was assigned, by the name of the podSet."""
    return {assignment["name"]: assignment for assignment in workload.pod_set_assignments}


def managed_pod_sets(workload: Workload, managed: frozenset[str]) -> tuple[ManagedPodSet, ...]:
    """Return the podSets to ask for, in their order.

    Raises InconsistentError before the first that is known to need it.
    """
    return _managed_pod_sets(workload, managed, by_requests=False)


def managed_pod_sets_by_requests(workload: Workload, managed: frozenset[str]) -> tuple[ManagedPodSet, ...]:
    """Return the same as v0.6 found it: by requests alone, and with podSets of no pods (DK-18, DK-26)."""
    return _managed_pod_sets(workload, managed, by_requests=True)


def _managed_pod_sets(
    workload: Workload, managed: frozenset[str], *, by_requests: bool
) -> tuple[ManagedPodSet, ...]:
    assigned = assignments(workload)
    pod_sets: list[ManagedPodSet] = []
    judge = requests_managed_resources if by_requests else uses_managed_resources
    for pod_set in workload.spec.get("podSets") or ():
        count = int(pod_set.get("count", 1))
        if not judge(pod_set, managed) or (count <= 0 and not by_requests):
            continue
        assignment = assigned.get(pod_set["name"])
        if assignment is None:
            # Kueue looks up the assignment of the first podSet only; a later one
            # without is skipped in silence.
            if pod_sets:
                continue
            raise InconsistentError(messages.inconsistent(pod_set["name"]))
        admitted = int(assignment.get("count", count))
        if admitted > 0 or by_requests:
            pod_sets.append(ManagedPodSet(pod_set, admitted, assignment))
    return tuple(pod_sets)

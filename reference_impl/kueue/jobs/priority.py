"""The priority of a Job's Workload: of a WorkloadPriorityClass, else of the pods' class (AC-097, C-28)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from reference_impl.api.kinds import GROUP, PRIORITY_CLASSES, WORKLOAD_PRIORITY_CLASSES
from reference_impl.api.resource import Json, Key, Resource
from reference_impl.kueue.workload.view import Workload
from reference_impl.runtime.store import Store

from .job import PRIORITY_CLASS_LABEL, Job
from .steps import RecordEvent


class PriorityClassMissing(LookupError):
    """A Job names a class that does not exist."""


@dataclass(frozen=True, slots=True)
class JobPriority:
    """A number and, if it came from a class, which one."""

    value: int = 0
    group: str = ""
    kind: str = ""
    name: str = ""

    @property
    def reference(self) -> Json | None:
        """Return the `priorityClassRef`."""
        return {"group": self.group, "kind": self.kind, "name": self.name} if self.name else None

    @property
    def fields(self) -> Json:
        """Return the fields of the Workload's spec."""
        return {"priority": self.value, **({"priorityClassRef": self.reference} if self.name else {})}


NO_PRIORITY: Final = JobPriority()


@dataclass(frozen=True, slots=True)
class PriorityClasses:
    """Looks up priority classes."""

    workload_classes: Store
    pod_classes: Store

    def of(self, job: Job) -> JobPriority:
        """Return the priority of a Job; raises PriorityClassMissing."""
        name = job.labels.get(PRIORITY_CLASS_LABEL)
        if name:
            priority_class = _find(self.workload_classes, WORKLOAD_PRIORITY_CLASSES, name)
            return JobPriority(priority_class["value"], GROUP, WORKLOAD_PRIORITY_CLASSES.kind, name)
        name = job.template["spec"].get("priorityClassName")
        priority_class = (
            _find(self.pod_classes, PRIORITY_CLASSES, name) if name else _default(self.pod_classes)
        )
        return _of_pod_class(priority_class) if priority_class else NO_PRIORITY


def ignore_missing_class(_missing: str) -> RecordEvent | None:
    """Say nothing of a missing class on the Job, as v0.19.2 does (C-28)."""
    return None


def report_missing_class(missing: str) -> RecordEvent | None:
    """Report a missing WorkloadPriorityClass in an event of the Job (KV-20)."""
    kind, _, rest = missing.partition(f".{GROUP} ")
    if kind != WORKLOAD_PRIORITY_CLASSES.kind:
        return None
    return RecordEvent(f"{kind}NotFound", f"{kind} {rest}")


def follows_label(workload: Workload, name: str) -> bool:
    """Tell whether a Workload takes the class that the Job names now: not where its priority is that of
    its pods, and while it holds quota only from one WorkloadPriorityClass to another (AC-098).
    """
    reference = workload.spec.get("priorityClassRef")
    if reference is not None and reference.get("kind") != WORKLOAD_PRIORITY_CLASSES.kind:
        return False
    # The API refuses a reference that comes or goes while quota is reserved.
    return not workload.has_quota_reservation or (reference is not None and bool(name))


def follows_any_label(workload: Workload, name: str) -> bool:
    """Tell the same, and try to take the class away while quota is reserved, as v0.19.2 does (KV-53)."""
    # The API refuses that each time, and nothing that comes later is done for the Job.
    kind = (workload.spec.get("priorityClassRef") or {}).get("kind")
    is_taken_away = not name and kind == WORKLOAD_PRIORITY_CLASSES.kind
    return is_taken_away or follows_label(workload, name)


def _of_pod_class(priority_class: Json) -> JobPriority:
    name = priority_class["metadata"]["name"]
    return JobPriority(priority_class["value"], PRIORITY_CLASSES.group, PRIORITY_CLASSES.kind, name)


def _default(classes: Iterable[Json]) -> Json | None:
    """Return the default class: of several the lowest counts."""
    defaults = [priority_class for priority_class in classes if priority_class.get("globalDefault")]
    # Kubernetes takes the default class with the lowest value when there are several.
    return min(defaults, key=lambda priority_class: int(priority_class["value"]), default=None)


def _find(store: Store, resource: Resource, name: str) -> Json:
    priority_class = store.get(Key("", name))
    if priority_class is None:
        raise PriorityClassMissing(f'{resource.kind}.{resource.group} "{name}" not found')
    return priority_class

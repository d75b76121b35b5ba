"""The objects of a story at one moment (pure)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ...base.json_types import Json
from ...history.story import Change
from ...stage.workloads.view import WorkloadView

_KINDS = ("Workload", "Job", "ClusterQueue", "LocalQueue", "Cohort", "AdmissionCheck", "ResourceFlavor")
_OF_PODS = ("RuntimeClass", "LimitRange", "PodTemplate", "Namespace")
SNAPSHOT_KINDS = (
    *(*_KINDS, *_OF_PODS),
    *("WorkloadPriorityClass", "ProvisioningRequestConfig", "ProvisioningRequest"),
)
"""The kinds whose objects a snapshot has."""


@dataclass
class Snapshot:
    """The newest state of each object of some kinds, read from the story as it goes on."""

    objects: dict[str, dict[str, Json]] = field(default_factory=lambda: {kind: {} for kind in SNAPSHOT_KINDS})
    """By kind and name: a story has one namespace."""
    events: dict[str, dict[str, int]] = field(default_factory=dict)
    """How many events of each type and reason there are, by the name of the object."""
    owners: dict[str, str] = field(default_factory=dict)
    """The name of its Job, by that of a Workload: also of one that is gone."""
    default_requests: Mapping[str, str] = field(init=False)
    """What containers request by default in the namespace, by resource."""

    def __post_init__(self) -> None:
        self.default_requests = self._read_defaults()

    def take(self, changes: Sequence[Change]) -> None:
        """Take changes in, in their order."""
        for change in changes:
            if change.kind == "Event" and change.after is not None and change.before is None:
                regarding = (change.after.get("regarding") or change.after["involvedObject"])["name"]
                reasons = self.events.setdefault(regarding, {})
                reason = f"{change.after['reason']} ({change.after.get('type')})"
                reasons[reason] = reasons.get(reason, 0) + 1
            if change.kind not in self.objects:
                continue
            for owner in (change.after or {}).get("metadata", {}).get("ownerReferences", ()):
                self.owners[change.name] = owner["name"]
            if change.after is None:
                self.objects[change.kind].pop(change.name, None)
            else:
                self.objects[change.kind][change.name] = change.after
            if change.kind == "LimitRange":
                self.default_requests = self._read_defaults()

    def _read_defaults(self) -> Mapping[str, str]:
        return {
            resource: amount
            for limits in self.objects["LimitRange"].values()
            for limit in limits["spec"]["limits"]
            for resource, amount in limit.get("defaultRequest", {}).items()
        }

    def replace(self, kind: str, objects: Iterable[Json]) -> None:
        """Have these objects of a kind, and no others: those of a story that does not record the kind."""
        self.objects[kind] = {stored["metadata"]["name"]: stored for stored in objects}

    def copy(self) -> Snapshot:
        """Return a snapshot that later changes do not reach."""
        return Snapshot(
            {kind: dict(objects) for kind, objects in self.objects.items()}, self.events, self.owners
        )

    def workloads(self) -> Iterator[WorkloadView]:
        """Yield the Workloads that are not being deleted, in order of their names."""
        for _, workload in sorted(self.objects["Workload"].items()):
            if "deletionTimestamp" not in workload["metadata"]:
                yield WorkloadView(workload)

    def namespace_labels(self) -> Mapping[str, str]:
        """Return the labels of the namespace; none before the first one was set."""
        return next(
            (item["metadata"].get("labels") or {} for item in self.objects["Namespace"].values()),
            {},
        )

    def get(self, kind: str, name: str) -> Json:
        """Return an object; an empty one where there is none."""
        return self.objects[kind].get(name, {})

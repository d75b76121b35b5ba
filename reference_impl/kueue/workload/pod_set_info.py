"""What an admission puts into a pod template, and what if two sides want different things (AC-360…365)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from reference_impl.api.objects import CheckState, PodSetUpdate
from reference_impl.api.resource import Json

QUEUE_LABEL: Final = "kueue.x-k8s.io/local-queue-name"
CLUSTER_QUEUE_LABEL: Final = "kueue.x-k8s.io/cluster-queue-name"
POD_SET_LABEL: Final = "kueue.x-k8s.io/podset"
WORKLOAD_ANNOTATION: Final = "kueue.x-k8s.io/workload"
DNS_LABEL: Final = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")

Pairs = Mapping[str, str]


class PodSetConflict(Exception):
    """Two sides want different values; the Workload can never start (AC-364)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PodSetInfo:
    """Fields to merge into the template of one podSet."""

    count: int = 0
    annotations: Pairs = field(default_factory=dict)
    labels: Pairs = field(default_factory=dict)
    node_selector: Pairs = field(default_factory=dict)
    tolerations: tuple[Json, ...] = ()

    def merge(self, other: PodSetInfo) -> PodSetInfo:
        """Return both together; raise PodSetConflict where they disagree. Maps are compared in this order."""
        return replace(
            self,
            annotations=_together("annotations", self.annotations, other.annotations),
            labels=_together("labels", self.labels, other.labels),
            node_selector=_together("nodeSelector", self.node_selector, other.node_selector),
            tolerations=_all_of(self.tolerations, other.tolerations),
        )


def _together(field: str, ours: Pairs, theirs: Pairs) -> Pairs:
    # Go iterates maps in random order; sorted, the same conflict is named in every run.
    for name in sorted(ours.keys() & theirs.keys()):
        if ours[name] != theirs[name]:
            values = f"key={name}, value1={ours[name]}, value2={theirs[name]}"
            raise PodSetConflict(
                f"invalid admission check PodSetUpdate: conflict for {field}: conflict for {values}"
            )
    return {**ours, **theirs}


def _all_of(ours: tuple[Json, ...], theirs: Iterable[Json]) -> tuple[Json, ...]:
    identities = {_identity(toleration) for toleration in ours}
    return (*ours, *(toleration for toleration in theirs if _identity(toleration) not in identities))


def _identity(toleration: Json) -> tuple[str, ...]:
    """Seconds do not count, and no operator means Equal (AC-362)."""
    operator = toleration.get("operator") or "Equal"
    return (operator, *(toleration.get(name) or "" for name in ("key", "value", "effect")))


def of_update(update: PodSetUpdate) -> PodSetInfo:
    """Read what a check controller wants to have merged."""
    return PodSetInfo(
        annotations=update.get("annotations") or {},
        labels=update.get("labels") or {},
        node_selector=update.get("nodeSelector") or {},
        tolerations=tuple(update.get("tolerations") or ()),
    )


def of_template(template: Json) -> PodSetInfo:
    """Read what a pod template has of these things already."""
    metadata, spec = template.get("metadata") or {}, template.get("spec") or {}
    return PodSetInfo(
        annotations=metadata.get("annotations") or {},
        labels=metadata.get("labels") or {},
        node_selector=spec.get("nodeSelector") or {},
        tolerations=tuple(spec.get("tolerations") or ()),
    )


def of_flavors(assignment: Json, flavors: Mapping[str, Json]) -> PodSetInfo:
    """Return what the assigned flavors bring; KeyError without a flavor."""
    assigned = dict.fromkeys((assignment.get("flavors") or {}).values())
    specs = [flavors[name].get("spec") or {} for name in assigned]
    selectors = [spec.get("nodeLabels") or {} for spec in specs]
    tolerations = [toleration for spec in specs for toleration in spec.get("tolerations") or ()]
    return PodSetInfo(
        node_selector={key: value for selector in selectors for key, value in selector.items()},
        tolerations=tuple(tolerations),
    )


def of_assignment(assignment: Json, names: Names, flavors: Mapping[str, Json]) -> PodSetInfo:
    """Return what the assigned flavors bring and the labels of the pods; KeyError without a flavor."""
    return replace(
        of_flavors(assignment, flavors),
        count=int(assignment["count"]),
        annotations={WORKLOAD_ANNOTATION: names.workload},
        labels=names.labels(assignment["name"]),
    )


@dataclass(frozen=True, slots=True)
class Names:
    """Where the pods belong."""

    workload: str
    local_queue: str
    cluster_queue: str

    def labels(self, pod_set: str) -> Pairs:
        """Return the labels of the pods of a podSet; a name that is no label is left out (AC-361)."""
        labels = {POD_SET_LABEL: pod_set, QUEUE_LABEL: self.local_queue}
        # A ClusterQueue may have a dot in its name or more than 63 characters, which no
        # label value of Kueue's takes.
        if DNS_LABEL.fullmatch(self.cluster_queue):
            labels[CLUSTER_QUEUE_LABEL] = self.cluster_queue
        return labels


def with_checks(info: PodSetInfo, pod_set: str, entries: Iterable[CheckState]) -> PodSetInfo:
    """Merge what every listed check asks for this podSet, whatever its state (AC-362)."""
    for entry in entries:
        updates = (update for update in entry.get("podSetUpdates") or () if update["name"] == pod_set)
        update = next(updates, None)
        if update is not None:
            info = _merge_for(entry["name"], info, of_update(update))
    return info


def _merge_for(check: str, info: PodSetInfo, update: PodSetInfo) -> PodSetInfo:
    try:
        return info.merge(update)
    except PodSetConflict as conflict:
        raise PodSetConflict(f'in admission check "{check}": {conflict}') from None


def inject(template: Json, info: PodSetInfo) -> Json:
    """Return the pod template with everything merged in (AC-363)."""
    return write(template, of_template(template).merge(info))


def restore(template: Json, original: Json, kept_labels: Iterable[str]) -> Json:
    """Return the pod template as it was, but for labels that never belonged to the Workload (AC-367)."""
    labels = (template.get("metadata") or {}).get("labels") or {}
    before = of_template(original)
    tracking = {name: labels[name] for name in kept_labels if name in labels}
    gates = (original.get("spec") or {}).get("schedulingGates") or []
    back = write(template, replace(before, labels={**before.labels, **tracking}))
    return {**back, "spec": _with(back["spec"], "schedulingGates", list(gates))}


def write(template: Json, info: PodSetInfo) -> Json:
    """Return the pod template with these four things, absent where empty."""
    metadata = _with(template.get("metadata") or {}, "annotations", dict(info.annotations))
    metadata = _with(metadata, "labels", dict(info.labels))
    spec = _with(template.get("spec") or {}, "nodeSelector", dict(info.node_selector))
    spec = _with(spec, "tolerations", list(info.tolerations))
    return {"metadata": metadata, "spec": spec}


def _with(obj: Json, name: str, value: Json) -> Json:
    rest = {key: item for key, item in obj.items() if key != name}
    return {**rest, name: value} if value else rest

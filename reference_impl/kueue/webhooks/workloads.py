"""What Workloads must be, and what of them may change (AC-092…127, AC-160…163)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from ...api.quantity import quantity
from ...api.resource import Json
from ..workload.view import Workload
from .flavors import keys_of_tolerations
from .gates import gates_of, gates_unchanged
from .names import annotation_names, labels
from .problems import (
    IMMUTABLE,
    Problem,
    duplicate,
    forbidden,
    invalid,
    not_found,
    required,
    unchanged,
    unsupported,
)
from .resource_groups import negative
from .writes import ReviewedWrite, ValidationRule

RESERVED_RESOURCE: Final = "pods"
TOPOLOGY: Final = frozenset({"topologyAssignment", "delayedTopologyRequest"})
"""Fields of an assignment that may change: the topology comes later."""


def pod_sets(write: ReviewedWrite) -> Iterator[Problem]:
    """AC-092, AC-094: what the pods ask for, and at most one group that may be smaller."""
    groups = write.spec.get("podSets") or ()
    for index, group in enumerate(groups):
        yield from _template(group.get("template") or {}, f"spec.podSets[{index}].template")
        if write.features["TASValidateWorkloadSliceSize"]:
            yield from _slices(group.get("topologyRequest") or {}, f"spec.podSets[{index}].topologyRequest")
    variable = sum("minCount" in group for group in groups)
    # Two reducible podSets would need a search in two dimensions.
    if variable > 1:
        yield invalid("spec.podSets", variable, "at most one podSet can use minCount")


def _slices(request: Json, path: str) -> Iterator[Problem]:
    """KV-24: the size of slices and their topology come together; a size is positive, also where the
    definition has no minimum.
    """
    topology, size = request.get("podSetSliceRequiredTopology"), request.get("podSetSliceSize")
    if topology is not None and size is None:
        yield required(f"{path}.podSetSliceSize", "must be set when podSetSliceRequiredTopology is specified")
    elif topology is None and size is not None:
        text = "may not be set when podSetSliceRequiredTopology is not specified"
        yield forbidden(f"{path}.podSetSliceSize", text)
    elif size is not None and size < 1:
        yield invalid(f"{path}.podSetSliceSize", size, "must be greater than 0")
    for index, layer in enumerate(request.get("podsetSliceRequiredTopologyConstraints") or ()):
        if layer.get("size", 1) < 1:
            field = f"{path}.podsetSliceRequiredTopologyConstraints[{index}].size"
            yield invalid(field, layer["size"], "must be greater than 0")


def _template(template: Json, path: str) -> Iterator[Problem]:
    spec, metadata = template.get("spec") or {}, template.get("metadata") or {}
    for name in ("initContainers", "containers"):
        for index, container in enumerate(spec.get(name) or ()):
            requests = (container.get("resources") or {}).get("requests") or {}
            yield from _requests(requests, f"{path}.spec.{name}[{index}].resources.requests")
    yield from labels(metadata.get("labels"), f"{path}.metadata.labels")
    yield from annotation_names(metadata.get("annotations"), f"{path}.metadata.annotations")


def _requests(requests: Mapping[str, Json], path: str) -> Iterator[Problem]:
    for name, amount in sorted(requests.items()):
        if name == RESERVED_RESOURCE:
            yield invalid(f"{path}[{name}]", name, "the key is reserved for internal kueue use")
        yield from negative(amount, f"{path}[{name}]")


def admission(write: ReviewedWrite) -> Iterator[Problem]:
    """AC-112, AC-113: a reservation says where, for podSets that exist, the same for each pod.

    The release prints an address of its memory where the count is meant (C-17); here it is the count.
    """
    new, old = Workload(write.new), Workload(write.old or {})
    if not new.has_quota_reservation:
        return
    if new.admission is None:
        # A Workload that was stored like this may be written on: only the step into
        # this state is refused.
        if not (old.has_quota_reservation and old.admission is None):
            yield required("status.admission", "must be set while the QuotaReserved condition is true")
        return
    names = {group.get("name") for group in write.spec.get("podSets") or ()}
    for index, assignment in enumerate(new.admission.get("podSetAssignments") or ()):
        path = f"status.admission.podSetAssignments[{index}]"
        if assignment.get("name") not in names:
            yield not_found(f"{path}.name", assignment.get("name", ""))
        yield from _divisible(assignment, f"{path}.resourceUsage")


def _divisible(assignment: Json, path: str) -> Iterator[Problem]:
    count = assignment.get("count") or 0
    for name, amount in sorted((assignment.get("resourceUsage") or {}).items()):
        value = quantity(amount)
        # The units in which Kueue counts: thousandths of a processor, whole units of
        # everything else.
        in_units = value.milli if name == "cpu" else value.units
        if count > 0 and in_units % count:
            yield invalid(f"{path}[{name}]", str(value), f"is not a multiple of {count}")


def reclaimable(write: ReviewedWrite) -> Iterator[Problem]:
    """AC-115: no more pods are given back than there are; none is taken again while quota is held."""
    counts = {group.get("name", ""): group.get("count", 0) for group in write.spec.get("podSets") or ()}
    new, old = _reclaimable(write.new), _reclaimable(write.old)
    for name, count in new.items():
        path = f"status.reclaimablePods[{name}]"
        if name not in counts:
            yield unsupported(f"{path}.name", name, list(counts))
        elif count > counts[name]:
            yield invalid(f"{path}.count", count, f"should be less or equal to {counts[name]}")
    if not _stays_reserved(write):
        return
    for name, count in new.items():
        if count < old.get(name, 0):
            yield invalid(f"status.reclaimablePods[{name}].count", count, f"cannot be less than {old[name]}")
    yield from (
        required(f"status.reclaimablePods[{name}]", "cannot be removed") for name in old if name not in new
    )


def _reclaimable(obj: Json) -> dict[str, int]:
    pods = ((obj or {}).get("status") or {}).get("reclaimablePods") or ()
    return {pod.get("name", ""): pod.get("count", 0) for pod in pods}


def _stays_reserved(write: ReviewedWrite) -> bool:
    return (
        write.old is not None
        and Workload(write.old).has_quota_reservation
        and Workload(write.new).has_quota_reservation
    )


def pod_set_updates(write: ReviewedWrite) -> Iterator[Problem]:
    """AC-124…126: a check changes podSets that exist, by labels that are labels."""
    names = sorted({group.get("name", "") for group in write.spec.get("podSets") or ()})
    for index, check in enumerate(_checks(write.new)):
        for at, update in enumerate(check.get("podSetUpdates") or ()):
            path = f"status.admissionChecks[{index}].podSetUpdates[{at}]"
            if update.get("name", "") not in names:
                yield unsupported(f"{path}.name", update.get("name", ""), names)
            yield from keys_of_tolerations(update.get("tolerations"), f"{path}.tolerations")
            yield from annotation_names(update.get("annotations"), f"{path}.annotations")
            yield from labels(update.get("nodeSelector"), f"{path}.nodeSelector")
            yield from labels(update.get("labels"), f"{path}.labels")


def unique_pod_set_updates(write: ReviewedWrite) -> Iterator[Problem]:
    """Refuse a second update of a podSet within one check, where the release has the gate (KV-36)."""
    if not write.features["WorkloadValidateUniquePodSetUpdates"]:
        return
    for index, check in enumerate(_checks(write.new)):
        names = [update.get("name", "") for update in check.get("podSetUpdates") or ()]
        path = f"status.admissionChecks[{index}].podSetUpdates"
        yield from (
            duplicate(f"{path}[{at}].name", name) for at, name in enumerate(names) if name in names[:at]
        )


def _checks(obj: Json) -> list[Json]:
    return ((obj or {}).get("status") or {}).get("admissionChecks") or []


def pod_sets_unchanged(write: ReviewedWrite) -> Iterator[Problem]:
    """AC-161: requests are unchanged while quota is held."""
    if write.old is None or not Workload(write.old).has_quota_reservation:
        return
    new, old = write.spec.get("podSets") or [], write.old_spec.get("podSets") or []
    if len(new) != len(old):
        yield invalid("spec.podSets", new, IMMUTABLE)
        return
    for index, (current_time, before) in enumerate(zip(new, old, strict=True)):
        if current_time != before:
            # Kueue's path has a dot here and brackets elsewhere; clients see it (C-18).
            yield invalid(f"spec.podSets.{index}", current_time, IMMUTABLE)


def admission_unchanged(write: ReviewedWrite) -> Iterator[Problem]:
    """AC-111: a reservation is made and taken back, never changed."""
    new, old = Workload(write.new).admission, Workload(write.old or {}).admission
    if new and old and _without_topology(new) != _without_topology(old):
        yield invalid("status.admission", new, IMMUTABLE)


def _without_topology(admission: Json) -> Json:
    assignments = [
        {name: value for name, value in assignment.items() if name not in TOPOLOGY}
        for assignment in admission.get("podSetAssignments") or ()
    ]
    return {**admission, "podSetAssignments": assignments}


def updates_unchanged(write: ReviewedWrite) -> Iterator[Problem]:
    """AC-127: what a check said with Ready stands while it says Ready; none at all is quoted
    as it was sent.
    """
    current_time, sent = (
        {check.get("name"): check for check in _checks(obj)} for obj in (write.new, write.sent)
    )
    for index, before in enumerate(_checks(write.old)):
        name = before.get("name")
        after = current_time.get(name, {})
        # Any other step is a new answer, which may say something else.
        if before.get("state") == after.get("state") == "Ready":
            path = f"status.admissionChecks[{index}].podSetUpdates"
            updates = after.get("podSetUpdates") or sent.get(name, {}).get("podSetUpdates")
            yield from unchanged(updates, before.get("podSetUpdates"), path)


def cluster_name(write: ReviewedWrite) -> Iterator[Problem]:
    """AC-162: the cluster is one of those that were nominated."""
    new = (write.new.get("status") or {}).get("clusterName")
    old = ((write.old or {}).get("status") or {}) if write.old is not None else {"clusterName": new}
    if new and not old.get("clusterName") and new not in (old.get("nominatedClusterNames") or ()):
        text = "when setting clusterName it must be one of the nominatedClusterNames"
        yield invalid("status.clusterName", new, text)


WORKLOAD: Final = (
    ValidationRule(pod_sets),
    ValidationRule(admission),
    ValidationRule(reclaimable),
    ValidationRule(pod_set_updates),
    ValidationRule(unique_pod_set_updates),
    ValidationRule(gates_of, (0, 16)),
    ValidationRule(pod_sets_unchanged),
    ValidationRule(admission_unchanged),
    ValidationRule(updates_unchanged),
    ValidationRule(cluster_name, (0, 13)),
    ValidationRule(gates_unchanged, (0, 16)),
)

"""Objects from v1beta1 to v1beta2 and back, as Kueue's conversion does it (AC-200…211, C-13, C-14).

An object is read as its own version's type, its fields are moved, and it is written as the other version's
type: what the other version does not have is gone, and what its types write always appears.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from .gotypes import rewritten
from .kinds import GROUP
from .resource import Json
from .topology import domains_of, slices_of
from .typed import kind_of

OLD, NEW = "v1beta1", "v1beta2"
Step = Callable[[Json], Json]
SOURCES: Final = {
    "kueue.x-k8s.io/workloadpriorityclass": ("kueue.x-k8s.io", "WorkloadPriorityClass"),
    "scheduling.k8s.io/priorityclass": ("scheduling.k8s.io", "PriorityClass"),
}
LEGACY: Final = {"Borrow": "MayStopSearch", "Preempt": "MayStopSearch"}


class ConversionError(ValueError):
    """No conversion exists for this request; the text names it."""


@dataclass(frozen=True, slots=True)
class Conversion:
    """How a kind's fields move; `renamed` are (section, name in v1beta1, name in v1beta2)."""

    renamed: tuple[tuple[str, str, str], ...] = ()
    up: Step = dict
    down: Step = dict
    # Lists that Go writes as null are left out: no client sees them. Those of queues
    # are refused while being written.
    sparse: bool = False


def convert(obj: Json, api_version: str, dialect: str) -> Json:
    """Return an object in another version; raises DecodeError or ConversionError."""
    kind, origin, target = obj.get("kind", ""), _version(obj.get("apiVersion", "")), _version(api_version)
    row = CONVERSIONS.get(kind)
    if row is None or {origin, target} - {OLD, NEW}:
        raise ConversionError(f"cannot convert {obj.get('apiVersion')} {kind} to {api_version}")
    read = rewritten(kind_of(kind, dialect, origin), obj)
    moved = read if origin == target else _move(row, read, target)
    written = rewritten(kind_of(kind, dialect, target), {**moved, "apiVersion": api_version})
    return _without_nulls(written) if row.sparse and origin != target else written


def _without_nulls(value: Json) -> Json:
    """Return a value without the lists that Go writes as null."""
    if isinstance(value, dict):
        return {name: _without_nulls(below) for name, below in value.items() if below is not None}
    if isinstance(value, list):
        return [_without_nulls(item) for item in value]
    return value


def _move(row: Conversion, obj: Json, target: str) -> Json:
    for section, old, new in row.renamed:
        source, goal = (old, new) if target == NEW else (new, old)
        obj = _with(obj, section, _rename(obj.get(section) or {}, source, goal))
    return row.up(obj) if target == NEW else row.down(obj)


def _version(api_version: str) -> str:
    group, _, version = api_version.partition("/")
    return version if group == GROUP else ""


def _with(obj: Json, section: str, value: Json) -> Json:
    return {**obj, section: value}


def _rename(section: Json, source: str, goal: str) -> Json:
    return {goal if name == source else name: value for name, value in section.items()}


def _queue_up(obj: Json) -> Json:
    spec = dict(obj["spec"])
    if names := spec.get("admissionChecks"):
        spec["admissionChecksStrategy"] = {"admissionChecks": [{"name": name} for name in names]}
    if fungibility := spec.get("flavorFungibility"):
        words = {name: LEGACY.get(word, word) for name, word in fungibility.items()}
        spec["flavorFungibility"] = words
    return _with(obj, "spec", spec)


def _workload_up(obj: Json) -> Json:
    spec = dict(obj["spec"])
    if source := spec.get("priorityClassSource"):
        group, kind = SOURCES.get(source, ("", ""))
        spec["priorityClassRef"] = {"group": group, "kind": kind, "name": spec.get("priorityClassName", "")}
    return _convert_assignments(_with(obj, "spec", spec), slices_of)


def _workload_down(obj: Json) -> Json:
    spec = dict(obj["spec"])
    if reference := spec.get("priorityClassRef"):
        named = (reference.get("group", ""), reference.get("kind", ""))
        spec["priorityClassSource"] = next((word for word, pair in SOURCES.items() if pair == named), "")
        spec["priorityClassName"] = reference.get("name", "")
    return _convert_assignments(_with(obj, "spec", spec), domains_of)


def _convert_assignments(obj: Json, step: Step) -> Json:
    """Return a Workload whose topology assignments went through a step."""
    admission = obj["status"].get("admission")
    if not admission or not admission.get("podSetAssignments"):
        return obj
    assignments = [
        {**pod_set_assignment, "topologyAssignment": step(pod_set_assignment["topologyAssignment"])}
        if pod_set_assignment.get("topologyAssignment")
        else pod_set_assignment
        for pod_set_assignment in admission["podSetAssignments"]
    ]
    return _with(
        obj, "status", {**obj["status"], "admission": {**admission, "podSetAssignments": assignments}}
    )


def _cluster_up(obj: Json) -> Json:
    """A kubeconfig without a place is none."""
    spec = obj["spec"]
    sources = {"kubeConfig": (spec.get("kubeConfig") or {}).get("location"), "clusterProfileRef": True}
    source = {name: spec[name] for name, path in sources.items() if path and spec.get(name)}
    return _with(obj, "spec", {"clusterSource": source})


def _cluster_down(obj: Json) -> Json:
    return _with(obj, "spec", obj["spec"].get("clusterSource", {}))


EXECUTION_TIME: Final = "accumulatedPastExexcutionTimeSeconds", "accumulatedPastExecutionTimeSeconds"
CONVERSIONS: Final[Mapping[str, Conversion]] = MappingProxyType(
    {
        "ClusterQueue": Conversion((("spec", "cohort", "cohortName"),), up=_queue_up),
        "Cohort": Conversion(),
        "LocalQueue": Conversion((("status", "flavorUsage", "flavorsUsage"),)),
        "MultiKueueCluster": Conversion(up=_cluster_up, down=_cluster_down),
        "Workload": Conversion(
            (("status", *EXECUTION_TIME),), up=_workload_up, down=_workload_down, sparse=True
        ),
    }
)

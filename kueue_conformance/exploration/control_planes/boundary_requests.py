"""Requests at the limits of Kueue's API: what its definitions and webhooks accept and fill in (data)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from ...base.json_types import Json

_CPU = {"name": "cpu", "nominalQuota": "4"}
_MEMORY = {"name": "memory", "nominalQuota": "4"}
_GROUP: Json = {"coveredResources": ["cpu"], "flavors": [{"name": "f", "resources": [_CPU]}]}
_OTHER_GROUP: Json = {"coveredResources": ["memory"], "flavors": [{"name": "g", "resources": [_MEMORY]}]}
_PODS: Json = {
    "spec": {"restartPolicy": "Never", "containers": [{"name": "main", "image": "pause", "resources": {}}]}
}
_POD_SET: Json = {"name": "main", "count": 1, "template": _PODS}
_PARAMETERS = {"apiGroup": "example.com", "kind": "Config", "name": "c"}
_TAINT = {"key": "a", "value": "b", "effect": "NoSchedule"}
_BASES: Mapping[str, Json] = {
    "AdmissionCheck": {"controllerName": "example.com/c"},
    "ClusterQueue": {"namespaceSelector": {}, "resourceGroups": [_GROUP]},
    "LocalQueue": {"clusterQueue": "q"},
    "ResourceFlavor": {"nodeLabels": {"a": "b"}},
    "Workload": {"queueName": "l", "podSets": [_POD_SET]},
    "Cohort": {},
    "ProvisioningRequestConfig": {"provisioningClassName": "example.com"},
}
"""The spec that each kind has but for what a request changes."""
_RESOURCE = "resourceGroups.0.flavors.0.resources.0"
_CHECKS = "admissionChecksStrategy"


@dataclass(frozen=True, slots=True)
class BoundaryRequest:
    """A request to create an object, and whether it is refused: by the definitions, or by webhooks alone."""

    row: str
    kind: str
    fields: Mapping[str, Any]
    """Values by their paths in the spec; None removes a field."""
    is_refused: bool

    @property
    def manifest(self) -> Json:
        """The object, with a name that nothing else has."""
        spec = deepcopy(_BASES[self.kind])
        for path, value in self.fields.items():
            _set(spec, path.split("."), value)
        return {"kind": self.kind, "metadata": {"name": "boundary"}, "spec": spec}


def _set(target: Any, path: Sequence[str], value: Any) -> None:
    """Set the field at a path, and make the fields above it that are missing."""
    *above, last = path
    for step in above:
        target = target[int(step)] if step.isdigit() else target.setdefault(step, {})
    if value is None:
        target.pop(last)
    else:
        target[int(last) if last.isdigit() else last] = value


def _limits(kind: str, row: str, path: str, most: int, values: Any) -> Iterator[tuple[str, BoundaryRequest]]:
    """Yield a request with as many items as there may be, and the same with one more."""
    name = f"{kind}-{path.rpartition('.')[2]}"
    yield f"{name}-{most}", BoundaryRequest(row, kind, {path: values(most)}, is_refused=False)
    yield f"{name}-{most + 1}", BoundaryRequest(row, kind, {path: values(most + 1)}, is_refused=True)


def _labels(number: int) -> Json:
    return {f"example.com/l{place}": "b" for place in range(number)}


def _pod_sets(number: int) -> Sequence[Json]:
    return [{**_POD_SET, "name": f"set-{place}"} for place in range(number)]


def _taints(number: int) -> Sequence[Json]:
    return [{**_TAINT, "key": f"k{place}"} for place in range(number)]


def _tolerations(number: int) -> Sequence[Json]:
    return [{"key": f"k{place}", "operator": "Exists"} for place in range(number)]


def _checks(*names: str, **more: Any) -> Json:
    return {"admissionChecks": [{"name": name, **more} for name in names]}


_BY_LIMIT: Sequence[tuple[str, str, str, int, Any]] = (
    ("AdmissionCheck", "AC-011", "controllerName", 253, lambda number: "c" * number),
    ("ResourceFlavor", "AC-080", "nodeLabels", 8, _labels),
    ("ResourceFlavor", "AC-081", "nodeTaints", 8, _taints),
    ("ResourceFlavor", "AC-082", "tolerations", 8, _tolerations),
    ("Workload", "AC-090", "podSets", 18, _pod_sets),
    ("ProvisioningRequestConfig", "PA-013", "parameters", 100, _labels),
    ("ProvisioningRequestConfig", "PA-013", "parameters.example", 255, lambda number: "c" * number),
    (
        "ProvisioningRequestConfig",
        "PA-014",
        "managedResources",
        100,
        lambda number: [f"example.com/r{place}" for place in range(number)],
    ),
)
_REFUSED: Sequence[tuple[str, str, str, Any]] = (
    ("AC-011", "AdmissionCheck", "controllerName", None),
    ("AC-011", "AdmissionCheck", "controllerName", ""),
    ("AC-013", "AdmissionCheck", "parameters", {**_PARAMETERS, "apiGroup": "A_b"}),
    ("AC-014", "AdmissionCheck", "parameters", {**_PARAMETERS, "kind": "1"}),
    ("AC-015", "AdmissionCheck", "parameters", {**_PARAMETERS, "name": "a.b"}),
    ("AC-030", "ClusterQueue", "resourceGroups.0.coveredResources", ["cpu", "memory"]),
    ("AC-031", "ClusterQueue", "resourceGroups.0.coveredResources", []),
    ("AC-032", "ClusterQueue", "resourceGroups.0.flavors.0.name", "A_b"),
    ("AC-033", "ClusterQueue", f"{_RESOURCE}.borrowingLimit", "1"),
    ("AC-034", "ClusterQueue", "cohortName", "A_b"),
    ("AC-035", "ClusterQueue", "queueingStrategy", "Any"),
    ("AC-037", "ClusterQueue", "flavorFungibility", {"whenCanBorrow": "Never"}),
    ("AC-038", "ClusterQueue", "preemption", {"reclaimWithinCohort": "Some"}),
    ("AC-038", "ClusterQueue", "preemption", {"withinClusterQueue": "Any"}),
    ("AC-039", "ClusterQueue", _CHECKS, {"admissionChecks": []}),
    ("AC-039", "ClusterQueue", _CHECKS, _checks("k", "k")),
    ("AC-043", "ClusterQueue", "stopPolicy", "Stop"),
    ("AC-070", "LocalQueue", "clusterQueue", "A_b"),
    ("AC-071", "LocalQueue", "stopPolicy", "Stop"),
    ("AC-081", "ResourceFlavor", "nodeTaints", [{**_TAINT, "effect": "Never"}]),
    ("AC-082", "ResourceFlavor", "tolerations", [{"key": "a", "operator": "Exists", "value": "b"}]),
    ("AC-082", "ResourceFlavor", "tolerations", [{"key": "a", "operator": "Like"}]),
    (
        "AC-082",
        "ResourceFlavor",
        "tolerations",
        [{"key": "a", "operator": "Exists", "effect": "NoSchedule", "tolerationSeconds": 5}],
    ),
    ("AC-090", "Workload", "podSets", [_POD_SET, _POD_SET]),
    ("AC-091", "Workload", "podSets.0.name", "A_b"),
    ("AC-093", "Workload", "podSets.0.count", -1),
    ("AC-094", "Workload", "podSets.0.minCount", 2),
    ("AC-096", "Workload", "queueName", "A_b"),
    (
        "AC-097",
        "Workload",
        "priorityClassRef",
        {"group": "scheduling.k8s.io", "kind": "PriorityClass", "name": "p"},
    ),
    ("AC-100", "Workload", "maximumExecutionTimeSeconds", 0),
    ("AC-185", "Cohort", "parentName", "A_b"),
    ("PA-012", "ProvisioningRequestConfig", "provisioningClassName", None),
    ("PA-012", "ProvisioningRequestConfig", "provisioningClassName", "A_b"),
    ("PA-014", "ProvisioningRequestConfig", "managedResources", ["cpu", "cpu"]),
    ("PA-017", "ProvisioningRequestConfig", "podSetMergePolicy", "Any"),
)
_REFUSED_BY_WEBHOOKS: Sequence[tuple[str, str, Mapping[str, Any]]] = (
    ("AC-030", "ClusterQueue", {"resourceGroups": [_GROUP, _GROUP]}),
    (
        "AC-030",
        "ClusterQueue",
        {"resourceGroups": [_GROUP, {**_OTHER_GROUP, "flavors": [{"name": "f", "resources": [_MEMORY]}]}]},
    ),
    ("AC-033", "ClusterQueue", {f"{_RESOURCE}.lendingLimit": "1"}),
    ("AC-033", "ClusterQueue", {f"{_RESOURCE}.lendingLimit": "5", "cohortName": "c"}),
    ("AC-033", "ClusterQueue", {f"{_RESOURCE}.nominalQuota": "-1"}),
    (
        "AC-036",
        "ClusterQueue",
        {"namespaceSelector": {"matchExpressions": [{"key": "a", "operator": "Like"}]}},
    ),
    ("AC-041", "ClusterQueue", {_CHECKS: _checks("k", onFlavors=["other"])}),
    ("AC-044", "ClusterQueue", {"fairSharing": {"weight": "-1"}}),
    ("AC-080", "ResourceFlavor", {"nodeLabels": {"a b": "c"}}),
    ("AC-080", "ResourceFlavor", {"nodeLabels": {"a": "b c"}}),
    ("AC-081", "ResourceFlavor", {"nodeTaints": [_TAINT, _TAINT]}),
    ("AC-092", "Workload", {"podSets.0.template.spec.containers.0.resources": {"requests": {"pods": "1"}}}),
    (
        "AC-094",
        "Workload",
        {"podSets": [{**item, "count": 2, "minCount": 1} for item in _pod_sets(2)]},
    ),
    (
        "AC-185",
        "Cohort",
        {
            "resourceGroups": [
                {**_GROUP, "flavors": [{"name": "f", "resources": [{**_CPU, "borrowingLimit": "1"}]}]}
            ]
        },
    ),
)
_ACCEPTED: Sequence[tuple[str, str, Mapping[str, Any]]] = (
    ("AC-012", "AdmissionCheck", {"parameters": _PARAMETERS}),
    ("AC-030", "ClusterQueue", {"resourceGroups": [_GROUP, _OTHER_GROUP]}),
    ("AC-033", "ClusterQueue", {f"{_RESOURCE}.borrowingLimit": "1", "cohortName": "c"}),
    ("AC-033", "ClusterQueue", {f"{_RESOURCE}.lendingLimit": "4", "cohortName": "c"}),
    ("AC-033", "ClusterQueue", {f"{_RESOURCE}.nominalQuota": "0"}),
    ("AC-041", "ClusterQueue", {_CHECKS: _checks("k", onFlavors=["f"])}),
    ("AC-044", "ClusterQueue", {"fairSharing": {"weight": "0"}}),
    ("AC-081", "ResourceFlavor", {"nodeTaints": [_TAINT, {**_TAINT, "effect": "NoExecute"}]}),
    ("AC-093", "Workload", {"podSets.0.count": 0}),
    ("AC-094", "Workload", {"podSets.0.minCount": 1}),
    ("AC-098", "Workload", {"priority": -(2**31)}),
    ("AC-100", "Workload", {"maximumExecutionTimeSeconds": 1}),
    ("AC-185", "Cohort", {"parentName": "p"}),
    ("PA-015", "ProvisioningRequestConfig", {"retryStrategy": {"backoffLimitCount": 0}}),
)


def _requests() -> Iterator[tuple[str, BoundaryRequest]]:
    for limit in _BY_LIMIT:
        yield from _limits(*limit)
    for number, (row, kind, path, value) in enumerate(_REFUSED, 1):
        yield f"refused-{number}", BoundaryRequest(row, kind, {path: value}, is_refused=True)
    for number, (row, kind, fields) in enumerate(_REFUSED_BY_WEBHOOKS, 1):
        yield (
            f"refused-by-webhook-{number}",
            BoundaryRequest(row, kind, fields, is_refused=True),
        )
    for number, (row, kind, fields) in enumerate(_ACCEPTED, 1):
        yield f"accepted-{number}", BoundaryRequest(row, kind, fields, is_refused=False)


REQUESTS: Mapping[str, BoundaryRequest] = dict(_requests())
"""The requests by the word of an act."""
DEFAULTS: Mapping[str, Mapping[str, Any]] = {
    "ClusterQueue": {
        "queueingStrategy": "BestEffortFIFO",
        "stopPolicy": "None",
        "flavorFungibility": {"whenCanBorrow": "MayStopSearch", "whenCanPreempt": "TryNextFlavor"},
        "preemption": {
            "reclaimWithinCohort": "Never",
            "borrowWithinCohort": {"policy": "Never"},
            "withinClusterQueue": "Never",
        },
    },
    "LocalQueue": {"stopPolicy": "None"},
    "Workload": {"active": True},
    "ProvisioningRequestConfig": {
        "retryStrategy": {"backoffLimitCount": 3, "backoffBaseSeconds": 60, "backoffMaxSeconds": 1800}
    },
}
"""What the API server fills in where a request says nothing, by kind (AC-035…AC-043, AC-099, PA-015)."""

"""The columns of HorizontalPodAutoscaler (FK-425)."""

from __future__ import annotations

from ...base.json_types import Json
from ...codec.cells import AGE, NONE, UNSET, column, member

SHOWN = 2
SOURCES = {
    "Resource": "resource",
    "ContainerResource": "containerResource",
    "Pods": "pods",
    "Object": "object",
    "External": "external",
}


def _targets(scaler: Json) -> str:
    metrics = member("spec", "metrics", default=())(scaler)
    reached = member("status", "currentMetrics", default=())(scaler)
    if not metrics:
        return NONE
    targets = [
        _target(metric, reached[index] if index < len(reached) else {})
        for index, metric in enumerate(metrics)
    ]
    suffix = f" + {len(targets) - SHOWN} more..." if len(targets) > SHOWN else ""
    return ", ".join(targets[:SHOWN]) + suffix


def _target(metric: Json, reached: Json) -> str:
    source = SOURCES[metric["type"]]
    target, current = metric[source]["target"], member(source, "current", default={})(reached)
    for kind in ("averageValue", "value"):
        if target.get(kind) is not None:
            average = " (avg)" if kind == "averageValue" and metric["type"] in {"Object", "External"} else ""
            return f"{_of(metric)}{current.get(kind, '<unknown>')}/{target[kind]}{average}"
    used = current.get("averageUtilization")
    return f"{_of(metric)}{'<unknown>' if used is None else f'{used}%'}/{target.get('averageUtilization', '<auto>')}%"


def _of(metric: Json) -> str:
    name = metric[SOURCES[metric["type"]]].get("name")
    return f"{name}: " if name else ""


def _reference(scaler: Json) -> str:
    target_ref = scaler["spec"]["scaleTargetRef"]
    return f"{target_ref['kind']}/{target_ref['name']}"


SCALER = (
    column("Reference", _reference),
    column("Targets", _targets),
    column("MinPods", lambda obj: str(member("spec", "minReplicas", default=UNSET)(obj))),
    column("MaxPods", member("spec", "maxReplicas", default=0)),
    column("Replicas", member("status", "currentReplicas", default=0)),
    AGE,
)

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
    wanted = member("spec", "metrics", default=())(scaler)
    reached = member("status", "currentMetrics", default=())(scaler)
    if not wanted:
        return NONE
    found = [_target(one, reached[place] if place < len(reached) else {}) for place, one in enumerate(wanted)]
    more = f" + {len(found) - SHOWN} more..." if len(found) > SHOWN else ""
    return ", ".join(found[:SHOWN]) + more


def _target(wanted: Json, reached: Json) -> str:
    source = SOURCES[wanted["type"]]
    target, current = wanted[source]["target"], member(source, "current", default={})(reached)
    for kind in ("averageValue", "value"):
        if target.get(kind) is not None:
            average = " (avg)" if kind == "averageValue" and wanted["type"] in {"Object", "External"} else ""
            return f"{_of(wanted)}{current.get(kind, '<unknown>')}/{target[kind]}{average}"
    used = current.get("averageUtilization")
    return f"{_of(wanted)}{'<unknown>' if used is None else f'{used}%'}/{target.get('averageUtilization', '<auto>')}%"


def _of(wanted: Json) -> str:
    name = wanted[SOURCES[wanted["type"]]].get("name")
    return f"{name}: " if name else ""


def _reference(scaler: Json) -> str:
    found = scaler["spec"]["scaleTargetRef"]
    return f"{found['kind']}/{found['name']}"


SCALER = (
    column("Reference", _reference),
    column("Targets", _targets),
    column("MinPods", lambda obj: str(member("spec", "minReplicas", default=UNSET)(obj))),
    column("MaxPods", member("spec", "maxReplicas", default=0)),
    column("Replicas", member("status", "currentReplicas", default=0)),
    AGE,
)

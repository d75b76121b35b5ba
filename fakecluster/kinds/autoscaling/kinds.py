"""HorizontalPodAutoscaler in two versions: rows and columns (FK-495, FK-425)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ...api.kind import Kind
from ...base.json_types import Json
from ...base.lazy_modules import LazyModule
from ...codec.cells import AGE, NONE, UNSET, column, member
from ...schema.fields import FieldError
from ..defaulting import for_message
from ..row import STATUS, row
from .conversion import to_first, to_second

if TYPE_CHECKING:
    from . import validation
else:
    validation = LazyModule(".validation", __package__)


SHOWN_METRICS = 2
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
        _target_of(metric, reached[index] if index < len(reached) else {})
        for index, metric in enumerate(metrics)
    ]
    suffix = f" + {len(targets) - SHOWN_METRICS} more..." if len(targets) > SHOWN_METRICS else ""
    return ", ".join(targets[:SHOWN_METRICS]) + suffix


def _target_of(metric: Json, reached: Json) -> str:
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


SCALER_COLUMNS = (
    column("Reference", _reference),
    column("Targets", _targets),
    column("MinPods", lambda obj: str(member("spec", "minReplicas", default=UNSET)(obj))),
    column("MaxPods", member("spec", "maxReplicas", default=0)),
    column("Replicas", member("status", "currentReplicas", default=0)),
    AGE,
)


def _judge_as_second(judge: Callable[[Json], list[FieldError]]) -> Callable[[Json], list[FieldError]]:
    return lambda obj: judge(to_second(obj))


def _first_default(obj: Json) -> Json:
    """Give an object of the first version its defaults,
    and what the way through the second one makes of it.
    """
    return to_first(to_second(for_message("autoscaling.v1.HorizontalPodAutoscaler")(obj)))


V2 = row(
    "autoscaling.v2.HorizontalPodAutoscaler",
    "horizontalpodautoscalers",
    short="hpa",
    categories=("all",),
    subresources=STATUS,
    validate=validation.scaler,
    validate_status=validation.scaler_status,
    columns=SCALER_COLUMNS,
)
KINDS: tuple[Kind, ...] = (
    V2,
    row(
        "autoscaling.v1.HorizontalPodAutoscaler",
        "horizontalpodautoscalers",
        short="hpa",
        categories=("all",),
        subresources=STATUS,
        default=_first_default,
        storage_version="v2",
        storage_key=V2.stored_as,
        to_stored=lambda obj: V2.schema.default(to_second(obj)),
        to_hub=to_second,
        from_stored=to_first,
        validate=_judge_as_second(validation.scaler),
        validate_status=validation.scaler_status,
        columns=SCALER_COLUMNS,
    ),
)

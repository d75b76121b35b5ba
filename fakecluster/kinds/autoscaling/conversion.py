"""HorizontalPodAutoscaler between its two versions (FK-495)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import orjson

from ...base.json_types import Json
from ...gotypes.golang import to_go_struct
from ...gotypes.types import go_fields
from .defaults import CPU_UTILIZATION_METRIC

ANNOTATION_PREFIX = "autoscaling.alpha.kubernetes.io/"
METRICS, CURRENT_METRICS, CONDITIONS, BEHAVIOR = (
    f"{ANNOTATION_PREFIX}{name}" for name in ("metrics", "current-metrics", "conditions", "behavior")
)
V1, V2 = "autoscaling/v1", "autoscaling/v2"
NAMES: Mapping[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "resource": (
        ("name", ("name",)), ("{}AverageUtilization", ("{}", "averageUtilization")),
        ("{}AverageValue", ("{}", "averageValue")),
    ),
    "pods": (
        ("metricName", ("metric", "name")), ("{}AverageValue", ("{}", "averageValue")),
        ("selector", ("metric", "selector")),
    ),
    "object": (
        ("target", ("describedObject",)), ("metricName", ("metric", "name")), ("{}Value", ("{}", "value")),
        ("selector", ("metric", "selector")), ("averageValue", ("{}", "averageValue")),
    ),
    "external": (
        ("metricName", ("metric", "name")), ("metricSelector", ("metric", "selector")), ("{}Value", ("{}", "value")),
        ("{}AverageValue", ("{}", "averageValue")),
    ),
    "containerResource": (
        ("name", ("name",)), ("{}AverageUtilization", ("{}", "averageUtilization")),
        ("{}AverageValue", ("{}", "averageValue")), ("container", ("container",)),
    ),
}  # fmt: skip
"""For each source of a metric: its members in the first version, and where they stand in the second."""
ALWAYS_WRITTEN: Mapping[str, Mapping[str, str]] = {
    "target": {"object": "{}Value", "pods": "{}AverageValue"},
    "current": {
        "object": "{}Value",
        "pods": "{}AverageValue",
        "resource": "{}AverageValue",
        "containerResource": "{}AverageValue",
        "external": "{}Value",
    },
}
"""Quantities of the first version that are written as 0 where there is none."""
STATUS_FIELDS = ("observedGeneration", "lastScaleTime", "currentReplicas", "desiredReplicas")


def to_second(obj: Json) -> Json:
    """Return an object of autoscaling/v1 as one of autoscaling/v2."""
    notes = (obj["metadata"].get("annotations")) or {}
    spec, status = obj.get("spec") or {}, obj.get("status") or {}
    own = {name: spec[name] for name in ("scaleTargetRef", "minReplicas", "maxReplicas") if name in spec}
    metrics = [
        *(_metric_to_second(metric, "target") for metric in _parse_annotation(notes, METRICS)),
        *_share(spec),
    ]
    behavior = _parse_annotation(notes, BEHAVIOR)
    measured = [_metric_to_second(metric, "current") for metric in _parse_annotation(notes, CURRENT_METRICS)]
    return {
        **obj,
        "apiVersion": V2,
        "metadata": _without_notes(obj["metadata"]),
        "spec": {
            **own,
            "metrics": metrics or CPU_UTILIZATION_METRIC,
            **({"behavior": _lower(behavior)} if behavior else {}),
        },
        "status": {
            **{
                name: status[name]
                for name in STATUS_FIELDS
                if status.get(name) or (name in status and name != "currentReplicas")
            },
            "currentMetrics": measured or _current_share(status) or None,
            **({"conditions": conditions} if (conditions := _parse_annotation(notes, CONDITIONS)) else {}),
        },
    }


def to_first(obj: Json) -> Json:
    """Return an object of autoscaling/v2 as one of autoscaling/v1."""
    spec, status = obj.get("spec") or {}, obj.get("status") or {}
    share = next((metric for metric in spec.get("metrics") or () if _is_share(metric, "target")), None)
    measured = next(
        (metric for metric in status.get("currentMetrics") or () if _is_share(metric, "current")), None
    )
    notes = {
        **_without_notes(obj["metadata"]).get("annotations", {}),
        **{key: orjson.dumps(value).decode() for key, value in _annotations_of(spec, status)},
    }
    own = {name: spec[name] for name in ("scaleTargetRef", "minReplicas", "maxReplicas") if name in spec}
    if share:
        own["targetCPUUtilizationPercentage"] = share["resource"]["target"]["averageUtilization"]
    first_status = {name: status[name] for name in STATUS_FIELDS if name in status}
    if measured:
        first_status["currentCPUUtilizationPercentage"] = measured["resource"]["current"][
            "averageUtilization"
        ]
    return {
        **obj,
        "apiVersion": V1,
        "metadata": {**_without_notes(obj["metadata"]), **({"annotations": notes} if notes else {})},
        "spec": own,
        "status": {"currentReplicas": 0, "desiredReplicas": 0, **first_status},
    }


def _annotations_of(spec: Json, status: Json) -> Iterator[tuple[str, Json]]:
    # autoscaling/v1 has a field for the CPU target alone; everything else travels in annotations.
    other_metrics = [metric for metric in spec.get("metrics") or () if not _is_share(metric, "target")]
    if other_metrics:
        yield METRICS, [_metric_to_first(metric, "target") for metric in other_metrics]
    if status.get("currentMetrics"):
        yield CURRENT_METRICS, [_metric_to_first(metric, "current") for metric in status["currentMetrics"]]
    if status.get("conditions"):
        names = tuple(go_fields("autoscaling.v2.HorizontalPodAutoscalerCondition"))
        yield (
            CONDITIONS,
            [
                {name: condition[name] for name in names if name in condition}
                for condition in status["conditions"]
            ],
        )
    if spec.get("behavior") is not None:
        yield BEHAVIOR, to_go_struct("autoscaling.v2.HorizontalPodAutoscalerBehavior", spec["behavior"])


def _is_share(metric: Json, side: str) -> bool:
    source = metric.get("resource") or {}
    has_target = (source.get(side) or {}).get("averageUtilization") is not None
    return bool(metric.get("type") == "Resource" and source.get("name") == "cpu" and has_target)


def _share(spec: Json) -> list[Json]:
    percent = spec.get("targetCPUUtilizationPercentage")
    if percent is None:
        return []
    target = {"type": "Utilization", "averageUtilization": percent}
    return [{"type": "Resource", "resource": {"name": "cpu", "target": target}}]


def _current_share(status: Json) -> list[Json]:
    percent = status.get("currentCPUUtilizationPercentage")
    if percent is None:
        return []
    return [{"type": "Resource", "resource": {"name": "cpu", "current": {"averageUtilization": percent}}}]


def _metric_to_first(metric: Json, side: str) -> Json:
    """Return a metric as the first version writes it."""
    out = {"type": metric["type"]}
    for source, members in NAMES.items():
        if metric.get(source) is not None:
            needed = ALWAYS_WRITTEN[side].get(source)
            pairs = (
                (name.format(side), _at(metric[source], path, side) or ("0" if name == needed else None))
                for name, path in members
            )
            out[source] = {name: value for name, value in pairs if value is not None}
    return out


def _metric_to_second(metric: Json, side: str) -> Json:
    """Return a metric that the first version wrote."""
    out = {"type": metric.get("type", "")}
    for source, members in NAMES.items():
        if metric.get(source) is None:
            continue
        second_metric: Json = {side: {}}
        for name, path in members:
            if (value := metric[source].get(name.format(side))) is not None:
                *outer, last = (name.format(side) for name in path)
                (second_metric.setdefault(outer[0], {}) if outer else second_metric)[last] = value
        if side == "target":
            second_metric[side] = _target(source, second_metric[side])
        out[source] = second_metric
    return out


def _target(source: str, amounts: Json) -> Json:
    """Return a target with its type; the zero of an object that has an average is what the first version
    cannot leave out.
    """
    kind = _kind_of(amounts)
    if source == "object" and kind == "AverageValue" and amounts.get("value") == "0":
        amounts = {name: amount for name, amount in amounts.items() if name != "value"}
    return {"type": kind, **amounts}


def _kind_of(target: Json) -> str:
    if "averageUtilization" in target:
        return "Utilization"
    return "AverageValue" if "averageValue" in target else "Value"


def _at(source: Json, path: tuple[str, ...], side: str) -> Json:
    for member in path:
        source = (source or {}).get(member.format(side))
    return source


def _parse_annotation(notes: Json, key: str) -> Json:
    """Return what an annotation holds; nothing when it cannot be read."""
    try:
        tree = orjson.loads(notes.get(key, "null"))
    except orjson.JSONDecodeError:
        return []
    return tree if isinstance(tree, dict if key == BEHAVIOR else list) else []


def _lower(value: Json) -> Json:
    """Return a Go value under its JSON names."""
    if isinstance(value, list):
        return [_lower(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {key[:1].lower() + key[1:]: _lower(item) for key, item in value.items() if item is not None}


def _without_notes(metadata: Json) -> Json:
    notes = metadata.get("annotations") or {}
    annotations = {
        key: value
        for key, value in notes.items()
        if key not in {METRICS, CURRENT_METRICS, CONDITIONS, BEHAVIOR}
    }
    if len(annotations) == len(notes):
        return metadata
    rest = {key: value for key, value in metadata.items() if key != "annotations"}
    return {**rest, "annotations": annotations} if annotations else rest

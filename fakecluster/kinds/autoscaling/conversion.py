"""HorizontalPodAutoscaler between its two versions (FK-495)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import orjson

from ...base.json_types import Json
from ...gotypes.golang import to_go_struct
from ...gotypes.types import go_fields
from .defaults import BUSY

NOTES = "autoscaling.alpha.kubernetes.io/"
METRICS, MEASURED, CONDITIONS, BEHAVIOR = (
    f"{NOTES}{name}" for name in ("metrics", "current-metrics", "conditions", "behavior")
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
    metrics = [*(_widened(metric, "target") for metric in _parsed(notes, METRICS)), *_share(spec)]
    behavior = _parsed(notes, BEHAVIOR)
    measured = [_widened(one, "current") for one in _parsed(notes, MEASURED)]
    return {
        **obj,
        "apiVersion": V2,
        "metadata": _without_notes(obj["metadata"]),
        "spec": {
            **own,
            "metrics": metrics or BUSY,
            **({"behavior": _lower(behavior)} if behavior else {}),
        },
        "status": {
            **{
                name: status[name]
                for name in STATUS_FIELDS
                if status.get(name) or (name in status and name != "currentReplicas")
            },
            "currentMetrics": measured or _measured_share(status) or None,
            **({"conditions": found} if (found := _parsed(notes, CONDITIONS)) else {}),
        },
    }


def to_first(obj: Json) -> Json:
    """Return an object of autoscaling/v2 as one of autoscaling/v1."""
    spec, status = obj.get("spec") or {}, obj.get("status") or {}
    share = next((one for one in spec.get("metrics") or () if _is_share(one, "target")), None)
    measured = next((one for one in status.get("currentMetrics") or () if _is_share(one, "current")), None)
    notes = {
        **_without_notes(obj["metadata"]).get("annotations", {}),
        **{key: orjson.dumps(value).decode() for key, value in _noted(spec, status)},
    }
    own = {name: spec[name] for name in ("scaleTargetRef", "minReplicas", "maxReplicas") if name in spec}
    if share:
        own["targetCPUUtilizationPercentage"] = share["resource"]["target"]["averageUtilization"]
    told = {name: status[name] for name in STATUS_FIELDS if name in status}
    if measured:
        told["currentCPUUtilizationPercentage"] = measured["resource"]["current"]["averageUtilization"]
    return {
        **obj,
        "apiVersion": V1,
        "metadata": {**_without_notes(obj["metadata"]), **({"annotations": notes} if notes else {})},
        "spec": own,
        "status": {"currentReplicas": 0, "desiredReplicas": 0, **told},
    }


def _noted(spec: Json, status: Json) -> Iterator[tuple[str, Json]]:
    others = [one for one in spec.get("metrics") or () if not _is_share(one, "target")]
    if others:
        yield METRICS, [_narrowed(one, "target") for one in others]
    if status.get("currentMetrics"):
        yield MEASURED, [_narrowed(one, "current") for one in status["currentMetrics"]]
    if status.get("conditions"):
        names = tuple(go_fields("autoscaling.v2.HorizontalPodAutoscalerCondition"))
        yield CONDITIONS, [{name: one[name] for name in names if name in one} for one in status["conditions"]]
    if spec.get("behavior") is not None:
        yield BEHAVIOR, to_go_struct("autoscaling.v2.HorizontalPodAutoscalerBehavior", spec["behavior"])


def _is_share(metric: Json, side: str) -> bool:
    source = metric.get("resource") or {}
    wanted = (source.get(side) or {}).get("averageUtilization") is not None
    return bool(metric.get("type") == "Resource" and source.get("name") == "cpu" and wanted)


def _share(spec: Json) -> list[Json]:
    percent = spec.get("targetCPUUtilizationPercentage")
    if percent is None:
        return []
    target = {"type": "Utilization", "averageUtilization": percent}
    return [{"type": "Resource", "resource": {"name": "cpu", "target": target}}]


def _measured_share(status: Json) -> list[Json]:
    percent = status.get("currentCPUUtilizationPercentage")
    if percent is None:
        return []
    return [{"type": "Resource", "resource": {"name": "cpu", "current": {"averageUtilization": percent}}}]


def _narrowed(metric: Json, side: str) -> Json:
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


def _widened(metric: Json, side: str) -> Json:
    """Return a metric that the first version wrote."""
    out = {"type": metric.get("type", "")}
    for source, members in NAMES.items():
        if metric.get(source) is None:
            continue
        found: Json = {side: {}}
        for name, path in members:
            if (value := metric[source].get(name.format(side))) is not None:
                *outer, last = (part.format(side) for part in path)
                (found.setdefault(outer[0], {}) if outer else found)[last] = value
        if side == "target":
            found[side] = _target(source, found[side])
        out[source] = found
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
    for part in path:
        source = (source or {}).get(part.format(side))
    return source


def _parsed(notes: Json, key: str) -> Json:
    """Return what an annotation holds; nothing when it cannot be read."""
    try:
        found = orjson.loads(notes.get(key, "null"))
    except orjson.JSONDecodeError:
        return []
    return found if isinstance(found, dict if key == BEHAVIOR else list) else []


def _lower(value: Json) -> Json:
    """Return a Go value under its JSON names."""
    if isinstance(value, list):
        return [_lower(one) for one in value]
    if not isinstance(value, dict):
        return value
    return {key[:1].lower() + key[1:]: _lower(one) for key, one in value.items() if one is not None}


def _without_notes(metadata: Json) -> Json:
    notes = metadata.get("annotations") or {}
    kept = {
        key: value for key, value in notes.items() if key not in {METRICS, MEASURED, CONDITIONS, BEHAVIOR}
    }
    if len(kept) == len(notes):
        return metadata
    rest = {key: value for key, value in metadata.items() if key != "annotations"}
    return {**rest, "annotations": kept} if kept else rest

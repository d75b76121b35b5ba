"""HorizontalPodAutoscalers (FK-504): whom they scale, between which limits, and by which metrics."""

from __future__ import annotations

from ...base.json_types import Json
from ...base.numbers.quantity import Quantity
from ...meta import names
from ...schema import fields
from ...schema.fields import FieldError
from ..validation import basics
from ..validation.basics import Errors

SOURCES = {
    "ContainerResource": "containerResource",
    "External": "external",
    "Object": "object",
    "Pods": "pods",
    "Resource": "resource",
}
SOURCE_ORDER = ("Object", "External", "Pods", "Resource", "ContainerResource")
"""In which order sources are judged."""
BY_VALUE = ("External", "Object")
TARGETS = ("Utilization", "Value", "AverageValue")
RAW_AND_SHARE = "may not set both a target raw value and a target utilization"
NO_SHARE = "must set either a target raw value or a target utilization"
BOTH_VALUES = "may not set both a target value for metric and a per-pod target"
ONE_METRIC = "must specify at least one Object or External metric to support scaling to zero replicas"
LONGEST_WINDOW, LONGEST_PERIOD = 3600, 1800


def scaler(obj: Json) -> list[FieldError]:
    """Judge a HorizontalPodAutoscaler of autoscaling/v2."""
    spec = obj.get("spec") or {}
    return [
        *_limits(spec),
        *_target(spec.get("scaleTargetRef") or {}, "spec.scaleTargetRef"),
        *_metrics(spec),
        *_behavior(spec.get("behavior") or {}, "spec.behavior"),
    ]


def scaler_status(new: Json, old: Json) -> list[FieldError]:
    """Judge the numbers of a status."""
    del old
    status = new.get("status") or {}
    return [
        error
        for name in ("currentReplicas", "desiredReplicas")
        for error in basics.not_negative(status.get(name), f"status.{name}")
    ]


def _limits(spec: Json) -> Errors:
    least, most = spec.get("minReplicas"), spec.get("maxReplicas", 0)
    if least is not None and least < 1:
        yield fields.invalid("spec.minReplicas", least, "must be greater than or equal to 1")
    if not most:
        yield fields.required("spec.maxReplicas", "must be set and greater than 0")
    elif most < 1:
        yield fields.invalid("spec.maxReplicas", most, "must be greater than or equal to 1")
    if least is not None and most < least:
        yield fields.invalid("spec.maxReplicas", most, "must be greater than or equal to `minReplicas`")


def _target(reference: Json, path: str, *, grouped: bool = True) -> Errors:
    for name in ("kind", "name"):
        yield from basics.judge_name(reference.get(name, ""), f"{path}.{name}", names.path_problems)
    version = reference.get("apiVersion", "")
    if grouped and version.count("/") > 1:
        yield fields.invalid(f"{path}.apiVersion", version, f"unexpected GroupVersion string: {version}")
    elif grouped and "/" not in version:
        yield fields.invalid(f"{path}.apiVersion", version, "apiVersion must specify API group")


def _metrics(spec: Json) -> Errors:
    metrics = spec.get("metrics") or []
    for number, metric in enumerate(metrics):
        yield from _metric(metric, f"spec.metrics[{number}]")
    if spec.get("minReplicas") == 0 and not any(metric.get("type") in BY_VALUE for metric in metrics):
        yield fields.forbidden("spec.metrics", ONE_METRIC)


def _metric(metric: Json, path: str) -> Errors:
    kind = metric.get("type", "")
    if not kind:
        yield fields.required(f"{path}.type", "must specify a metric source type")
    if kind not in SOURCES:
        yield fields.not_supported(f"{path}.type", kind, list(SOURCES))
    present = [name for name in SOURCE_ORDER if metric.get(SOURCES[name]) is not None]
    for name in present[:1]:
        yield from _source(name, metric[SOURCES[name]], f"{path}.{SOURCES[name]}")
    if kind not in SOURCES:
        yield fields.not_supported(f"{path}.type", kind, list(SOURCES))
    if kind in SOURCES and kind not in present:
        yield fields.required(
            f"{path}.{SOURCES[kind]}", "must populate information for the given metric source"
        )
    if kind in present:
        for name in present:
            if name != kind:
                yield fields.forbidden(
                    f"{path}.{SOURCES[name]}", "must populate the given metric source only"
                )


def _source(kind: str, source: Json, path: str) -> Errors:
    if kind == "Object":
        yield from _target(source.get("describedObject") or {}, f"{path}.describedObject", grouped=False)
    if kind in {"Resource", "ContainerResource"}:
        if not source.get("name"):
            yield fields.required(f"{path}.name", "must specify a resource name")
        if kind == "ContainerResource" and not source.get("container"):
            yield fields.required(f"{path}.container", "must specify a container")
    else:
        name = (source.get("metric") or {}).get("name", "")
        if not name:
            yield fields.required(f"{path}.metric.name", "must specify a metric name")
        yield from basics.optional_name(name, f"{path}.metric.name", names.path_problems)
    target = source.get("target") or {}
    yield from _amounts(target, f"{path}.target")
    yield from _fitting(kind, target, f"{path}.target")


def _amounts(target: Json, path: str) -> Errors:
    kind = target.get("type", "")
    if not kind:
        yield fields.required(f"{path}.type", "must specify a metric target type")
    if kind not in TARGETS:
        yield fields.invalid(f"{path}.type", kind, "must be either Utilization, Value, or AverageValue")
    for name in ("value", "averageValue"):
        amount = target.get(name)
        if amount is not None and Quantity.of(amount).amount <= 0:
            yield fields.invalid(f"{path}.{name}", amount, "must be positive")
    yield from basics.positive(target.get("averageUtilization"), f"{path}.averageUtilization")


def _fitting(kind: str, target: Json, path: str) -> Errors:
    """Judge which amounts a source takes."""
    raw, average = target.get("value") is not None, target.get("averageValue") is not None
    share = target.get("averageUtilization") is not None
    if kind in {"Resource", "ContainerResource"}:
        if share and average:
            yield fields.forbidden(f"{path}.averageValue", RAW_AND_SHARE)
        if not share and not average:
            yield fields.required(f"{path}.averageUtilization", NO_SHARE)
    elif kind == "Pods" and not average:
        yield fields.required(f"{path}.averageValue", "must specify a positive target averageValue")
    elif kind == "External" and raw and average:
        yield fields.forbidden(f"{path}.value", BOTH_VALUES)
    elif kind in BY_VALUE and not raw and not average:
        words = (
            "a target value for metric or a per-pod target"
            if kind == "External"
            else "a target value or averageValue"
        )
        yield fields.required(f"{path}.averageValue", f"must set either {words}")


def _behavior(behavior: Json, path: str) -> Errors:
    for name in ("scaleUp", "scaleDown"):
        if behavior.get(name) is not None:
            yield from _rules(behavior[name], f"{path}.{name}")


def _rules(rules: Json, path: str) -> Errors:
    window = rules.get("stabilizationWindowSeconds")
    if window is not None and window < 0:
        yield fields.invalid(
            f"{path}.stabilizationWindowSeconds", window, "must be greater than or equal to zero"
        )
    yield from basics.at_most(window, f"{path}.stabilizationWindowSeconds", LONGEST_WINDOW)
    yield from basics.optional_choice(
        rules.get("selectPolicy"), f"{path}.selectPolicy", ("Disabled", "Max", "Min")
    )
    if not rules.get("policies"):
        yield fields.required(f"{path}.policies", "must specify at least one Policy")
    for number, policy in enumerate(rules.get("policies") or ()):
        yield from _policy(policy, f"{path}.policies[{number}]")
    tolerance = rules.get("tolerance")
    if tolerance is not None and Quantity.of(tolerance).amount < 0:
        yield fields.invalid(f"{path}.tolerance", tolerance, "must be greater than or equal to 0")


def _policy(policy: Json, path: str) -> Errors:
    if policy.get("type", "") not in {"Percent", "Pods"}:
        yield fields.not_supported(f"{path}.type", policy.get("type", ""), ["Percent", "Pods"])
    yield from basics.positive(policy.get("value", 0), f"{path}.value", "must be greater than zero")
    yield from basics.positive(
        policy.get("periodSeconds", 0), f"{path}.periodSeconds", "must be greater than zero"
    )
    yield from basics.at_most(policy.get("periodSeconds"), f"{path}.periodSeconds", LONGEST_PERIOD)

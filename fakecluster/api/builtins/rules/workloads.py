"""Deployments, ReplicaSets, StatefulSets, DaemonSets and what they may change (FK-500, FK-504)."""

from __future__ import annotations

from collections.abc import Callable

from ....schema import fields
from . import basics, podspec, strategies
from .basics import Errors, Json

MISMATCH = "`selector` does not match template `labels`"
STATEFUL_MUTABLE = (
    "replicas", "ordinals", "template", "updateStrategy", "revisionHistoryLimit", "persistentVolumeClaimRetentionPolicy",
    "minReadySeconds",
)  # fmt: skip
STATEFUL_TEXT = (
    "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy',"
    " 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden"
)
COUNTS = ("replicas", "minReadySeconds", "revisionHistoryLimit", "progressDeadlineSeconds")
PARTS = ("updatedReplicas", "readyReplicas", "availableReplicas")
Judge = Callable[[Json], list[fields.FieldError]]


def deployment(obj: Json) -> list[fields.FieldError]:
    """Judge a Deployment."""
    return [
        *_numbers(obj["spec"]),
        *_selected(obj["spec"], "deployment"),
        *strategies.deployment(obj["spec"]),
    ]


def replica_set(obj: Json) -> list[fields.FieldError]:
    """Judge a ReplicaSet."""
    return [*_numbers(obj["spec"]), *_selected(obj["spec"], "deployment")]


def stateful_set(obj: Json) -> list[fields.FieldError]:
    """Judge a StatefulSet."""
    spec = obj["spec"]
    return [*strategies.stateful_set(spec), *_numbers(spec), *_selected(spec, "statefulset")]


def daemon_set(obj: Json) -> list[fields.FieldError]:
    """Judge a DaemonSet; a missing selector only fails to match."""
    spec = obj["spec"]
    return [*_selected(spec, "daemonset", required=False), *_numbers(spec), *strategies.daemon_set(spec)]


def _numbers(spec: Json) -> Errors:
    for name in COUNTS:
        yield from basics.not_negative(spec.get(name), f"spec.{name}")
    if "progressDeadlineSeconds" in spec and spec["progressDeadlineSeconds"] <= spec.get(
        "minReadySeconds", 0
    ):
        yield fields.invalid(
            "spec.progressDeadlineSeconds",
            spec["progressDeadlineSeconds"],
            "must be greater than minReadySeconds",
        )


def _selected(spec: Json, noun: str, *, required: bool = True) -> Errors:
    selector, template = spec.get("selector"), spec.get("template") or {"spec": {}}
    if selector is None and required:
        yield fields.required("spec.selector")
    if selector == {}:
        yield fields.invalid("spec.selector", {}, f"empty selector is invalid for {noun}")
    wrong = list(basics.label_selector(selector, "spec.selector"))
    yield from wrong
    given = (template.get("metadata") or {}).get("labels")
    if wrong:
        yield fields.invalid("spec.selector", selector, "invalid label selector")
    elif selector != {} and not basics.matches(selector, given or {}):
        yield fields.invalid("spec.template.metadata.labels", given, MISMATCH)
    yield from podspec.template(template, "spec.template")
    if template["spec"].get("restartPolicy", "Always") != "Always":
        policy = template["spec"]["restartPolicy"]
        yield fields.not_supported("spec.template.spec.restartPolicy", policy, ["Always"])


def same_selector(after: Json, before: Json) -> list[fields.FieldError]:
    """Judge that the selector stays."""
    return [*basics.immutable(after["spec"].get("selector"), before["spec"].get("selector"), "spec.selector")]


def stateful_change(after: Json, before: Json) -> list[fields.FieldError]:
    """Judge that only what may change of a StatefulSet does."""
    kept = [
        {name: value for name, value in one["spec"].items() if name not in STATEFUL_MUTABLE}
        for one in (after, before)
    ]
    return [] if kept[0] == kept[1] else [fields.forbidden("spec", STATEFUL_TEXT)]


def status(after: Json, before: Json) -> list[fields.FieldError]:
    """Judge that no part of a workload's replicas is larger than the whole."""
    del before
    now = after.get("status", {})
    whole = now.get("replicas", 0)
    numbers = [
        error
        for name in ("observedGeneration", "replicas", *PARTS, "collisionCount")
        for error in basics.not_negative(now.get(name), f"status.{name}")
    ]
    return [
        *numbers,
        *(
            fields.invalid(f"status.{name}", now[name], "cannot be greater than status.replicas")
            for name in PARTS
            if now.get(name, 0) > whole
        ),
    ]

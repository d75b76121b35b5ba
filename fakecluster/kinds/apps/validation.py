"""Deployments, ReplicaSets, StatefulSets, DaemonSets and what they may change (FK-500, FK-504)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...schema import fields
from ...schema.fields import FieldError
from ..core import persistent_volumes
from ..core.pod.validation import pod_spec
from ..core.templates import COUNTS, MISMATCH, numbers
from ..validation import basics
from ..validation.basics import Errors, Json
from . import strategies

STATEFUL_MUTABLE = (
    "replicas", "ordinals", "template", "updateStrategy", "revisionHistoryLimit", "persistentVolumeClaimRetentionPolicy",
    "minReadySeconds",
)  # fmt: skip
STATEFUL_TEXT = (
    "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy',"
    " 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden"
)
DAEMON_COUNTS = (
    "currentNumberScheduled", "numberMisscheduled", "desiredNumberScheduled", "numberReady", "observedGeneration",
    "updatedNumberScheduled", "numberAvailable", "numberUnavailable", "collisionCount",
)  # fmt: skip
Judge = Callable[[Json], list[FieldError]]


def deployment(obj: Json) -> list[FieldError]:
    """Judge a Deployment."""
    return [
        *numbers(obj["spec"]),
        *_selected(obj["spec"], "deployment"),
        *strategies.deployment(obj["spec"]),
    ]


def replica_set(obj: Json) -> list[FieldError]:
    """Judge a ReplicaSet."""
    return [*numbers(obj["spec"]), *_selected(obj["spec"], "deployment")]


def stateful_set(obj: Json) -> list[FieldError]:
    """Judge a StatefulSet."""
    spec = obj["spec"]
    return [
        *strategies.stateful_set(spec),
        *numbers(spec, tuple(name for name in COUNTS if name != "revisionHistoryLimit")),
        *basics.optional_name(spec.get("serviceName"), "spec.serviceName", basics.dns_label),
        *_selected(spec, "statefulset"),
        *_claims(spec.get("volumeClaimTemplates") or []),
    ]


def _claims(found: list[Json]) -> Errors:
    for number, one in enumerate(found):
        path = f"spec.volumeClaimTemplates[{number}].spec."
        for error in persistent_volumes.claim(one):
            yield FieldError(error.reason, path + error.field.removeprefix("spec."), error.body)


def revision(obj: Json) -> list[FieldError]:
    """Judge a ControllerRevision."""
    data = obj.get("data")
    missing = [] if data is not None else [fields.required("data", "data is mandatory")]
    if data is not None and not isinstance(data, dict):
        missing = [fields.required("data", "data must be a valid JSON object")]
    return [*missing, *basics.not_negative(obj.get("revision"), "revision")]


def same_data(new: Json, old: Json) -> list[FieldError]:
    """Judge that a ControllerRevision keeps its data."""
    return list(basics.immutable(new.get("data"), old.get("data"), "data"))


def daemon_set(obj: Json) -> list[FieldError]:
    """Judge a DaemonSet; a missing selector only fails to match."""
    spec = obj["spec"]
    return [*_selected(spec, "daemonset", required=False), *numbers(spec), *strategies.daemon_set(spec)]


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
    yield from pod_spec.template(template, "spec.template")
    if template["spec"].get("restartPolicy", "Always") != "Always":
        policy = template["spec"]["restartPolicy"]
        yield fields.not_supported("spec.template.spec.restartPolicy", policy, ["Always"])
    if template["spec"].get("activeDeadlineSeconds") is not None:
        why = "activeDeadlineSeconds in ReplicaSet is not Supported"
        yield fields.forbidden("spec.template.spec.activeDeadlineSeconds", why)


def same_selector(after: Json, before: Json) -> list[FieldError]:
    """Judge that the selector stays."""
    return [*basics.immutable(after["spec"].get("selector"), before["spec"].get("selector"), "spec.selector")]


def stateful_change(after: Json, before: Json) -> list[FieldError]:
    """Judge that only what may change of a StatefulSet does."""
    kept = [
        {name: value for name, value in one["spec"].items() if name not in STATEFUL_MUTABLE}
        for one in (after, before)
    ]
    return [] if kept[0] == kept[1] else [fields.forbidden("spec", STATEFUL_TEXT)]


def status(readies: str, parts: Sequence[str]) -> Callable[[Json, Json], list[FieldError]]:
    """Return the rule that no part of a workload's replicas is larger than the whole, nor more available than
    ready.

    `readies` is the name of the ready ones in a message.
    """

    def judge(after: Json, before: Json) -> list[FieldError]:
        del before
        now = after.get("status", {})
        numbers = ("observedGeneration", "replicas", *parts, "collisionCount")
        return [
            *(error for name in numbers for error in basics.not_negative(now.get(name), f"status.{name}")),
            *_shares(now, readies, parts),
        ]

    return judge


def _shares(now: Json, readies: str, parts: Sequence[str]) -> Errors:
    whole, ready, available = (
        now.get(name, 0) for name in ("replicas", "readyReplicas", "availableReplicas")
    )
    for name in parts:
        if now.get(name, 0) > whole:
            yield fields.invalid(f"status.{name}", now.get(name, 0), "cannot be greater than status.replicas")
    if available > ready:
        yield fields.invalid("status.availableReplicas", available, f"cannot be greater than {readies}")


def daemon_status(after: Json, before: Json) -> list[FieldError]:
    """Judge a DaemonSet's status."""
    del before
    now = after.get("status", {})
    return [error for name in DAEMON_COUNTS for error in basics.not_negative(now.get(name), f"status.{name}")]

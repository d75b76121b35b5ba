"""Validation of updates of a Job's spec (FK-477)."""

from __future__ import annotations

from ...base.json_types import Json
from ...gotypes.golang import to_go_struct
from ...schema import fields
from ..validation import basics
from ..validation.basics import Errors
from .validation import spec

IMMUTABLE_FIELDS = (
    "completionMode",
    "podFailurePolicy",
    "backoffLimitPerIndex",
    "managedBy",
    "successPolicy",
)


def judge_update(after: Json, before: Json) -> list[fields.FieldError]:
    """Judge an update of the spec."""
    new_spec, old_spec = after["spec"], before["spec"]
    # Rules of the spec first, then immutable fields.
    return [
        *spec(new_spec, "spec"),
        *_completions(new_spec, old_spec),
        *basics.immutable(new_spec.get("selector"), old_spec.get("selector"), "spec.selector"),
        *_template(new_spec, before),
        *(
            fields.invalid(f"spec.{name}", _value(name, new_spec.get(name)), "field is immutable")
            for name in IMMUTABLE_FIELDS
            if new_spec.get(name) != old_spec.get(name)
        ),
    ]


def _value(name: str, value: Json) -> Json:
    messages = {"podFailurePolicy": "batch.v1.PodFailurePolicy", "successPolicy": "batch.v1.SuccessPolicy"}
    return to_go_struct(messages[name], value) if name in messages and value is not None else value


def _completions(new_spec: Json, old_spec: Json) -> Errors:
    after, before = new_spec.get("completions"), old_spec.get("completions")
    if new_spec.get("completionMode") != "Indexed":
        yield from basics.immutable(after, before, "spec.completions")
    elif after not in (before, None, new_spec.get("parallelism")):
        yield fields.invalid(
            "spec.completions", after, "can only be modified in tandem with spec.parallelism"
        )


def _template(new_spec: Json, before: Json) -> Errors:
    """Judge the template: while a Job is suspended and has no active pods,
    where and how large pods are may change.
    """
    free = _may_change(before)
    after, old = new_spec["template"], before["spec"]["template"]
    # Directives of scheduling may change as long as no pod has been made by the old ones.
    if free:
        old = _with_directives(old, after)
    # Still suspended: resources may change as well; otherwise only what was allowed above.
    if not before["spec"].get("suspend") or not free:
        if after != old:
            yield fields.invalid(
                "spec.template", to_go_struct("core.v1.PodTemplateSpec", after), "field is immutable"
            )
    elif after["spec"] != _with_resources(old["spec"], after["spec"]):
        yield fields.invalid(
            "spec.template.spec", to_go_struct("core.v1.PodSpec", after["spec"]), "field is immutable"
        )


def _may_change(job: Json) -> bool:
    status = job.get("status", {})
    paused = any(
        condition["type"] == "Suspended" and condition["status"] == "True"
        for condition in status.get("conditions", ())
    )
    # A Job that never started, or has been suspended again, and has no pods.
    return bool(
        job["spec"].get("suspend") and (not status.get("startTime") or paused) and not status.get("active")
    )


def _with_directives(old: Json, after: Json) -> Json:
    """Return the old template with the scheduling directives of the new one."""
    metadata = _with_members_of(
        old.get("metadata") or {}, after.get("metadata") or {}, ("annotations", "labels")
    )
    pod = _with_members_of(old["spec"], after["spec"], ("nodeSelector", "tolerations", "schedulingGates"))
    affinity = _with_members_of(
        pod.get("affinity") or {}, after["spec"].get("affinity") or {}, ("nodeAffinity",)
    )
    rest_of_pod = {name: value for name, value in pod.items() if name != "affinity"}
    has_affinity = affinity or "affinity" in after["spec"]
    return {
        **old,
        "metadata": metadata,
        "spec": {**rest_of_pod, **({"affinity": affinity} if has_affinity else {})},
    }


def _with_members_of(old: Json, new_one: Json, names: tuple[str, ...]) -> Json:
    unreplaced = {name: value for name, value in old.items() if name not in names}
    return {**unreplaced, **{name: new_one[name] for name in names if name in new_one}}


def _with_resources(old: Json, after: Json) -> Json:
    """Return the old pod spec with the resources that the new one gives the same containers."""
    out = dict(old)
    for member in ("containers", "initContainers"):
        mine, theirs = old.get(member) or [], after.get(member) or []
        # By name and position: containers are neither added nor moved.
        if mine and [container["name"] for container in mine] == [container["name"] for container in theirs]:
            out[member] = [
                {**container, "resources": other["resources"]}
                for container, other in zip(mine, theirs, strict=True)
            ]
    return out

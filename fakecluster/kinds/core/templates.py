"""Kinds of the core group with a pod template: ReplicationController, PodTemplate (FK-500, FK-504)."""

from __future__ import annotations

from ...api.kind import Column
from ...codec.cells import AGE, column, containers, member, pairs
from ...schema import fields
from ...schema.fields import FieldError
from ..validation import basics
from ..validation.basics import Errors, Json
from .pod.validation import pod_spec


def pod_template(obj: Json) -> list[FieldError]:
    """Judge a PodTemplate."""
    return list(pod_spec.template(obj["template"], "template"))


MISMATCH = "`selector` does not match template `labels`"
COUNTS = ("replicas", "minReadySeconds", "revisionHistoryLimit", "progressDeadlineSeconds")
LABELS = "spec.template.metadata.labels"
RESTART = "spec.template.spec.restartPolicy"


def replication_controller(obj: Json) -> list[FieldError]:
    """Judge a ReplicationController, whose selector is a plain map."""
    spec = obj["spec"]
    template, selector = spec.get("template"), spec.get("selector") or {}
    if template is None:
        missing = [fields.required("spec.template")]
        return [*numbers(spec), *([] if selector else [fields.required("spec.selector")]), *missing]
    labels = (template.get("metadata") or {}).get("labels") or {}
    policy = template["spec"].get("restartPolicy", "Always")
    return [
        *numbers(spec),
        *([] if selector else [fields.required("spec.selector")]),
        *([] if selector.items() <= labels.items() else [fields.invalid(LABELS, labels or None, MISMATCH)]),
        *pod_spec.template(template, "spec.template"),
        *([] if policy == "Always" else [fields.not_supported(RESTART, policy, ["Always"])]),
    ]


def numbers(spec: Json, names: tuple[str, ...] = COUNTS) -> Errors:
    """Judge numbers in a spec, none of which may be negative."""
    for name in names:
        yield from basics.not_negative(spec.get(name), f"spec.{name}")
    if "progressDeadlineSeconds" in spec and spec["progressDeadlineSeconds"] <= spec.get(
        "minReadySeconds", 0
    ):
        yield fields.invalid(
            "spec.progressDeadlineSeconds",
            spec["progressDeadlineSeconds"],
            "must be greater than minReadySeconds",
        )


POD_TEMPLATE = (
    *(
        Column(name=one.name, cell=one.cell)  # shown without -o wide here
        for one in containers("template")
    ),
    column("Pod Labels", lambda obj: pairs(member("template", "metadata", "labels")(obj))),
)
REPLICATION = (
    column("Desired", member("spec", "replicas", default=0), "integer"),
    column("Current", member("status", "replicas", default=0), "integer"),
    column("Ready", member("status", "readyReplicas", default=0), "integer"),
    AGE,
    *containers("spec", "template"),
    column("Selector", lambda obj: pairs(member("spec", "selector", default=None)(obj)), wide=True),
)

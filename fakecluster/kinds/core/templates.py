"""Kinds of the core group with a pod template: ReplicationController, PodTemplate (FK-500, FK-504)."""

from __future__ import annotations

from collections.abc import Callable

from ...base.json_types import Json
from ...schema import fields
from ...schema.fields import FieldError
from ..validation import basics
from ..validation.basics import Errors
from ..validation.replica_counts import shares
from .pod.validation import pod_spec


def pod_template(obj: Json) -> list[FieldError]:
    """Judge a PodTemplate."""
    return list(pod_spec.template(obj["template"], "template"))


SELECTOR_MISMATCH = "`selector` does not match template `labels`"
LABELS = "spec.template.metadata.labels"
RESTART = "spec.template.spec.restartPolicy"
DEADLINE = "spec.template.spec.activeDeadlineSeconds"


CONTROLLER_COUNTS = (
    "replicas",
    "fullyLabeledReplicas",
    "readyReplicas",
    "availableReplicas",
    "observedGeneration",
)
controller_status: Callable[[Json, Json], list[FieldError]] = shares(
    CONTROLLER_COUNTS, CONTROLLER_COUNTS[1:4]
)


def replication_controller(obj: Json) -> list[FieldError]:
    """Judge a ReplicationController, whose selector is a plain map."""
    spec = obj["spec"]
    return [
        *numbers(spec, ("minReadySeconds",)),
        *([] if spec.get("selector") else [fields.required("spec.selector")]),
        *numbers(spec, ("replicas",)),
        *_replication_template(spec.get("template"), spec.get("selector") or {}),
    ]


def _replication_template(template: Json, selector: Json) -> Errors:
    if template is None:
        yield fields.required("spec.template")
        return
    labels, pod = (template.get("metadata") or {}).get("labels"), template["spec"]
    if not selector.items() <= (labels or {}).items():
        yield fields.invalid(LABELS, labels, SELECTOR_MISMATCH)
    yield from pod_spec.template(template, "spec.template")
    if pod.get("restartPolicy", "Always") != "Always":
        yield fields.not_supported(RESTART, pod["restartPolicy"], ["Always"])
    if pod.get("activeDeadlineSeconds") is not None:
        yield fields.forbidden(DEADLINE, "activeDeadlineSeconds in ReplicationController is not Supported")


def numbers(spec: Json, names: tuple[str, ...]) -> Errors:
    """Judge numbers in a spec, none of which may be negative."""
    for name in names:
        yield from basics.not_negative(spec.get(name), f"spec.{name}")

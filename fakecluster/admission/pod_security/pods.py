"""Pods and templates under PodSecurity: refused, warned of, or noted for the audit log (FK-317)."""

from __future__ import annotations

from ...api import status
from ...api.admission import Review
from ...base.json_types import Json
from ...journal.entry import AUDIT_ANNOTATIONS
from ...schema import fields
from ...schema.fields import FieldError, go_quote
from . import evaluation
from .levels import PREFIX, LevelVersion, Policy

CONTAINER_LISTS = ("containers", "initContainers")


def check_pod(review: Review, policy: Policy, errors: list[FieldError]) -> None:
    """Check a new pod, or one whose images or ephemeral containers change. Raises 403."""
    pod = review.new
    if review.operation == "UPDATE" and not is_significant(pod["spec"], review.old["spec"]):
        return
    annotate(review, errors, **{"enforce-policy": str(policy.enforce)})
    text = _text(policy.enforce, pod)
    _note_violations(review, policy, pod)
    if text:
        why = f"violates PodSecurity {go_quote(str(policy.enforce))}: {text}"
        raise status.forbidden(review.kind.group, review.kind.plural, review.name, why)
    _warn(review, policy, pod)


def check_template(review: Review, policy: Policy, errors: list[FieldError], template: Json) -> None:
    """Note and warn of a template whose pods would not be allowed."""
    annotate(review, errors)
    _note_violations(review, policy, template)
    _warn(review, policy, template)


def is_significant(new: Json, old: Json) -> bool:
    """Whether an update of a pod's spec is one that PodSecurity looks at:
    of images, and of lists of containers.
    """
    for member in CONTAINER_LISTS:
        images, before = (
            [container.get("image") for container in spec.get(member) or ()] for spec in (new, old)
        )
        if images != before:
            return True
    images_before = {
        container["name"]: container.get("image") for container in old.get("ephemeralContainers") or ()
    }
    added = new.get("ephemeralContainers") or ()
    return any(
        container["name"] not in images_before or images_before[container["name"]] != container.get("image")
        for container in added
    )


def annotate(review: Review, errors: list[FieldError], **annotations: str) -> None:
    """Note annotations for the audit log, and what is wrong with the labels of the namespace."""
    if errors:
        annotations["error"] = f"Failed to parse policy: {fields.aggregate(errors)}"
    noted = review.trace.notes.get(AUDIT_ANNOTATIONS, {})
    added = {f"{PREFIX}{name}": text for name, text in annotations.items()}
    review.trace.notes[AUDIT_ANNOTATIONS] = {**noted, **added}


def _text(level: LevelVersion, pod: Json) -> str:
    metadata, spec = pod.get("metadata") or {}, pod.get("spec") or {}
    return ", ".join(str(violation) for violation in evaluation.violations(level, metadata, spec))


def _note_violations(review: Review, policy: Policy, pod: Json) -> None:
    if text := _text(policy.audit, pod):
        annotate(
            review,
            [],
            **{"audit-violations": f"would violate PodSecurity {go_quote(str(policy.audit))}: {text}"},
        )


def _warn(review: Review, policy: Policy, pod: Json) -> None:
    if text := _text(policy.warn, pod):
        review.trace.warn(f"would violate PodSecurity {go_quote(str(policy.warn))}: {text}")

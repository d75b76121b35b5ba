"""The roll-back of a Deployment that the annotation of a former API version asks for."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from ...base.json_types import Json
from ...base.numbers.integers import fits
from .replica_sets import ANNOTATIONS_NOT_COPIED, HASH_LABEL, ROLLBACK_TO, ReplicaSets, has_template, revision


class RollbackOutcome(Struct, frozen=True):
    """The Deployment without the annotation, and the Event that says what became of it."""

    deployment: Json
    reason: str
    message: str
    type: Literal["Normal", "Warning"] = "Warning"


def revision_asked(deployment: Json) -> int | None:
    """Return the revision to go back to, 0 for the one before the present; None when none is asked for."""
    text = (deployment["metadata"].get("annotations") or {}).get(ROLLBACK_TO, "")
    # Go's ParseInt with 64 bits: a text that does not fit is no wish.
    return int(text) if fits(text, 64) else None


def outcome(deployment: Json, family: ReplicaSets, number: int) -> RollbackOutcome:
    """Return the Deployment with the template and the annotations of a revision."""
    name, done = deployment["metadata"]["name"], _without_wish(deployment)
    # Zero means the revision before the present one.
    number = number or _last_but_one(family)
    if not number:
        return RollbackOutcome(done, "DeploymentRollbackRevisionNotFound", "Unable to find last revision.")
    target = next((replica_set for replica_set in family.every if revision(replica_set) == number), None)
    if target is None:
        message = "Unable to find the revision to rollback to."
        return RollbackOutcome(done, "DeploymentRollbackRevisionNotFound", message)
    # Rolling back to the same template would start a rollout that changes nothing.
    if has_template(target, deployment["spec"]["template"]):
        message = f'The rollback revision contains the same template as current deployment "{name}"'
        return RollbackOutcome(done, "DeploymentRollbackTemplateUnchanged", message)
    message = f'Rolled back deployment "{name}" to revision {number}'
    return RollbackOutcome(_with_template_of(done, target), "DeploymentRollback", message, "Normal")


def _last_but_one(family: ReplicaSets) -> int:
    numbers = sorted({revision(replica_set) for replica_set in family.every}, reverse=True)
    return numbers[1] if len(numbers) > 1 else 0


def _without_wish(deployment: Json) -> Json:
    metadata = deployment["metadata"]
    annotations = {
        name: value for name, value in (metadata.get("annotations") or {}).items() if name != ROLLBACK_TO
    }
    return {**deployment, "metadata": {**metadata, "annotations": annotations}}


def _with_template_of(deployment: Json, target: Json) -> Json:
    """Return a Deployment with the template of a ReplicaSet,
    and its annotations but for those of the controller.
    """
    template = target["spec"]["template"]
    labels = {
        name: value
        for name, value in (template["metadata"].get("labels") or {}).items()
        if name != HASH_LABEL
    }
    metadata = deployment["metadata"]
    # The controller's own annotations stay those of the Deployment; the others come from the revision.
    own = {
        name: value
        for name, value in (metadata.get("annotations") or {}).items()
        if name in ANNOTATIONS_NOT_COPIED
    }
    taken = target["metadata"].get("annotations") or {}
    annotations = {
        **own,
        **{name: value for name, value in taken.items() if name not in ANNOTATIONS_NOT_COPIED},
    }
    return {
        **deployment,
        "metadata": {**metadata, "annotations": annotations},
        "spec": {
            **deployment["spec"],
            "template": {**template, "metadata": {**template["metadata"], "labels": labels}},
        },
    }

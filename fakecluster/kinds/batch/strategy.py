"""What the server makes of a new Job: the selector by uid,
and labels of the template to match it (FK-466).
"""

from __future__ import annotations

from ...base.json_types import Json

CONTROLLER_UID = "batch.kubernetes.io/controller-uid"
JOB_NAME = "batch.kubernetes.io/job-name"
LEGACY_CONTROLLER_UID = "controller-uid"
LEGACY_JOB_NAME = "job-name"


def select_by_uid(job: Json) -> Json:
    """Generate selector and template labels unless the user manages them."""
    if job["spec"].get("manualSelector"):
        return job
    uid, name = job["metadata"]["uid"], job["metadata"].get("name", "")
    generated = {LEGACY_CONTROLLER_UID: uid, LEGACY_JOB_NAME: name, CONTROLLER_UID: uid, JOB_NAME: name}
    spec = with_labels(job["spec"], generated)
    selector = spec.get("selector") or {}
    match = {**selector.get("matchLabels", {}), CONTROLLER_UID: uid}
    labelled_job = {**job, "spec": {**spec, "selector": {**selector, "matchLabels": match}}}
    theirs = (job["spec"]["template"].get("metadata") or {}).get("labels")
    if theirs and job["metadata"].get("labels") is theirs:
        # A Job that took the labels of its template takes those generated there as well.
        return {
            **labelled_job,
            "metadata": {**job["metadata"], "labels": spec["template"]["metadata"]["labels"]},
        }
    return labelled_job


def with_labels(spec: Json, generated: dict[str, str]) -> Json:
    """Return the spec with labels added to its template;
    labels the user gave stand, and validation judges them.
    """
    template = spec["template"]
    metadata = template.get("metadata") or {}
    labels = dict(sorted({**generated, **metadata.get("labels", {})}.items()))
    return {**spec, "template": {**template, "metadata": {**metadata, "labels": labels}}}


def successful_field(job: Json) -> str:
    """Return what the field selector `status.successful` compares; a missing counter is zero (FK-135)."""
    return str((job.get("status") or {}).get("succeeded", 0))

"""The pods of a Job: what one looks like, and what has become of those that exist (FK-472, FK-473)."""

from __future__ import annotations

from ...base.json_types import Json
from ...base.numbers.integers import short
from ..pod_state import is_terminating, phase
from ..pod_templates import pod_of

FINALIZER = "batch.kubernetes.io/job-tracking"
INDEX_ANNOTATION = "batch.kubernetes.io/job-completion-index"
INDEX_VARIABLE = "JOB_COMPLETION_INDEX"
LONGEST_PREFIX = 58
"""Letters of a name before those that are generated."""


def new(job: Json, index: int | None) -> Json:
    """Return a pod for a Job, at a completion index or at none."""
    pod, name = pod_of(job, job["spec"]["template"]), job["metadata"]["name"]
    metadata, spec = pod["metadata"], pod["spec"]
    # Every pod is born with the finalizer, so that none is lost before it is counted.
    metadata["finalizers"] = [*metadata["finalizers"], FINALIZER]
    if index is not None:
        suffix = f"-{index}-"
        # Cut in front of the index, which must stay readable in the name.
        metadata["generateName"] = f"{name[: LONGEST_PREFIX - len(suffix)]}{suffix}"
        # As label and annotation: annotations came first, and clients read either.
        metadata["labels"][INDEX_ANNOTATION] = metadata["annotations"][INDEX_ANNOTATION] = str(index)
        spec = _with_index(spec, name, index)
    return {**pod, "spec": spec}


def _with_index(spec: Json, name: str, index: int) -> Json:
    """Return the pod spec with host name and variable of its index."""
    containers = {
        member: [_with_variable(container) for container in spec[member]]
        for member in ("containers", "initContainers")
        if spec.get(member)
    }
    # Pods of an index find each other by host name.
    return {**spec, **containers, "hostname": f"{name}-{index}"}


def _with_variable(container: Json) -> Json:
    env = container.get("env") or []
    # A variable that the template sets itself wins over the index.
    if any(variable["name"] == INDEX_VARIABLE for variable in env):
        return container
    source = {"fieldRef": {"apiVersion": "v1", "fieldPath": f"metadata.labels['{INDEX_ANNOTATION}']"}}
    return {**container, "env": [*env, {"name": INDEX_VARIABLE, "valueFrom": source}]}


def index_of(pod: Json) -> int | None:
    """Return a pod's completion index."""
    text = pod["metadata"].get("annotations", {}).get(INDEX_ANNOTATION, "")
    return short(text)


def is_tracked(pod: Json) -> bool:
    """Tell whether a pod waits to be counted."""
    return FINALIZER in pod["metadata"].get("finalizers", ())


def has_failed(pod: Json, *, replaces_only_failed: bool) -> bool:
    """Tell whether a pod counts as failed;
    one that is being deleted does, unless only failed pods are replaced.
    """
    if phase(pod) == "Failed":
        return True
    # While a pod is being deleted its work counts as lost, unless its end is waited for.
    return not replaces_only_failed and is_terminating(pod)


def finish_time(pod: Json) -> str:
    """Return when the last container of a pod ended, empty when that is not known."""
    # The latest end counts, as the pod ended with its last container.
    states = (
        container_status.get("state", {})
        for container_status in pod.get("status", {}).get("containerStatuses", ())
    )
    return max(
        (state["terminated"].get("finishedAt") or "" for state in states if "terminated" in state), default=""
    )

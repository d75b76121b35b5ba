"""What is allowed of Jobs and of their Workloads (pure)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ....base.json_types import Json
from ....stage.workloads.view import WorkloadView
from ..state import Contradiction, State, is_deleted

_PRIORITY_LABEL = "kueue.x-k8s.io/priority-class"
_OF_CHECKS = ("example.com/", "autoscaling.x-k8s.io/")
"""Beginnings of labels and annotations that checks add to pods."""
_LIMIT_LABEL = "kueue.x-k8s.io/max-exec-time-seconds"


def jobs(state: State) -> Iterator[Contradiction]:
    """Yield Jobs that run without an admitted Workload, and those that an admitted one does not let run."""
    workloads = {
        owner["name"]: workload
        for workload in state.snapshot.workloads()
        for owner in workload.object["metadata"].get("ownerReferences", ())
    }
    for name, job in sorted(state.snapshot.objects["Job"].items()):
        workload = workloads.get(name, WorkloadView({}))
        if is_deleted(job):
            continue
        if _has_ended(job):
            if workload.object and not workload.is_true("Finished"):
                yield _contradiction(name, "its Workload is Finished as well", "it is not", "finished-jobs")
            continue
        if workload.is_true("Finished"):
            continue  # its pods cannot be what its checks make them (PA-092)
        runs = not job["spec"].get("suspend", False)
        if runs != (workload.is_true("Admitted") and not workload.is_true("Evicted")):
            yield _contradiction(
                name,
                "it runs as long as its Workload is Admitted, and no longer",
                f"it {'runs' if runs else 'is suspended'}",
                "jobs",
            )
        if workload.object:
            yield from _template(state, name, job, workload, runs=runs)


def _contradiction(name: str, expected: str, observed: str, statement: str) -> Contradiction:
    return Contradiction(statement=statement, name=f"Job {name}", expected=expected, observed=observed)


def _has_ended(job: Json) -> bool:
    conditions = job.get("status", {}).get("conditions", ())
    return any(condition["type"] in ("Complete", "Failed") for condition in conditions)


def _template(
    state: State, name: str, job: Json, workload: WorkloadView, *, runs: bool
) -> Iterator[Contradiction]:
    """Yield what differs between the pods of a Job and those of its Workload: while it runs they have what
    flavors and checks add, and otherwise nothing more (AC-331, AC-362, AC-367).
    """
    pod_set = workload.object["spec"]["podSets"][0]
    expected, observed = _facets(pod_set["template"]), _facets(job["spec"]["template"])
    if runs:
        expected = _with_additions(state, workload, expected)
    expected["count"] = _count(workload) if runs and workload.admission else pod_set["count"]
    parallelism = job["spec"].get("parallelism", 1)
    observed["count"] = min(parallelism, job["spec"].get("completions") or parallelism)
    # A Job that was stopped, or may run with fewer pods, is compared otherwise when a user changes it.
    is_new = not (workload.is_true("QuotaReserved") or workload.is_true("Evicted")) and workload.active
    if pod_set.get("minCount") or not (runs or is_new):
        return
    # What is changed of a Job or its checks while it runs is not passed on to its pods.
    if runs and (state.acts > 1 or not _was_suspended(state, name)):
        return
    for field, value in expected.items():
        if observed[field] != value:
            yield _contradiction(
                name, f"its pods have {field} {value}", f"they have {observed[field]}", "job-templates"
            )


def _was_suspended(state: State, name: str) -> bool:
    """Tell whether a Job was suspended at the rest before, or was not there."""
    return bool(state.before.get("Job", name).get("spec", {}).get("suspend", True))


def _count(workload: WorkloadView) -> int:
    assignments = (workload.admission or {}).get("podSetAssignments", ())
    return int(assignments[0].get("count", 0)) if assignments else 0


def _facets(template: Json) -> dict[str, Any]:
    """Return what Kueue may change of pods, and what they request."""
    spec, metadata = template["spec"], template.get("metadata") or {}
    return {
        "node selector": dict(spec.get("nodeSelector") or {}),
        "tolerations": _unique(spec.get("tolerations") or ()),
        "labels": _of_users(metadata.get("labels")),
        "annotations": _of_users(metadata.get("annotations")),
        "requests": [
            (container.get("resources") or {}).get("requests") or {} for container in spec["containers"]
        ],
    }


def _unique(tolerations: Iterable[Json]) -> list[Json]:
    """Return tolerations without those that come twice: Kueue adds none that is there."""
    items = [*tolerations]
    return [item for index, item in enumerate(items) if item not in items[:index]]


def _of_users(pairs: Mapping[str, str] | None) -> dict[str, str]:
    """Return labels or annotations that no controller of Jobs has put there."""
    return {key: value for key, value in (pairs or {}).items() if key.startswith(_OF_CHECKS)}


def _with_additions(state: State, workload: WorkloadView, facets: dict[str, Any]) -> dict[str, Any]:
    """Return what pods have with what their flavors and checks add."""
    selector, tolerations = dict(facets["node selector"]), list(facets["tolerations"])
    labels, annotations = dict(facets["labels"]), dict(facets["annotations"])
    flavors = [state.snapshot.get("ResourceFlavor", name).get("spec") or {} for name in workload.flavors()]
    for flavor in flavors:
        selector |= flavor.get("nodeLabels") or {}
        tolerations += flavor.get("tolerations") or ()
    for entry in workload.checks.values():
        for update in entry.get("podSetUpdates") or ():
            selector |= update.get("nodeSelector") or {}
            tolerations += update.get("tolerations") or ()
            labels |= update.get("labels") or {}
            annotations |= update.get("annotations") or {}
    added = {"tolerations": _unique(tolerations), "labels": labels, "annotations": annotations}
    # Which label is taken is not documented where two flavors have another value of it.
    if len(flavors) == 1:
        added["node selector"] = selector
    else:
        facets.pop("node selector")
    return {**facets, **added}

"""Views of objects and events for comparison: the parts of live objects and events that do not change from
run to run (pure).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping

from ..base.json_types import Json

TEXTS = (
    (re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"), "<uid>"),
    (re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)? [+-]\d{4} \S+"), "<time>"),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z"), "<time>"),
    (re.compile(r"\b(job-[a-z0-9-]+?)-[0-9a-f]{5}\b"), r"\1-<hash>"),
    (re.compile(r"was \d+s"), "was <n>s"),
)
UNSEEN = frozenset({"observedGeneration", "lastTransitionTime", "lastProbeTime"})
TIMES = frozenset({"requeueAt", "lastUpdateTime"})
COUNTS = ("pendingWorkloads", "reservingWorkloads", "admittedWorkloads")


def workload_name(found: Json) -> str:
    """Return the name of a Workload's Job, or its own."""
    owners = found["metadata"].get("ownerReferences") or ()
    return str(next((one["name"] for one in owners if one["kind"] == "Job"), found["metadata"]["name"]))


def text(value: str) -> str:
    """Return a text with placeholders."""
    for pattern, placeholder in TEXTS:
        value = pattern.sub(placeholder, value)
    return value


def plain(value: Json, key: str = "") -> Json:
    """Return a part of an object without what time and generation make of it."""
    if key in TIMES:
        return "<set>"
    if key == "accumulatedPastExecutionTimeSeconds":
        return "<n>"
    if isinstance(value, dict):
        return {name: plain(one, name) for name, one in value.items() if name not in UNSEEN}
    if isinstance(value, list):
        return [plain(one) for one in value]
    return text(value) if isinstance(value, str) else value


def conditions(found: Json) -> Json:
    """Return type → status, reason, message."""
    return {
        one["type"]: [one["status"], one.get("reason", ""), text(one.get("message", ""))]
        for one in sorted(
            (found.get("status") or {}).get("conditions") or (), key=lambda one: str(one["type"])
        )
    }


def behind(found: Json) -> Json:
    """Return by how many generations each condition is older than its object; those up to date are left out."""
    generation = found["metadata"].get("generation", 0)
    lags = {
        one["type"]: generation - one["observedGeneration"]
        for one in (found.get("status") or {}).get("conditions") or ()
        if "observedGeneration" in one
    }
    return {name: lag for name, lag in lags.items() if lag}


def times(found: Json) -> dict[str, str]:
    """Return the lastTransitionTime of each condition and entry, by `condition NAME` and `check NAME`."""
    status = found.get("status") or {}
    conditions = {f"condition {one['type']}": one for one in status.get("conditions") or ()}
    entries = {f"check {one['name']}": one for one in status.get("admissionChecks") or ()}
    return {name: one.get("lastTransitionTime", "") for name, one in (conditions | entries).items()}


def workload(found: Json) -> Json:
    """Return the compared part of a Workload."""
    status = plain(found.get("status") or {})
    entries = [
        {"name": one["name"], **dict(sorted(one.items()))} for one in status.pop("admissionChecks", [])
    ]
    status.pop("conditions", None)
    deleting = {"deleting": True} if found["metadata"].get("deletionTimestamp") else {}
    return {
        "active": found["spec"].get("active"),
        **deleting,
        "finalizers": sorted(found["metadata"].get("finalizers") or ()),
        "conditions": conditions(found),
        "behind": behind(found),
        "checks": entries,
        "status": status,
    }


def job(found: Json) -> Json:
    """Return the compared part of a Job: whether it is suspended, and what was written into its template."""
    template = found["spec"]["template"]
    metadata = template.get("metadata") or {}
    labels = {
        key: value
        for key, value in (metadata.get("labels") or {}).items()
        if not key.endswith(("job-name", "controller-uid"))
    }
    parts = {
        "labels": labels,
        "annotations": plain(metadata.get("annotations") or {}),
        "nodeSelector": template["spec"].get("nodeSelector"),
        "tolerations": template["spec"].get("tolerations"),
    }
    written = {key: value for key, value in parts.items() if value}
    return {
        "suspend": found["spec"].get("suspend"),
        "parallelism": found["spec"]["parallelism"],
        "template": written,
    }


def queue(found: Json) -> Json:
    """Return the compared part of a ClusterQueue or LocalQueue."""
    status = found.get("status") or {}
    return {
        "conditions": conditions(found),
        "behind": behind(found),
        **{name: status.get(name) for name in COUNTS},
    }


def check(found: Json) -> Json:
    """Return the compared part of an AdmissionCheck."""
    return {
        "conditions": conditions(found),
        "behind": behind(found),
        "finalizers": sorted(found["metadata"].get("finalizers") or ()),
    }


VIEWS: Mapping[str, Callable[[Json], Json]] = {
    "Workload": workload,
    "Job": job,
    "LocalQueue": queue,
    "ClusterQueue": queue,
    "AdmissionCheck": check,
}


def named(kind: str, found: Json) -> str:
    """Return `Kind/name`, where a Workload has the name of its Job."""
    return f"{kind}/{workload_name(found) if kind == 'Workload' else found['metadata']['name']}"


def objects(
    kinds: Mapping[str, Iterable[Json]], views: Mapping[str, Callable[[Json], Json]] = VIEWS
) -> dict[str, Json]:
    """Return `Kind/name` → view."""
    return {named(kind, one): views[kind](one) for kind, found in kinds.items() for one in found}


def transitions(kinds: Mapping[str, Iterable[Json]]) -> dict[str, dict[str, str]]:
    """Return `Kind/name` → the times of its conditions and entries."""
    return {named(kind, one): times(one) for kind, found in kinds.items() if kind != "Job" for one in found}


def events(found: Iterable[Json], kinds: Collection[str] | None = None) -> dict[str, int]:
    """Return the count of each event, by a line of its text; of all kinds of objects unless some are given."""
    counted: Counter[str] = Counter()
    for one in found:
        about = one["involvedObject"]
        if kinds is not None and about["kind"] not in kinds:
            continue
        name = (
            re.sub(r"^job-(.+)-[0-9a-f]{5}$", r"\1", about["name"])
            if about["kind"] == "Workload"
            else about["name"]
        )
        line = f"{about['kind']}/{name} {one['type']} {one['reason']}: {text(one.get('message', ''))}"
        counted[line] += (one.get("series") or {}).get("count") or one.get("count") or 1
    return dict(counted)

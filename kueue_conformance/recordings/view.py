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


def workload_name(document: Json) -> str:
    """Return the name of a Workload's Job, or its own."""
    owners = document["metadata"].get("ownerReferences") or ()
    return str(
        next((owner["name"] for owner in owners if owner["kind"] == "Job"), document["metadata"]["name"])
    )


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
        return {name: plain(item, name) for name, item in value.items() if name not in UNSEEN}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return text(value) if isinstance(value, str) else value


def conditions(document: Json) -> Json:
    """Return type → status, reason, message."""
    return {
        condition["type"]: [
            condition["status"],
            condition.get("reason", ""),
            text(condition.get("message", "")),
        ]
        for condition in sorted(
            (document.get("status") or {}).get("conditions") or (),
            key=lambda condition: str(condition["type"]),
        )
    }


def behind(document: Json) -> Json:
    """Return by how many generations each condition is
    older than its object; those up to date are left out.
    """
    generation = document["metadata"].get("generation", 0)
    lags = {
        condition["type"]: generation - condition["observedGeneration"]
        for condition in (document.get("status") or {}).get("conditions") or ()
        if "observedGeneration" in condition
    }
    return {name: lag for name, lag in lags.items() if lag}


def times(document: Json) -> dict[str, str]:
    """Return the lastTransitionTime of each condition and entry, by `condition NAME` and `check NAME`."""
    status = document.get("status") or {}
    conditions = {f"condition {condition['type']}": condition for condition in status.get("conditions") or ()}
    entries = {f"check {entry['name']}": entry for entry in status.get("admissionChecks") or ()}
    return {name: entry.get("lastTransitionTime", "") for name, entry in (conditions | entries).items()}


def workload(document: Json) -> Json:
    """Return the compared part of a Workload."""
    status = plain(document.get("status") or {})
    entries = [
        {"name": entry["name"], **dict(sorted(entry.items()))} for entry in status.pop("admissionChecks", [])
    ]
    status.pop("conditions", None)
    deleting = {"deleting": True} if document["metadata"].get("deletionTimestamp") else {}
    return {
        "active": document["spec"].get("active"),
        **deleting,
        "finalizers": sorted(document["metadata"].get("finalizers") or ()),
        "conditions": conditions(document),
        "behind": behind(document),
        "checks": entries,
        "status": status,
    }


def job(document: Json) -> Json:
    """Return the compared part of a Job: whether it is suspended, and what was written into its template."""
    template = document["spec"]["template"]
    metadata = template.get("metadata") or {}
    labels = {
        key: value
        for key, value in (metadata.get("labels") or {}).items()
        if not key.endswith(("job-name", "controller-uid"))
    }
    fields = {
        "labels": labels,
        "annotations": plain(metadata.get("annotations") or {}),
        "nodeSelector": template["spec"].get("nodeSelector"),
        "tolerations": template["spec"].get("tolerations"),
    }
    written = {key: value for key, value in fields.items() if value}
    return {
        "suspend": document["spec"].get("suspend"),
        "parallelism": document["spec"]["parallelism"],
        "template": written,
    }


def queue(document: Json) -> Json:
    """Return the compared part of a ClusterQueue or LocalQueue."""
    status = document.get("status") or {}
    return {
        "conditions": conditions(document),
        "behind": behind(document),
        **{name: status.get(name) for name in COUNTS},
    }


def check(document: Json) -> Json:
    """Return the compared part of an AdmissionCheck."""
    return {
        "conditions": conditions(document),
        "behind": behind(document),
        "finalizers": sorted(document["metadata"].get("finalizers") or ()),
    }


VIEWS: Mapping[str, Callable[[Json], Json]] = {
    "Workload": workload,
    "Job": job,
    "LocalQueue": queue,
    "ClusterQueue": queue,
    "AdmissionCheck": check,
}


def object_name(kind: str, document: Json) -> str:
    """Return `Kind/name`, where a Workload has the name of its Job."""
    return f"{kind}/{workload_name(document) if kind == 'Workload' else document['metadata']['name']}"


def objects(
    kinds: Mapping[str, Iterable[Json]], views: Mapping[str, Callable[[Json], Json]] = VIEWS
) -> dict[str, Json]:
    """Return `Kind/name` → view."""
    return {
        object_name(kind, document): views[kind](document)
        for kind, documents in kinds.items()
        for document in documents
    }


def transitions(kinds: Mapping[str, Iterable[Json]]) -> dict[str, dict[str, str]]:
    """Return `Kind/name` → the times of its conditions and entries."""
    return {
        object_name(kind, document): times(document)
        for kind, documents in kinds.items()
        if kind != "Job"
        for document in documents
    }


def events(event_objects: Iterable[Json], kinds: Collection[str] | None = None) -> dict[str, int]:
    """Return the count of each event, by a line of its text;
    of all kinds of objects unless some are given.
    """
    counted: Counter[str] = Counter()
    for event in event_objects:
        about = event["involvedObject"]
        if kinds is not None and about["kind"] not in kinds:
            continue
        name = (
            re.sub(r"^job-(.+)-[0-9a-f]{5}$", r"\1", about["name"])
            if about["kind"] == "Workload"
            else about["name"]
        )
        line = f"{about['kind']}/{name} {event['type']} {event['reason']}: {text(event.get('message', ''))}"
        counted[line] += (event.get("series") or {}).get("count") or event.get("count") or 1
    return dict(counted)

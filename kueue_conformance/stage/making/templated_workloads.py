"""Workloads as scenarios want them and the subject file's template has them, as plain data (TP-03, TP-11)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...base.json_types import Json
from ...subject.workload_template import WorkloadTemplate, containers_of
from . import manifests
from .submission import Submission

_ENOUGH = "1M"


def contradiction(template: WorkloadTemplate, submission: Submission) -> str:
    """Return how a scenario needs it otherwise than the template has it, empty where they go together."""
    if submission.form == "job":
        return "workload: the scenario submits a Job, of which Kueue makes the Workload"
    if template.pod_sets and ("podSets" in submission.spec or submission.count != 1):
        return "workload.spec.podSets: the scenario has pod sets of its own"
    if template.requests and not submission.requests:
        return "workload.spec.podSets: the scenario has pods without requests"
    common = [
        name
        for name, value in submission.spec.items()
        if name in template.spec and template.spec[name] != value
    ]
    return f"workload.spec.{common[0]}: the scenario has another one" if common else ""


def workload(template: WorkloadTemplate, submission: Submission) -> Json:
    """Return the Workload without an owner."""
    spec = {
        "queueName": submission.queue,
        "podSets": pod_sets(template, submission),
        **template.spec,
        **submission.spec,
    }
    metadata = {
        "name": submission.name,
        "namespace": submission.namespace,
        "labels": dict(template.labels),
        "annotations": {**template.annotations, **submission.annotations},
    }
    return {"kind": "Workload", "metadata": metadata, "spec": spec}


def pod_sets(template: WorkloadTemplate, submission: Submission) -> list[Json]:
    """Return its pod sets; a request of the scenario stands where the template makes none."""
    plain = manifests.pod_template(submission.requests, **submission.pods)
    if not template.pod_sets:
        return [{"name": "main", "count": submission.count, "template": plain}]
    return [
        {"name": "main", "count": 1, **pod_set, "template": _merge_pods(plain, pod_set)}
        for pod_set in template.pod_sets
    ]


def _merge_pods(plain: Json, pod_set: Json) -> Json:
    template = pod_set.get("template", {})
    containers = [
        {**plain["spec"]["containers"][0], **container} for container in containers_of(pod_set)
    ] or plain["spec"]["containers"]
    first, requests = containers[0], plain["spec"]["containers"][0]["resources"].get("requests", {})
    resources = first.get("resources") or {}
    merged = {**resources, "requests": {**requests, **(resources.get("requests") or {})}}
    spec = merge(plain["spec"], template.get("spec", {}))
    return {
        "metadata": merge(plain["metadata"], template.get("metadata", {})),
        "spec": {**spec, "containers": [{**first, "resources": merged}, *containers[1:]]},
    }


def merge(base: Json, over: Json) -> Json:
    """Return a mapping with the fields of two, those of the second where both have one."""
    inner = {
        name: merge(base[name], value)
        for name, value in over.items()
        if isinstance(value, Mapping) and isinstance(base.get(name), Mapping)
    }
    return {**base, **over, **inner}


def topology_assignment(levels: Mapping[str, str], pods: int) -> Json:
    """Return the assignment of pods to one domain, as v1beta2 has it (AC-208)."""
    values = [{"universal": value} for value in levels.values()]
    slices = [{"domainCount": 1, "podCounts": {"universal": pods}, "valuesPerLevel": values}]
    return {"levels": list(levels), "slices": slices}


def topology_of(template: WorkloadTemplate, pod_set: Json) -> Mapping[str, str]:
    """Return level and value of the domain for a pod set that requests a topology."""
    request = pod_set.get("topologyRequest") or {}
    level = request.get("required") or request.get("preferred") or "kubernetes.io/hostname"
    return template.topology or {level: "domain-1"}


def quotas(template: WorkloadTemplate | None, cpu: str) -> Mapping[str, str]:
    """Return the quota of each resource in a flavor: what a template requests never runs out."""
    requested: Sequence[str] = [*template.requests] if template else ()
    return {"cpu": cpu, **dict.fromkeys(requested, _ENOUGH)}

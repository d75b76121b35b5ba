"""Manifests of the objects a scenario needs, as plain data (admission.md §1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...base.json_types import Json
from ...scenarios.cases import NEWEST

CONTROLLER = "kueue-conformance.dev/player"
KEEPS_RUNNING = {"fakecluster.dev/script": "Running"}
"""Says to fakecluster, where it plays the kubelet,
what the image says to a real one: a pod runs until it is ended.
"""


def flavor(name: str, node_labels: Mapping[str, str], **spec: Any) -> Json:
    """Return a ResourceFlavor; `spec` adds fields."""
    body = {"nodeLabels": dict(node_labels), **spec}
    return {"kind": "ResourceFlavor", "metadata": {"name": name}, "spec": body}


def admission_check(
    name: str,
    controller: str = CONTROLLER,
    parameters: Json | None = None,
    retry_delay_minutes: int | None = None,
    preemption_policy: str | None = None,
) -> Json:
    """Return an AdmissionCheck; the retry delay and the preemption policy are the KEP's (AC-442, AC-451)."""
    spec = {
        "controllerName": controller,
        **({"parameters": parameters} if parameters else {}),
        **({"retryDelayMinutes": retry_delay_minutes} if retry_delay_minutes is not None else {}),
        **({"preemptionPolicy": preemption_policy} if preemption_policy else {}),
    }
    return {"kind": "AdmissionCheck", "metadata": {"name": name}, "spec": spec}


def resource_group(quotas: Mapping[str, Mapping[str, str]]) -> Json:
    """Return a resource group from flavor → resource → nominal quota."""
    resources = list(next(iter(quotas.values()), {}))
    flavors = [
        {
            "name": name,
            "resources": [{"name": resource, "nominalQuota": amount} for resource, amount in quota.items()],
        }
        for name, quota in quotas.items()
    ]
    return {"coveredResources": resources, "flavors": flavors}


def strategy(rules: Mapping[str, Sequence[str]]) -> Json:
    """Return an admissionChecksStrategy from check → flavors (none: all)."""
    checks = [
        {"name": name, **({"onFlavors": list(flavors)} if flavors else {})} for name, flavors in rules.items()
    ]
    return {"admissionChecks": checks}


def required_checks(rules: Mapping[str, Sequence[str]], version: str) -> Json:
    """Return the field of a ClusterQueue that requires checks;
    v1beta1 has a list of names for those without flavors.
    """
    if not rules:
        return {}
    if version != NEWEST and not any(rules.values()):
        return {"admissionChecks": list(rules)}
    return {"admissionChecksStrategy": strategy(rules)}


def cluster_queue(
    name: str,
    quotas: Mapping[str, Mapping[str, str]],
    rules: Mapping[str, Sequence[str]],
    version: str = NEWEST,
    **spec: Any,
) -> Json:
    """Return a ClusterQueue; `spec` overrides or adds fields, and leaves out those that are None."""
    body: dict[str, Any] = {
        "namespaceSelector": {},
        "resourceGroups": [resource_group(quotas)] if quotas else [],
        **required_checks(rules, version),
    }
    fields = {field: value for field, value in {**body, **spec}.items() if value is not None}
    return {"kind": "ClusterQueue", "metadata": {"name": name}, "spec": fields}


def local_queue(name: str, namespace: str, queue: str) -> Json:
    """Return a LocalQueue."""
    return {
        "kind": "LocalQueue",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {"clusterQueue": queue},
    }


def pod_template(requests: Mapping[str, str], **extra: Any) -> Json:
    """Return a pod template; `extra` has metadata and fields of the pod's spec."""
    resources = {"requests": dict(requests)} if requests else {}
    container = {"name": "main", "image": "registry.k8s.io/pause:3.10", "resources": resources}
    metadata = extra.pop("metadata", {})
    annotations = {**KEEPS_RUNNING, **metadata.get("annotations", {})}
    return {
        "metadata": {**metadata, "annotations": annotations},
        "spec": {"restartPolicy": "Never", "containers": [container], **extra},
    }


_TEAM = "example.com/team"


def pod_set_update(section: str, value: str, pods: str) -> Json:
    """Return what a check may change of pods: in `labels`, `annotations`, `nodeSelector` or `tolerations`."""
    toleration = {"key": _TEAM, "operator": "Equal", "value": value, "effect": "NoSchedule"}
    return {"name": pods, section: [toleration] if section == "tolerations" else {_TEAM: value}}


def template_with(section: str, value: str) -> Json:
    """Return the part of a pod template that a change of pods by another value runs into."""
    return {section: {_TEAM: value}} if section == "nodeSelector" else {"metadata": {section: {_TEAM: value}}}


def workload(name: str, namespace: str, queue: str, template: Json, count: int, **spec: Any) -> Json:
    """Return a bare Workload with one pod set."""
    body = {"queueName": queue, "podSets": [{"name": "main", "count": count, "template": template}], **spec}
    return {"kind": "Workload", "metadata": {"name": name, "namespace": namespace}, "spec": body}


def job(name: str, namespace: str, queue: str, template: Json, count: int, **spec: Any) -> Json:
    """Return a suspended Job for a LocalQueue."""
    labels = {"kueue.x-k8s.io/queue-name": queue, **spec.pop("labels", {})}
    metadata = {"name": name, "namespace": namespace, "labels": labels}
    body = {"suspend": True, "parallelism": count, "completions": count, "template": template, **spec}
    return {"kind": "Job", "metadata": metadata, "spec": body}

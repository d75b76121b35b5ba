"""The objects that benchmarks make: queues, a Workload, its quota reservation, a check."""

from __future__ import annotations

from typing import Any

Json = Any
GROUP = "kueue.x-k8s.io"
VERSION = f"{GROUP}/v1beta2"
CHECK, CONTROLLER = "instant", "benchmarks.dev/instant"
POD: Json = {
    "restartPolicy": "Never",
    "containers": [
        {
            "name": "main",
            "image": "registry.k8s.io/pause:3.10",
            "resources": {"requests": {"cpu": "1", "memory": "200Mi"}},
        }
    ],
}


def workload(name: str, queue: str, cores: int = 1) -> Json:
    """Return a Workload of one pod."""
    (container,) = POD["containers"]
    requests = {**container["resources"]["requests"], "cpu": str(cores)}
    pod = {**POD, "containers": [{**container, "resources": {"requests": requests}}]}
    pods = [{"name": "main", "count": 1, "template": {"spec": pod}}]
    return _manifest("Workload", name, {"queueName": queue, "podSets": pods}, "default")


def reservation(name: str, version: str = "1") -> Json:
    """Return what the scheduler applies to a Workload's status."""
    assignment = {
        "name": "main",
        "flavors": {"cpu": "default"},
        "resourceUsage": {"cpu": version},
        "count": 1,
    }
    status = {
        "conditions": [condition("QuotaReserved", "Quota reserved in ClusterQueue cluster-queue-0")],
        "admission": {"clusterQueue": "cluster-queue-0", "podSetAssignments": [assignment]},
    }
    return {**_manifest("Workload", name, None, "default"), "status": status}


def condition(kind: str, message: str) -> Json:
    """Return a condition that holds."""
    return {
        "type": kind,
        "status": "True",
        "reason": kind,
        "message": message,
        "lastTransitionTime": "2026-01-01T00:00:00Z",
    }


def flavor() -> Json:
    """Return the one flavor."""
    return _manifest("ResourceFlavor", "default", {})


def check() -> Json:
    """Return an AdmissionCheck that is answered at once."""
    return _manifest("AdmissionCheck", CHECK, {"controllerName": CONTROLLER})


def active() -> Json:
    """Return the status that its controller gives the check."""
    return {
        **_manifest("AdmissionCheck", CHECK, None),
        "status": {"conditions": [condition("Active", "ready")]},
    }


def provisioning_config() -> Json:
    """Return how the check of the same name asks an autoscaler."""
    spec = {"provisioningClassName": "check-capacity.autoscaling.x-k8s.io"}
    return _manifest("ProvisioningRequestConfig", CHECK, spec)


def provisioning_check() -> Json:
    """Return the AdmissionCheck that asks for capacity, in place of the one that is answered at once."""
    reference = {"apiGroup": GROUP, "kind": "ProvisioningRequestConfig", "name": CHECK}
    spec = {"controllerName": "kueue.x-k8s.io/provisioning-request", "parameters": reference}
    return _manifest("AdmissionCheck", CHECK, spec)


def cluster_queue(number: int, *, checked: bool) -> Json:
    """Return a ClusterQueue that has room for everything."""
    quota = [{"name": "cpu", "nominalQuota": "1000000"}, {"name": "memory", "nominalQuota": "1000Ti"}]
    group = {"coveredResources": ["cpu", "memory"], "flavors": [{"name": "default", "resources": quota}]}
    spec = {"namespaceSelector": {}, "resourceGroups": [group]}
    strategy = {"admissionChecks": [{"name": CHECK}]}
    return _manifest(
        "ClusterQueue",
        f"cluster-queue-{number}",
        spec | ({"admissionChecksStrategy": strategy} if checked else {}),
    )


def local_queue(number: int) -> Json:
    """Return the LocalQueue of a ClusterQueue."""
    return _manifest("LocalQueue", f"queue-{number}", {"clusterQueue": f"cluster-queue-{number}"}, "default")


def verdict(workload: Json) -> Json:
    """Return what a check controller applies to the status of a Workload whose check waits."""
    state = {"name": CHECK, "state": "Ready", "message": "fine", "lastTransitionTime": "2026-01-01T00:00:00Z"}
    return {
        **_manifest("Workload", workload["metadata"]["name"], None, "default"),
        "status": {"admissionChecks": [state]},
    }


def _manifest(kind: str, name: str, spec: Json, namespace: str = "") -> Json:
    metadata = {"name": name, **({"namespace": namespace} if namespace else {})}
    manifest = {"apiVersion": VERSION, "kind": kind, "metadata": metadata}
    return manifest if spec is None else {**manifest, "spec": spec}

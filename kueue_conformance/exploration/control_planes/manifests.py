"""Manifests of the objects that acts create, with the names that a run has for them (pure)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...base.json_types import Json
from ...stage.making import manifests
from .acts import Act

Name = Callable[[str], str]
"""Returns the name of an object by its short form, such as `q1`."""
LABEL = "example.com/flavor"
TEAM = "example.com/team"
LIMITS = "limits"
PRIORITY_LABEL = "kueue.x-k8s.io/priority-class"
_ANSWERED = "example.com/answered"
TAINT = {"key": "example.com/reserved", "value": "yes", "effect": "NoSchedule"}
TOLERATION = {"key": "example.com/reserved", "operator": "Equal", "value": "yes", "effect": "NoSchedule"}


def pod_counts(text: str) -> Sequence[tuple[int, str]]:
    """Return the number of pods and the CPU of each pod set: `2x1+1x3` has two of 1 and one of 3."""
    return [(int(count), cpu) for count, _, cpu in (pods.partition("x") for pods in text.split("+"))]


def flavor(act: Act, name: Name) -> Json:
    """Return a ResourceFlavor."""
    taints = {"nodeTaints": [TAINT]} if act.option("taint") else {}
    tolerations = {"tolerations": [TOLERATION]} if act.option("tolerates") else {}
    return manifests.flavor(name(act.name), {LABEL: act.name}, **taints, **tolerations)


def priority_class(act: Act, name: Name) -> Json:
    """Return a WorkloadPriorityClass."""
    metadata = {"name": name(act.name)}
    return {"kind": "WorkloadPriorityClass", "metadata": metadata, "value": int(act.option("value", "0"))}


def limit_range(act: Act, namespace: str) -> Json:
    """Return a LimitRange with the default request of containers."""
    limits = [{"type": "Container", "defaultRequest": {"cpu": act.option("cpu")}}]
    metadata = {"name": LIMITS, "namespace": namespace}
    return {"kind": "LimitRange", "metadata": metadata, "spec": {"limits": limits}}


def cohort(act: Act, name: Name) -> Json:
    """Return a Cohort."""
    parent = {"parentName": name(act.option("parent"))} if act.option("parent") else {}
    return {
        "kind": "Cohort",
        "metadata": {"name": name(act.name)},
        "spec": {"resourceGroups": resource_groups(act, name), **parent},
    }


def cluster_queue(act: Act, name: Name) -> Json:
    """Return a ClusterQueue."""
    preemption = {
        field: act.option(option)
        for field, option in (("withinClusterQueue", "within"), ("reclaimWithinCohort", "reclaim"))
        if act.option(option)
    }
    fungibility = {
        field: act.option(option)
        for field, option in (("whenCanBorrow", "borrowing"), ("whenCanPreempt", "preempting"))
        if act.option(option)
    }
    optional: Mapping[str, Any] = {
        "cohortName": name(act.option("cohort")) if act.option("cohort") else "",
        "queueingStrategy": act.option("strategy"),
        "preemption": preemption,
        "flavorFungibility": fungibility,
    }
    spec = {
        "namespaceSelector": {"matchLabels": {TEAM: act.option("team")}} if act.option("team") else {},
        "resourceGroups": resource_groups(act, name),
        **required_checks(act, name),
        **{field: value for field, value in optional.items() if value},
    }
    return {"kind": "ClusterQueue", "metadata": {"name": name(act.name)}, "spec": spec}


def resource_groups(act: Act, name: Name) -> Sequence[Json]:
    """Return the resource groups of `quota=f1:4,f2:2` (CPU) and of `memory=f3:2`, each flavor with the limits
    of `borrow` and `lend`.
    """
    limits = {
        field: act.option(option)
        for field, option in (("borrowingLimit", "borrow"), ("lendingLimit", "lend"))
        if act.option(option)
    }
    groups = []
    for resource, option in (("cpu", "quota"), ("memory", "memory")):
        quotas = [quota.partition(":") for quota in filter(None, act.option(option).split(","))]
        flavors = [
            {"name": name(flavor), "resources": [{"name": resource, "nominalQuota": amount, **limits}]}
            for flavor, _, amount in quotas
        ]
        groups += [{"coveredResources": [resource], "flavors": flavors}] if flavors else []
    return groups


def required_checks(act: Act, name: Name) -> Json:
    """Return the checks of `checks=k1,k2@f1`, of which a flavor can be named."""
    if not act.option("checks"):
        return {}
    pairs = [check.partition("@") for check in act.option("checks").split(",")]
    rules = {name(check): [name(flavor)] if flavor else [] for check, _, flavor in pairs}
    return {"admissionChecksStrategy": manifests.strategy(rules)}


def submission(act: Act, name: Name, namespace: str) -> Json:
    """Return the Workload or Job that is submitted."""
    counts = pod_counts(act.option("pods", "1x1"))
    queue = name(act.option("to"))
    if act.option("form") == "job":
        count, cpu = counts[0]
        return _job(act, name, manifests.job(name(act.name), namespace, queue, template(act, cpu), count))
    pod_sets = [
        {"name": f"set-{place}", "count": count, "template": template(act, cpu)}
        for place, (count, cpu) in enumerate(counts, 1)
    ]
    if act.option("min"):
        pod_sets[-1]["minCount"] = int(act.option("min"))
    spec: dict[str, Any] = {"queueName": queue, "podSets": pod_sets, "active": act.option("active") != "no"}
    if act.option("priority"):
        spec["priority"] = int(act.option("priority"))
    if act.option("limit"):
        spec["maximumExecutionTimeSeconds"] = int(act.option("limit"))
    metadata = {"name": name(act.name), "namespace": namespace}
    return {"kind": "Workload", "metadata": metadata, "spec": spec}


def _job(act: Act, name: Name, manifest: Json) -> Json:
    """Return the Job with what users say in labels and annotations."""
    metadata = manifest["metadata"]
    if act.option("min"):
        metadata["annotations"] = {"kueue.x-k8s.io/job-min-parallelism": act.option("min")}
    if act.option("limit"):
        metadata["labels"]["kueue.x-k8s.io/max-exec-time-seconds"] = act.option("limit")
    if act.option("class"):
        metadata["labels"][PRIORITY_LABEL] = name(act.option("class"))
    return manifest


def template(act: Act, cpu: str) -> Json:
    """Return the pods of a Workload."""
    extra: dict[str, Any] = {}
    if act.option("tolerates"):
        extra["tolerations"] = [TOLERATION]
    if act.option("on"):
        extra["nodeSelector"] = {LABEL: act.option("on")}
    requests = {"cpu": cpu} if cpu else {}
    if act.option("memory"):
        requests["memory"] = act.option("memory")
    return manifests.pod_template(requests, **extra)


def pod_set_update(kind: str, pod_set: str, check: str) -> Json:
    """Return what a check changes of a pod set: its labels, annotations, node selectors or tolerations."""
    if kind == "tolerations":
        toleration = {"key": _ANSWERED, "operator": "Equal", "value": check, "effect": "NoSchedule"}
        return {"name": pod_set, "tolerations": [toleration]}
    return {"name": pod_set, kind: {f"{_ANSWERED}-{check}": "yes"}}

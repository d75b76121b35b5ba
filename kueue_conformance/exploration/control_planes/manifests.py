"""Manifests of the objects that acts create, with the names that a run has for them (pure)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...base.json_types import Json
from ...stage.making import manifests
from .acts import Act
from .pod_templates import LABEL, OTHER_LABEL, TAINTS, template, tolerations_of

Name = Callable[[str], str]
"""Returns the name of an object by its short form, such as `q1`."""
TEAM = "example.com/team"
LIMITS = "limits"
PRIORITY_LABEL = "kueue.x-k8s.io/priority-class"
_ANSWERED = "example.com/answered"
_PARAMETER = "provreq.kueue.x-k8s.io/example.com-team"


def pod_counts(text: str) -> Sequence[tuple[int, str]]:
    """Return the number of pods and the CPU of each pod set: `2x1+1x3` has two of 1 and one of 3."""
    return [(int(count), cpu) for count, _, cpu in (pods.partition("x") for pods in text.split("+"))]


def flavor(act: Act, name: Name) -> Json:
    """Return a ResourceFlavor."""
    fields: dict[str, Any] = {}
    if act.option("taint"):
        fields["nodeTaints"] = [TAINTS[word] for word in act.option("taint").split("+")]
    if act.option("tolerates"):
        fields["tolerations"] = tolerations_of(act.option("tolerates"))
    return manifests.flavor(name(act.name), {LABEL: act.name}, **fields)


def priority_class(act: Act, name: Name) -> Json:
    """Return a WorkloadPriorityClass."""
    metadata = {"name": name(act.name)}
    return {"kind": "WorkloadPriorityClass", "metadata": metadata, "value": int(act.option("value", "0"))}


def runtime_class(act: Act, name: Name) -> Json:
    """Return a RuntimeClass, with what each of its pods needs beside its containers."""
    overhead = {"podFixed": {"cpu": act.option("cpu")}}
    metadata = {"name": name(act.name)}
    return {"kind": "RuntimeClass", "metadata": metadata, "handler": "sandbox", "overhead": overhead}


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
        "spec": {"resourceGroups": resource_groups(act, name), **parent, **_weight(act)},
    }


def _weight(act: Act) -> Json:
    return {"fairSharing": {"weight": act.option("weight")}} if act.option("weight") else {}


def cluster_queue(act: Act, name: Name) -> Json:
    """Return a ClusterQueue."""
    preemption: dict[str, Any] = {
        field: act.option(option)
        for field, option in (("withinClusterQueue", "within"), ("reclaimWithinCohort", "reclaim"))
        if act.option(option)
    }
    if act.option("lower"):
        preemption["borrowWithinCohort"] = {
            "policy": "LowerPriority",
            "maxPriorityThreshold": int(act.option("lower")),
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
    selector = _selector(act.option("team"))
    spec = {
        "resourceGroups": resource_groups(act, name),
        **required_checks(act, name),
        **_weight(act),
        **{field: value for field, value in optional.items() if value},
        **({} if selector is None else {"namespaceSelector": selector}),
    }
    return {"kind": "ClusterQueue", "metadata": {"name": name(act.name)}, "spec": spec}


def _selector(text: str) -> Json | None:
    """Return the selector of `a&In:a,b`: labels in lower case, and expressions; empty for all namespaces, and
    None for `absent`.
    """
    if text == "absent":
        return None
    words = text.split("&") if text else []
    # No namespace has the other label, so that one label of two is met.
    keys = {"spare": OTHER_LABEL}
    labels = {keys.get(word, TEAM): word for word in words if word[0].islower()}
    expressions = [_expression(word) for word in words if word[0].isupper()]
    fields = {"matchLabels": labels, "matchExpressions": expressions}
    return {field: value for field, value in fields.items() if value}


def _expression(text: str) -> Json:
    operator, _, values = text.partition(":")
    expression: dict[str, Any] = {"key": TEAM, "operator": operator}
    return {**expression, "values": values.split(",")} if values else expression


def resource_groups(act: Act, name: Name) -> Sequence[Json]:
    """Return the resource groups of `quota=f1:4,f2:2` (CPU), `memory=f3:2` and `counted=f1:3` (pods), each
    flavor with the limits of `borrow` and `lend`. Resources with the same flavors are in one group.
    """
    limits = {
        field: act.option(option)
        for field, option in (("borrowingLimit", "borrow"), ("lendingLimit", "lend"))
        if act.option(option)
    }
    groups: dict[tuple[str, ...], Json] = {}
    for resource, option in (("cpu", "quota"), ("memory", "memory"), ("pods", "counted")):
        quotas = dict(quota.split(":") for quota in filter(None, act.option(option).split(",")))
        if not quotas:
            continue
        flavors = tuple(map(name, quotas))
        group = groups.setdefault(
            flavors,
            {"coveredResources": [], "flavors": [{"name": flavor, "resources": []} for flavor in flavors]},
        )
        group["coveredResources"].append(resource)
        for flavor, amount in zip(group["flavors"], quotas.values(), strict=True):
            flavor["resources"].append({"name": resource, "nominalQuota": amount, **limits})
    return [*groups.values()]


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
        return _job(
            act, name, manifests.job(name(act.name), namespace, queue, template(act, cpu, name), count)
        )
    pod_sets = [
        {"name": f"set-{place}", "count": count, "template": template(act, cpu, name)}
        for place, (count, cpu) in enumerate(counts, 1)
    ]
    if act.option("min"):
        pod_sets[-1]["minCount"] = int(act.option("min"))
    spec: dict[str, Any] = {"queueName": queue, "podSets": pod_sets, "active": act.option("active") != "no"}
    if act.option("priority"):
        spec["priority"] = int(act.option("priority"))
    if act.option("limit"):
        spec["maximumExecutionTimeSeconds"] = int(act.option("limit"))
    metadata = {"name": name(act.name), "namespace": namespace, "annotations": _parameters(act)}
    return {"kind": "Workload", "metadata": metadata, "spec": spec}


def _parameters(act: Act) -> Mapping[str, str]:
    """Return the annotation by which a submission adds a parameter to its requests for capacity."""
    return {_PARAMETER: act.option("parameter")} if act.option("parameter") else {}


def _job(act: Act, name: Name, manifest: Json) -> Json:
    """Return the Job with what users say in labels and annotations."""
    metadata = manifest["metadata"]
    metadata["annotations"] = dict(_parameters(act))
    if act.option("min"):
        metadata["annotations"]["kueue.x-k8s.io/job-min-parallelism"] = act.option("min")
    if act.option("limit"):
        metadata["labels"]["kueue.x-k8s.io/max-exec-time-seconds"] = act.option("limit")
    if act.option("class"):
        metadata["labels"][PRIORITY_LABEL] = name(act.option("class"))
    return manifest


def pod_set_update(kind: str, pod_set: str, check: str) -> Json:
    """Return what a check changes of a pod set: its labels, annotations, node selectors or tolerations."""
    if kind == "tolerations":
        toleration = {"key": _ANSWERED, "operator": "Equal", "value": check, "effect": "NoSchedule"}
        return {"name": pod_set, "tolerations": [toleration]}
    return {"name": pod_set, kind: {f"{_ANSWERED}-{check}": "yes"}}

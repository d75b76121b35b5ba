"""What pods need, as Kubernetes documents requests, node affinity, taints and tolerations (pure)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...base.json_types import Json
from .amounts import milli
from .label_selectors import meets
from .pod_templates import LABEL

_KEEPS_OFF = ("NoSchedule", "NoExecute")


def is_modelled(pods: Json) -> bool:
    """Tell whether CPU that is requested and labels of flavors alone decide about pods."""
    containers = [*pods["containers"], *pods.get("initContainers", ())]
    is_of_cpu = all([*_requests(container)] in ([], ["cpu"]) for container in containers)
    return is_amount_modelled(pods) and is_of_cpu and selects_flavors(pods)


def selects_flavors(pods: Json) -> bool:
    """Tell whether node selector and affinity name no label but the one that each flavor has."""
    return {*pods.get("nodeSelector", {}), *(item["key"] for term in _terms(pods) for item in term)} <= {
        LABEL
    }


def requested_resources(pods: Json) -> frozenset[str]:
    """Return the names of the resources that a pod requests."""
    containers = [*pods["containers"], *pods.get("initContainers", ())]
    of_pod = pods.get("resources", {}).get("requests", {})
    return frozenset(name for amounts in (of_pod, *map(_requests, containers)) for name in amounts)


def amount_of(pods: Json, resource: str, runtime_class: Json) -> int:
    """Return what a pod requests of a resource in thousandths, with the overhead of its RuntimeClass."""
    overhead = pods.get("overhead") or runtime_class.get("overhead", {}).get("podFixed", {})
    return milli(overhead.get(resource, 0)) + (_whole(pods, resource) or _of_containers(pods, resource))


def with_defaults(pods: Json, defaults: Mapping[str, str]) -> Json:
    """Return pods whose containers request what they say themselves, what is requested by default in their
    namespace, or their limits, in this order (Q-090).
    """
    filled = {
        field: [_with_requests(container, defaults) for container in pods[field]]
        for field in ("containers", "initContainers")
        if field in pods
    }
    return {**pods, **filled}


def _with_requests(container: Json, defaults: Mapping[str, str]) -> Json:
    resources = container.get("resources", {})
    requests = {**resources.get("limits", {}), **defaults, **resources.get("requests", {})}
    return {**container, "resources": {**resources, "requests": requests}}


def is_amount_modelled(pods: Json) -> bool:
    """Tell whether no container requests more than its limit, and the pod no less than all of them."""
    containers = [*pods["containers"], *pods.get("initContainers", ())]
    # What a pod requests below the sum of its containers counts in some releases only.
    return not any(map(_exceeds_limits, containers)) and is_whole_enough(pods)


def _exceeds_limits(container: Json) -> bool:
    """Tell whether a container requests more than its limit: its Workload has to wait (Q-093)."""
    limits = container.get("resources", {}).get("limits", {})
    return any(milli(_requests(container)[name]) > milli(limit) for name, limit in limits.items())


def is_whole_enough(pods: Json) -> bool:
    """Tell whether a pod requests no less CPU than all of its containers: the API server takes no others."""
    return _whole(pods, "cpu") in (0, max(_whole(pods, "cpu"), _of_containers(pods, "cpu")))


def _whole(pods: Json, resource: str) -> int:
    """Return what the pod itself requests; 0 where its containers alone do."""
    return milli(pods.get("resources", {}).get("requests", {}).get(resource, 0))


def _of_containers(pods: Json, resource: str) -> int:
    """Return what containers request together: at their start, or while they run, whichever is more."""
    beside = most = 0
    for container in pods.get("initContainers", ()):
        requested = milli(_requests(container).get(resource, 0))
        if container.get("restartPolicy") == "Always":
            beside += requested
            most = max(most, beside)
        else:
            most = max(most, beside + requested)
    running = sum(milli(_requests(item).get(resource, 0)) for item in pods["containers"])
    return max(most, beside + running)


def _requests(container: Json) -> Mapping[str, object]:
    """Return what a container requests: where it says nothing, its limits."""
    resources = container.get("resources", {})
    return {**resources.get("limits", {}), **resources.get("requests", {})}


def suits(flavor: Json, pods: Json) -> bool:
    """Tell whether pods can run on the nodes of a flavor."""
    tolerations = [*pods.get("tolerations", ()), *flavor.get("tolerations", ())]
    kept_off = [taint for taint in flavor.get("nodeTaints", ()) if taint["effect"] in _KEEPS_OFF]
    if not all(any(_tolerates(item, taint) for item in tolerations) for taint in kept_off):
        return False
    labels, terms = flavor["nodeLabels"], _terms(pods)
    selected = pods.get("nodeSelector", {}).get(LABEL, labels[LABEL]) == labels[LABEL]
    return selected and (not terms or any(all(meets(item, labels) for item in term) for term in terms))


def _tolerates(toleration: Json, taint: Json) -> bool:
    if toleration.get("effect") not in (None, taint["effect"]):
        return False
    if toleration.get("key") not in (None, taint["key"]):
        return False
    exists: bool = toleration.get("operator") == "Exists"
    return exists or toleration.get("value") == taint.get("value")


def _terms(pods: Json) -> Sequence[Sequence[Json]]:
    affinity: Any = pods.get("affinity", {}).get("nodeAffinity", {})
    required = affinity.get("requiredDuringSchedulingIgnoredDuringExecution", {})
    return [term.get("matchExpressions", ()) for term in required.get("nodeSelectorTerms", ())]

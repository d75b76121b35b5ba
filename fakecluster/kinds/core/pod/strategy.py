"""What the server makes of a new Pod: phase, quality of service, the condition of gates (FK-496)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal

from ....base.json_types import Json
from ....base.numbers import quantity
from ....base.numbers.quantity import Quantity
from ...field_selectors import Read, at, paths

COMPUTE = ("cpu", "memory")


def _host_network(pod: Json) -> str:
    return "true" if pod["spec"].get("hostNetwork") else "false"


SELECTABLE: Mapping[str, Read] = {
    **paths(
        "spec.nodeName",
        "spec.restartPolicy",
        "spec.schedulerName",
        "spec.serviceAccountName",
        "status.phase",
        "status.podIP",
        "status.nominatedNodeName",
    ),
    "spec.hostNetwork": _host_network,
    "spec.host": at("spec.nodeName"),
    # The real server knows the label, but no pod has a value for it.
    "status.podIPs": lambda _: "",
}


def prepare(pod: Json) -> Json:
    """Give a new Pod its status."""
    gates = (
        {"conditions": [gates_condition(pod["metadata"]["creationTimestamp"])]}
        if pod["spec"].get("schedulingGates")
        else {}
    )
    return {**pod, "status": {"phase": "Pending", **gates, "qosClass": qos_class(pod["spec"])}}


def prepare_status(new: Json, old: Json) -> Json:
    """Keep what /status may not change:
    owners, the quality of service, and generations that were observed.
    """
    status = {**new.get("status", {})}
    for name in ("qosClass", "observedGeneration"):
        if not status.get(name) and old["status"].get(name):
            status[name] = old["status"][name]
    if status.get("conditions"):
        status["conditions"] = _with_observed_generations(
            status["conditions"], old["status"].get("conditions") or []
        )
    metadata = {name: value for name, value in new["metadata"].items() if name != "ownerReferences"}
    if "ownerReferences" in old["metadata"]:
        metadata["ownerReferences"] = old["metadata"]["ownerReferences"]
    return {**new, "metadata": metadata, "status": status}


def _with_observed_generations(conditions: list[Json], old: list[Json]) -> list[Json]:
    """Return conditions with the generations that the old ones of their types had, where they say none."""
    generations: dict[str, list[int]] = {}
    for condition in old:
        generations.setdefault(condition["type"], []).append(condition.get("observedGeneration", 0))
    result = []
    for condition in conditions:
        before = generations.get(condition.get("type", ""))
        generation = before.pop(0) if before else 0
        is_silent = generation and not condition.get("observedGeneration")
        result.append({**condition, "observedGeneration": generation} if is_silent else condition)
    return result


def gates_condition(current_time: str) -> Json:
    """Return the condition of a Pod that waits for its gates."""
    return {
        "type": "PodScheduled",
        "status": "False",
        "lastProbeTime": None,
        "lastTransitionTime": current_time,
        "reason": "SchedulingGated",
        "message": "Scheduling is blocked due to non-empty scheduling gates",
    }


def qos_class(spec: Json) -> str:
    """Return the class of a Pod: all limits equal requests, some are given, or none."""
    resources = list(_resources(spec))
    requests, limits = _totals(resources, "requests"), _totals(resources, "limits")
    if not requests and not limits:
        return "BestEffort"
    complete = all(
        all(_amount(resource, "limits", name).amount for name in COMPUTE) for resource in resources
    )
    return "Guaranteed" if complete and requests == limits else "Burstable"


def _resources(spec: Json) -> Iterator[Json]:
    """Yield the resources that count: those of the whole pod, or of each container."""
    if spec.get("resources") is not None:
        yield spec["resources"]
        return
    for container in (*(spec.get("containers") or ()), *spec.get("initContainers", ())):
        yield container.get("resources") or {}


def _amount(resources: Json, side: str, name: str) -> Quantity:
    return Quantity.of(resources.get(side, {}).get(name, "0"))


def _totals(resources: list[Json], side: str) -> dict[str, Decimal]:
    sums = {
        name: quantity.total(_amount(resource, side, name) for resource in resources).amount
        for name in COMPUTE
    }
    return {name: total for name, total in sums.items() if total > 0}

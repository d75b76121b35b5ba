"""The Workloads of each ClusterQueue in the objects of a case: those that hold quota, and those that wait for
it in the order of their priority and then of their time.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..base.json_types import Json
from ..rules.workload import conditions, is_true

Objects = Mapping[tuple[str, str, str], Json]


def queues(objects: Objects) -> list[dict[str, Any]]:
    """Return each ClusterQueue with the names of the Workloads that hold its quota, and the pending ones with
    position, priority and time.
    """
    cluster_queues = {
        (namespace, name): document["spec"].get("clusterQueue", "")
        for (kind, namespace, name), document in objects.items()
        if kind == "LocalQueue"
    }
    names = [name for kind, _, name in objects if kind == "ClusterQueue"]
    workloads = [document for (kind, _, _), document in objects.items() if kind == "Workload"]
    by_queue: dict[str, list[Json]] = {name: [] for name in names}
    for workload in workloads:
        local = workload["metadata"].get("namespace", ""), workload["spec"].get("queueName", "")
        if (name := cluster_queues.get(local, "")) in by_queue and not is_true(workload, "Finished"):
            by_queue[name].append(workload)
    return [{"name": name, **_members(members)} for name, members in by_queue.items()]


def _members(workloads: list[Json]) -> dict[str, Any]:
    waiting = [
        workload
        for workload in workloads
        if not is_true(workload, "QuotaReserved") and workload["spec"].get("active", True)
    ]
    # The order that Kueue documents.
    return {
        "reserving": [_name(workload) for workload in workloads if is_true(workload, "QuotaReserved")],
        "pending": [
            {
                "position": position,
                "workload": _name(workload),
                "priority": _priority(workload),
                "since": _since(workload),
            }
            for position, workload in enumerate(sorted(waiting, key=_order))
        ],
    }


def _name(workload: Json) -> str:
    return str(workload["metadata"]["name"])


def _priority(workload: Json) -> int:
    return int(workload["spec"].get("priority") or 0)


def _since(workload: Json) -> str:
    """Return when it began to wait: at its creation, or at an eviction that counts from its own time."""
    evicted = conditions(workload).get("Evicted", {})
    if evicted.get("status") == "True" and evicted.get("reason") == "PodsReadyTimeout":
        return str(evicted.get("lastTransitionTime", ""))
    return str(workload["metadata"].get("creationTimestamp", ""))


def _order(workload: Json) -> tuple[int, str, str]:
    return -_priority(workload), _since(workload), _name(workload)

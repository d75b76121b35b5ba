"""The Workloads of each ClusterQueue in the objects of a case: those that hold quota, and those that wait for
it in their order.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..base.json_types import Json
from ..history.present_objects import ObjectKey
from ..rules.workload import is_active, is_true, priority, queue_order, queued_since


def queues(objects: Mapping[ObjectKey, Json]) -> list[dict[str, Any]]:
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
        workload for workload in workloads if not is_true(workload, "QuotaReserved") and is_active(workload)
    ]
    return {
        "reserving": [_name(workload) for workload in workloads if is_true(workload, "QuotaReserved")],
        "pending": [
            {
                "position": position,
                "workload": _name(workload),
                "priority": priority(workload),
                "since": queued_since(workload),
            }
            for position, workload in enumerate(sorted(waiting, key=queue_order))
        ],
    }


def _name(workload: Json) -> str:
    return str(workload["metadata"]["name"])

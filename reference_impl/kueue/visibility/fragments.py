"""Items of a page, encoded once for each revision of a
Workload up to their first position (VIS-202…209, VIS-961).
"""

from __future__ import annotations

from typing import Any

from ..queueing.view import PositionedWorkload
from ..workload.view import Workload
from .serialization import go_json

OWNER_FIELDS = ("apiVersion", "kind", "name", "uid")


def item(pending: PositionedWorkload) -> bytes:
    """Return a Workload with its positions as an item in JSON."""
    workload, in_cluster_queue, in_local_queue = pending
    return b'%b%d,"positionInLocalQueue":%d}' % (
        workload.encode_once(_fragment),
        in_cluster_queue,
        in_local_queue,
    )


def _fragment(workload: Workload) -> bytes:
    return go_json(_item(workload))[:-1] + b',"positionInClusterQueue":'


def _item(workload: Workload) -> dict[str, Any]:
    return {
        "metadata": metadata_of(workload),
        "priority": workload.priority,
        "localQueueName": workload.queue_name,
    }


def metadata_of(workload: Workload) -> dict[str, Any]:
    """Return the metadata of an item of a list (VIS-203, VIS-204)."""
    source = workload.metadata
    metadata: dict[str, Any] = {
        "name": workload.name,
        "namespace": workload.namespace,
        "creationTimestamp": source.get("creationTimestamp"),
    }
    owners = source.get("ownerReferences")
    if owners:
        metadata["ownerReferences"] = [{key: owner.get(key, "") for key in OWNER_FIELDS} for owner in owners]
    return metadata

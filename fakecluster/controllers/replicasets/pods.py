"""The pods of a ReplicaSet: what one looks like, and in which order surplus ones go."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from ...numbers.integers import fits
from ...numbers.timestamps import since_epoch
from ..jobs.pods import is_ready, phase
from ..owners import reference_to

Json = Any
COST = "controller.kubernetes.io/pod-deletion-cost"
PHASES = ("Pending", "Unknown", "Running")


def new(replica_set: Json) -> Json:
    """Return a pod for a ReplicaSet."""
    template = replica_set["spec"]["template"]
    given = template.get("metadata") or {}
    metadata = {
        "generateName": f"{replica_set['metadata']['name']}-",
        "namespace": replica_set["metadata"]["namespace"],
        "labels": dict(given.get("labels") or {}),
        "annotations": dict(given.get("annotations") or {}),
        "finalizers": list(given.get("finalizers") or ()),
        "ownerReferences": [reference_to(replica_set)],
    }
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": template["spec"]}


def surplus(active: Sequence[Json], number: int) -> list[Json]:
    """Return the pods that go first: without a node, pending, not ready, cheap, crowded, ready or made not
    long ago.
    """
    crowd = Counter(one["spec"].get("nodeName") for one in active)
    return sorted(active, key=lambda pod: _rank(pod, crowd))[:number]


def _rank(pod: Json, crowd: Counter[Any]) -> tuple[Any, ...]:
    node = pod["spec"].get("nodeName")
    known = phase(pod) if phase(pod) in PHASES else "Unknown"
    return (
        bool(node),
        PHASES.index(known),
        is_ready(pod),
        _cost(pod),
        -crowd[node],
        -(ready_since(pod) or 0.0),
        -since_epoch(pod["metadata"]["creationTimestamp"]),
        pod["metadata"]["name"],
    )


def _cost(pod: Json) -> int:
    text = pod["metadata"].get("annotations", {}).get(COST, "0")
    return int(text) if fits(text, 32) else 0


def ready_since(pod: Json) -> float | None:
    """Return since when a pod is ready, None when it is not."""
    ready = next((one for one in pod.get("status", {}).get("conditions", ()) if one["type"] == "Ready"), None)
    if ready is None or ready["status"] != "True":
        return None
    return since_epoch(ready["lastTransitionTime"])

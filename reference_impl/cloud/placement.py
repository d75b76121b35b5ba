"""Which node each waiting pod gets, and why the others get none:
the decision of the scheduler, without I/O (PR-307, PR-331).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import orjson

from reference_impl.api import instants
from reference_impl.api.resource import Json, Key, key_of
from reference_impl.autoscaler.simulation.node import NodeShape
from reference_impl.autoscaler.simulation.pod import Pod, PodShape
from reference_impl.autoscaler.simulation.predicates import objection
from reference_impl.autoscaler.simulation.snapshot import ClusterSnapshot

FINISHED: Final = frozenset({"Succeeded", "Failed"})
DEFAULT_SCHEDULER: Final = "default-scheduler"
NO_NODES: Final = "no nodes available to schedule pods"


@dataclass(frozen=True, slots=True)
class Binding:
    """A pod and the node that it gets."""

    pod: Json
    node: str


@dataclass(frozen=True, slots=True)
class Unschedulable:
    """A pod that no node takes, and why."""

    pod: Json
    message: str


class PodPlacement:
    """Nodes with their pods, which stays true while nothing changes but that pods are placed here.

    `assumed` are nodes by uid of pods that were bound a moment ago. Pods that are alike share a shape, so
    that a node which was full for one is not tried for the next.
    """

    def __init__(self, nodes: Iterable[Json], pods: Iterable[Json], assumed: Mapping[str, str]) -> None:
        self._snapshot = ClusterSnapshot(map(NodeShape.of, sorted(filter(_takes_pods, nodes), key=_age)))
        self._shapes: dict[bytes, PodShape] = {}
        for obj in pods:
            node = obj["spec"].get("nodeName") or assumed.get(obj["metadata"]["uid"])
            node_info = self._snapshot.node_info(node) if node else None
            if node_info is not None and not has_ended(obj):
                self._snapshot.place_anyway(self._pod(obj), node_info)

    def place(self, pods: Iterable[Json]) -> tuple[Sequence[Binding], Sequence[Unschedulable]]:
        """Place pods that wait, the most important ones first."""
        bindings: list[Binding] = []
        unschedulable: list[tuple[Json, PodShape]] = []
        # kube-scheduler's queue: priority, then age.
        for obj in sorted(pods, key=_importance):
            pod = self._pod(obj)
            node = self._snapshot.place(pod)
            if node:
                bindings.append(Binding(obj, node))
            else:
                unschedulable.append((obj, pod.shape))
        shapes = dict.fromkeys(shape for _, shape in unschedulable)
        messages = {shape: _message(shape, self._snapshot) for shape in shapes}
        return bindings, [Unschedulable(obj, messages[shape]) for obj, shape in unschedulable]

    def _pod(self, obj: Json) -> Pod:
        key: Key = key_of(obj)
        return Pod(key.namespace, key.name, self._shape(obj), uid=obj["metadata"]["uid"])

    def _shape(self, obj: Json) -> PodShape:
        metadata = obj["metadata"]
        # The same pods before and after they are bound share a shape.
        spec = {name: value for name, value in obj["spec"].items() if name != "nodeName"}
        key = orjson.dumps([metadata["namespace"], metadata.get("labels"), spec])
        if key not in self._shapes:
            self._shapes[key] = PodShape.of(metadata["namespace"], metadata, obj["spec"])
        return self._shapes[key]


def is_waiting(pod: Json) -> bool:
    """Tell whether a pod is for the default scheduler, and may be given a node."""
    spec, metadata = pod["spec"], pod["metadata"]
    return not (
        spec.get("nodeName")
        or spec.get("schedulingGates")
        or metadata.get("deletionTimestamp")
        or spec.get("schedulerName", DEFAULT_SCHEDULER) != DEFAULT_SCHEDULER
        or has_ended(pod)
    )


def has_ended(pod: Json) -> bool:
    """Tell whether a pod takes no room any more."""
    return (pod.get("status") or {}).get("phase") in FINISHED


def changes_room(old: Json | None, new: Json | None) -> bool:
    """Tell whether more, fewer or other pods may run on a node than before."""
    if old is None or new is None:
        return True
    return any(read(old) != read(new) for read in (_takes_pods, _spec, _labels, _allocatable))


def _takes_pods(node: Json) -> bool:
    """Tell whether a node takes pods at all. kube-scheduler goes by the taints of one that is not ready,
    which here are lifted a moment before.
    """
    conditions = (node.get("status") or {}).get("conditions") or ()
    down = any(condition["type"] == "Ready" and condition["status"] != "True" for condition in conditions)
    return not down and not (node.get("spec") or {}).get("unschedulable")


def _spec(node: Json) -> Json:
    return node.get("spec")


def _labels(node: Json) -> Json:
    return node["metadata"].get("labels")


def _allocatable(node: Json) -> Json:
    return (node.get("status") or {}).get("allocatable")


def _message(shape: PodShape, snapshot: ClusterSnapshot) -> str:
    reasons = Counter(objection(shape, node_info, snapshot) for node_info in snapshot.node_infos)
    if not reasons:
        return NO_NODES
    summary = ", ".join(sorted(f"{count} {reason}" for reason, count in reasons.items()))
    return f"0/{reasons.total()} nodes are available: {summary}."


def _age(node: Json) -> tuple[float, str]:
    metadata = node["metadata"]
    return instants.parse(metadata["creationTimestamp"]), metadata["name"]


def _importance(pod: Json) -> tuple[int, float, str, str]:
    metadata = pod["metadata"]
    created = instants.parse(metadata["creationTimestamp"])
    return -int(pod["spec"].get("priority") or 0), created, metadata["namespace"], metadata["name"]

"""Which node each waiting pod gets, and why the others get none: the decision of the scheduler, without I/O (PR-307, PR-331)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import orjson

from reference_impl import instants
from reference_impl.api.resource import Json, Key, key_of
from reference_impl.autoscaler.simulation.node import NodeShape
from reference_impl.autoscaler.simulation.pod import Pod, PodShape
from reference_impl.autoscaler.simulation.predicates import objection
from reference_impl.autoscaler.simulation.snapshot import Snapshot

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


class Shapes:
    """Shapes of pods; pods that are alike share theirs, so that a node that was full for one is not asked again for the next."""

    def __init__(self) -> None:
        self._known: dict[bytes, PodShape] = {}

    def of(self, pod: Json) -> PodShape:
        """Return the shape of a pod."""
        metadata = pod["metadata"]
        spec = {name: value for name, value in pod["spec"].items() if name != "nodeName"}
        key = orjson.dumps([metadata["namespace"], metadata.get("labels"), spec])
        if key not in self._known:
            self._known[key] = PodShape.of(metadata["namespace"], metadata, pod["spec"])
        return self._known[key]


def placed(
    nodes: Iterable[Json], pods: Iterable[Json], assumed: Mapping[str, str]
) -> tuple[Sequence[Binding], Sequence[Unschedulable]]:
    """Place the pods that wait, the most important ones first; `assumed` are nodes by uid of pods that were bound a moment ago."""
    snapshot = Snapshot(map(NodeShape.of, sorted(filter(_takes_pods, nodes), key=_age)))
    shapes, waiting = Shapes(), []
    for obj in pods:
        room = snapshot.room(obj["spec"].get("nodeName") or assumed.get(obj["metadata"]["uid"], ""))
        if room is not None and obj["status"].get("phase") not in FINISHED:
            snapshot.put(_pod(obj, shapes), room)
        elif is_waiting(obj) and obj["metadata"]["uid"] not in assumed:
            waiting.append(obj)
    bindings, others = [], []
    for obj in sorted(waiting, key=_importance):
        pod = _pod(obj, shapes)
        node = snapshot.place(pod)
        if node:
            bindings.append(Binding(obj, node))
        else:
            others.append((obj, pod.shape))
    messages: dict[PodShape, str] = {}
    for _, shape in others:
        if shape not in messages:
            messages[shape] = _message(shape, snapshot)
    return bindings, [Unschedulable(obj, messages[shape]) for obj, shape in others]


def is_waiting(pod: Json) -> bool:
    """Tell whether a pod is for the default scheduler, and may be given a node."""
    spec, metadata = pod["spec"], pod["metadata"]
    return not (
        spec.get("nodeName")
        or spec.get("schedulingGates")
        or metadata.get("deletionTimestamp")
        or spec.get("schedulerName", DEFAULT_SCHEDULER) != DEFAULT_SCHEDULER
        or (pod.get("status") or {}).get("phase") in FINISHED
    )


def _takes_pods(node: Json) -> bool:
    """Tell whether a node takes pods at all. kube-scheduler goes by the taints of one that is not ready, which here are lifted a moment before."""
    conditions = (node.get("status") or {}).get("conditions") or ()
    down = any(each["type"] == "Ready" and each["status"] != "True" for each in conditions)
    return not down and not (node.get("spec") or {}).get("unschedulable")


def _pod(obj: Json, shapes: Shapes) -> Pod:
    key: Key = key_of(obj)
    return Pod(key.namespace, key.name, shapes.of(obj), uid=obj["metadata"]["uid"])


def _message(shape: PodShape, snapshot: Snapshot) -> str:
    reasons = Counter(objection(shape, room, snapshot) for room in snapshot.rooms)
    if not reasons:
        return NO_NODES
    told = ", ".join(sorted(f"{count} {reason}" for reason, count in reasons.items()))
    return f"0/{reasons.total()} nodes are available: {told}."


def _age(node: Json) -> tuple[float, str]:
    metadata = node["metadata"]
    return instants.parse(metadata["creationTimestamp"]), metadata["name"]


def _importance(pod: Json) -> tuple[int, float, str, str]:
    metadata = pod["metadata"]
    created = instants.parse(metadata["creationTimestamp"])
    return -int(pod["spec"].get("priority") or 0), created, metadata["namespace"], metadata["name"]

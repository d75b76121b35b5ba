"""The stand-in for kube-scheduler: binds pods to nodes, and says why a pod cannot be bound (FK-461)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from ...api.outcome import User
from ...api.steps import Steps
from ...base.json_types import Json
from ...base.numbers.timestamps import at
from ...registry.machinery import Api
from ...store import Event, Name
from ..actor import Actor
from ..recorder import ActionRecorder
from . import affinity
from .claims import PodClaims
from .default_node import DefaultNode, takes_any_pod
from .filters import Rejection, rejection
from .node_info import NODES, PODS, NodeInfo, NodeInfos, changes_places, frees_room

SCHEDULER_NAME = "default-scheduler"
"""The scheduler of pods that name none."""
USER = User(name="system:kube-scheduler", groups=("system:masters", "system:authenticated"))
NOT_NAMED = Rejection(("node(s) didn't satisfy plugin(s) [NodeAffinity]",))
NO_NODES = "no nodes available to schedule pods"
NO_CLAIMS_TO_DEALLOCATE = "no new claims to deallocate"
PREEMPTION_NEVER = "not eligible due to preemptionPolicy=Never."
PREEMPTION_NOT_HELPFUL = "Preemption is not helpful for scheduling"
NO_VICTIMS = "No preemption victims found for incoming pod"
UNBOUND_SECONDS = 1.0
"""After which a pod is looked at again for which bindings of others left no room."""
NOTE_LIMIT, ELLIPSIS = 1024, " ..."
"""Characters of the note of an Event."""


class Scheduler:
    """Binds the pods that name it; the first node by name that takes a pod gets it.

    It knows what is stored when it is made, and follows the changes that it is shown.
    """

    def __init__(self, api: Api) -> None:
        self._api = api
        self._actor = Actor(api, USER, "kube-scheduler")
        self._recorder = ActionRecorder(self._actor, SCHEDULER_NAME, f"{SCHEDULER_NAME}-fakecluster")
        self._infos = NodeInfos(api.store)
        self._default_node = DefaultNode(api)
        self._claims = PodClaims(api.store, self._actor)

    def observe(self, event: Event) -> Iterable[Name]:
        """Follow a change; return the waiting pods that may have a place now."""
        if event.resource in {NODES, PODS}:
            self._infos.observe(event)
        # Another kind of object, such as a claim, may be what a pod waits for.
        may_help = (
            frees_room(event) if event.resource == PODS else event.resource != NODES or changes_places(event)
        )
        if may_help:
            return tuple(self._infos.unassigned)
        return ()

    def schedule(self, pod: Json) -> Steps[float | None]:
        """Bind a pod without a node, or say why it has to wait; return after how many seconds to look again.

        Raises StatusError.
        """
        # Another scheduler's pod, or one with gates, is left alone (FK-461).
        if pod["spec"].get("schedulerName") != SCHEDULER_NAME or pod["spec"].get("schedulingGates"):
            return None
        if not self._infos.had_nodes:
            # The node of a cluster without nodes is made when the first pod needs it.
            yield from self._default_node.register()
        nodes = list(self._infos.nodes())
        if len(nodes) == 1 and takes_any_pod(nodes[0].node):
            yield from self._claims.request(pod, nodes[0].node)
            yield from self._bind(pod, nodes[0].name)
            return None
        if any(takes_any_pod(info.node) for info in nodes):
            yield from self._default_node.cordon()
            nodes = list(self._infos.nodes())
        return (yield from self._place(pod, nodes))

    def _place(self, pod: Json, nodes: Sequence[NodeInfo]) -> Steps[float | None]:
        if nodes and (problem := self._claims.problem(pod)):
            yield from self._report(pod, unready_claims(len(nodes), problem))
            return None
        names, rejections = affinity.names(pod), []
        for info in nodes:
            rejected = self._rejection(pod, info, names)
            if rejected is None:
                if not (yield from self._claims.request(pod, info.node)):
                    yield from self._bind(pod, info.name)
                # Placed, though it may have to wait for its volumes: it comes here again when they are bound.
                return None
            rejections.append(rejected)
        # No event comes when a binding is refused, and the room that it took is free again.
        seconds = UNBOUND_SECONDS if self._infos.assumed else None
        yield from self._report(pod, unschedulable(pod, rejections))
        return seconds

    def _rejection(self, pod: Json, info: NodeInfo, names: Collection[str] | None) -> Rejection | None:
        if names is not None and info.name not in names:
            return NOT_NAMED
        return rejection(pod, info) or self._claims.rejection(pod, info.node)

    def _bind(self, pod: Json, node: str) -> Steps[None]:
        row, metadata = self._actor.kind("v1", "Pod"), pod["metadata"]
        if row is None:
            return
        binding = {
            "apiVersion": "v1",
            "kind": "Binding",
            "metadata": {
                "name": metadata["name"],
                "namespace": metadata["namespace"],
                "uid": metadata["uid"],
            },
            "target": {"apiVersion": "v1", "kind": "Node", "name": node},
        }
        name = (metadata["namespace"], metadata["name"])
        # A webhook may be asked about the binding, while other pods are placed.
        self._infos.assume(name, pod, node)
        try:
            yield from self._actor.create(row, binding, "binding")
        finally:
            self._infos.end_assumption(name, self._api.store.get(PODS, name))
        note = f"Successfully assigned {metadata['namespace']}/{metadata['name']} to {node}"
        yield from self._recorder.record(pod, "Scheduled", "Binding", note)

    def _report(self, pod: Json, message: str) -> Steps[None]:
        row = self._actor.kind("v1", "Pod")
        status = _unschedulable(pod, message, at(self._api.clock.now()))
        # Said once: the same condition is not written again, nor its event recorded.
        if row is None or status == pod.get("status"):
            return
        note = truncate(message)
        yield from self._recorder.record(pod, "FailedScheduling", "Scheduling", note, "Warning")
        yield from self._actor.update_status(row, {**pod, "status": status})


def _unschedulable(pod: Json, message: str, current_time: str) -> Json:
    """Return the status of a pod that no node takes."""
    status = pod.get("status", {})
    conditions = status.get("conditions") or []
    before: Json = next((entry for entry in conditions if entry["type"] == "PodScheduled"), {})
    # A condition that stays False keeps its time of transition.
    since = before["lastTransitionTime"] if before.get("status") == "False" else current_time
    condition = {
        "type": "PodScheduled",
        "status": "False",
        "lastProbeTime": None,
        "lastTransitionTime": since,
        "reason": "Unschedulable",
        "message": message,
        "observedGeneration": pod["metadata"].get("generation", 0),
    }
    further = [other for other in conditions if other["type"] != "PodScheduled"]
    return status if before == condition else {**status, "conditions": [*further, condition]}


def unschedulable(pod: Json, rejections: Sequence[Rejection]) -> str:
    """Word why none of the nodes takes a pod."""
    if not rejections:
        return NO_NODES
    # Equal reasons of several nodes are counted, as the scheduler's FitError does.
    reasons = _histogram(reason for rejection in rejections for reason in rejection.reasons)
    return f"{_none_of(rejections)}: {reasons}. {NO_CLAIMS_TO_DEALLOCATE}, preemption: {_preemption(pod, rejections)}"


def unready_claims(nodes: int, problem: str) -> str:
    """Word what keeps a pod from every node: one of its claims."""
    return f"0/{nodes} nodes are available: {problem}. not found"


def truncate(message: str) -> str:
    """Return as much of a message as the note of an Event holds."""
    # The note of an Event is limited by validation.
    return message if len(message) <= NOTE_LIMIT else message[: NOTE_LIMIT - len(ELLIPSIS)] + ELLIPSIS


def _preemption(pod: Json, rejections: Sequence[Rejection]) -> str:
    if pod["spec"].get("preemptionPolicy") == "Never":
        return PREEMPTION_NEVER
    outcomes = _histogram(
        NO_VICTIMS if rejection.resolvable else PREEMPTION_NOT_HELPFUL for rejection in rejections
    )
    return f"{_none_of(rejections)}: {outcomes}."


def _none_of(rejections: Sequence[Rejection]) -> str:
    return f"0/{len(rejections)} nodes are available"


def _histogram(reasons: Iterable[str]) -> str:
    # Sorted as texts with their numbers before them, as the scheduler does: 10 comes before 2.
    return ", ".join(sorted(f"{count} {reason}" for reason, count in Counter(reasons).items()))

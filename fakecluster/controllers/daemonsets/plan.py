"""Which nodes of a DaemonSet lack a pod, and which pods go: a node that should have none, pods that ended,
and more than one pod on a node.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from ...base.json_types import Json
from ..pod_state import is_available, is_deleted, is_ready, phase
from .placement import Placement
from .pods import ByNode, is_updated, oldest_first


class PodChanges(Struct, frozen=True):
    """Nodes that get a pod, and pods that are deleted."""

    create: tuple[str, ...] = ()
    delete: tuple[Json, ...] = ()
    """Pods."""

    def __or__(self, other: PodChanges) -> PodChanges:
        return PodChanges((*self.create, *other.create), (*self.delete, *other.delete))

    def __bool__(self) -> bool:
        return bool(self.create or self.delete)


class DaemonSetState(Struct, frozen=True):
    """What is decided about: a DaemonSet, its pods by node, what becomes of it on each node, and the time."""

    daemon_set: Json
    pods: ByNode
    placements: Mapping[str, Placement]
    revision_hash: str
    current_time: float

    @property
    def min_ready(self) -> float:
        """How many seconds a pod has to be ready."""
        return float(self.daemon_set["spec"].get("minReadySeconds", 0))

    def is_available(self, pod: Json) -> bool:
        """Tell whether a pod has been ready for long enough."""
        return is_available(pod, self.min_ready, self.current_time)

    def is_updated(self, pod: Json) -> bool:
        """Tell whether a pod is of the present template."""
        return is_updated(self.daemon_set, pod, self.revision_hash)


def manage(view: DaemonSetState, *, surges: bool) -> PodChanges:
    """Return what every node needs, whatever the update strategy."""
    changes = PodChanges()
    for node, placement in view.placements.items():
        pods = view.pods.get(node)
        if placement.runs and pods is None:
            changes |= PodChanges(create=(node,))
        elif placement.stays:
            changes |= _trim(view, node, pods or (), surges=surges, runs=placement.runs)
        else:
            changes |= PodChanges(delete=tuple(pod for pod in pods or () if not is_deleted(pod)))
    return changes | PodChanges(delete=tuple(_without_node(view)))


def pods_that_ended(view: DaemonSetState) -> list[tuple[str, Json]]:
    """Return the pods that have ended and stay on a node that should have one, each with its node."""
    return [
        (node, pod)
        for node, placement in view.placements.items()
        for pod in view.pods.get(node, ())
        if placement.stays
        if not is_deleted(pod) and phase(pod) in {"Failed", "Succeeded"}
    ]


def _trim(view: DaemonSetState, node: str, pods: Sequence[Json], *, surges: bool, runs: bool) -> PodChanges:
    """Return what one node needs that may have pods."""
    running = oldest_first(
        [pod for pod in pods if not is_deleted(pod) and phase(pod) not in {"Failed", "Succeeded"}]
    )
    if not surges:
        return PodChanges(delete=tuple(running[1:]))
    if not running and runs:
        return PodChanges(create=(node,))
    return PodChanges(delete=tuple(_pods_to_replace(view, running))) if len(running) > 1 else PodChanges()


def _pods_to_replace(view: DaemonSetState, running: Sequence[Json]) -> Iterable[Json]:
    """Yield the pods that go from a node that may have two:
    an old one stays until the new one is available.
    """
    new = [pod for pod in running if view.is_updated(pod)]
    old = [pod for pod in running if not view.is_updated(pod)]
    yield from (*new[1:], *old[1:])
    if new and old and (not is_ready(old[0]) or view.is_available(new[0])):
        yield old[0]


def _without_node(view: DaemonSetState) -> Iterable[Json]:
    """Yield pods that wait for a node that is gone."""
    for node, pods in view.pods.items():
        if node not in view.placements:
            yield from (pod for pod in pods if not pod["spec"].get("nodeName"))

"""Machines that were asked for: those on their way,
those that do not come, and those given up (PR-323, PR-355…359).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..cloud import Instance, NodeGroup
from ..cluster_state import ClusterState


@dataclass(frozen=True, slots=True)
class AwaitedNodes:
    """Nodes that a group was asked for, and until when they are waited for."""

    increase: int
    requested_at: float
    deadline: float


@dataclass(frozen=True, slots=True)
class TimedOutNodes:
    """A group whose nodes did not come in time."""

    group: str
    seconds: float


class NodeRegistrations:
    """Remembers what was asked for and since when a machine without a Node is known."""

    def __init__(self, provision_seconds: float) -> None:
        self._seconds = provision_seconds
        self._awaited: dict[str, AwaitedNodes] = {}
        self._since: dict[str, float] = {}
        self._wrong: dict[str, tuple[int, float]] = {}

    def note_request(self, group: str, delta: int, current_time: float) -> None:
        """Note that a group was asked for more nodes; what it still waits for gets the later deadline."""
        before = self._awaited.get(group)
        # The deadline moves for all of them, as in the real one: nodes that were asked
        # for earlier get more time.
        increase = delta + (before.increase if before else 0)
        self._awaited[group] = AwaitedNodes(increase, current_time, current_time + self._seconds)

    def is_growing(self, group: str) -> bool:
        """Tell whether nodes of a group are waited for."""
        return group in self._awaited

    def awaited_count(self, group: str) -> int:
        """Return for how many nodes of a group is waited."""
        awaited = self._awaited.get(group)
        return awaited.increase if awaited else 0

    def see(self, cluster: ClusterState, current_time: float) -> Sequence[TimedOutNodes]:
        """Follow the machines; return the groups whose nodes are no longer waited for."""
        self._see_unregistered(cluster, current_time)
        self._see_sizes(cluster, current_time)
        over: list[TimedOutNodes] = []
        for name, awaited in tuple(self._awaited.items()):
            group = cluster.by_id.get(name)
            if group is None or self.upcoming(cluster, group, current_time) <= 0:
                del self._awaited[name]
            elif awaited.deadline < current_time:
                del self._awaited[name]
                over.append(TimedOutNodes(name, current_time - awaited.requested_at))
        return over

    def upcoming(self, cluster: ClusterState, group: NodeGroup, current_time: float) -> int:
        """Return how many nodes of a group are on their way."""
        there = cluster.count(group.id, "ready") + cluster.count(group.id, "unready")
        broken = sum(instance.error is not None for instance in group.instances)
        return max(0, group.target - there - broken - len(self.overdue(cluster, group, current_time)))

    def overdue(self, cluster: ClusterState, group: NodeGroup, current_time: float) -> Sequence[Instance]:
        """Return the machines that are listed for too long without a Node."""
        return [
            instance
            for instance in cluster.unregistered_instances(group)
            if self._since.get(instance.id, current_time) + self._seconds < current_time
        ]

    def missing(self, group: NodeGroup, current_time: float) -> int:
        """Return how many nodes a group counts and does not list, for too long."""
        wrong_since = self._wrong.get(group.id)
        return wrong_since[0] if wrong_since and wrong_since[1] + self._seconds < current_time else 0

    def _see_unregistered(self, cluster: ClusterState, current_time: float) -> None:
        there = {
            instance.id for group in cluster.groups for instance in cluster.unregistered_instances(group)
        }
        self._since = {name: self._since.get(name, current_time) for name in sorted(there)}

    def _see_sizes(self, cluster: ClusterState, current_time: float) -> None:
        wrong: dict[str, tuple[int, float]] = {}
        for group in cluster.groups:
            missing = group.target - len(group.instances)
            if missing > 0:
                before = self._wrong.get(group.id)
                # Another number starts the time anew: the cloud is at work.
                wrong[group.id] = before if before and before[0] == missing else (missing, current_time)
        self._wrong = wrong


def find_failed_instances(groups: Iterable[NodeGroup]) -> Mapping[str, Sequence[Instance]]:
    """Return the machines that the cloud says will not come, by group."""
    failed = {
        group.id: [
            instance for instance in group.instances if instance.error and instance.state == "creating"
        ]
        for group in groups
    }
    return {name: instances for name, instances in failed.items() if instances}

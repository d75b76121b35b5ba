"""Machines that were asked for: those on their way, those that do not come, and those given up (PR-323,
PR-355…359).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..cloud import Instance, NodeGroup
from ..cluster_state import ClusterState


@dataclass(frozen=True, slots=True)
class Awaited:
    """Nodes that a group was asked for, and until when they are waited for."""

    increase: int
    asked: float
    deadline: float


@dataclass(frozen=True, slots=True)
class TimedOut:
    """A group whose nodes did not come in time."""

    group: str
    seconds: float


class Registrations:
    """Remembers what was asked for and since when a machine without a Node is known."""

    def __init__(self, provision_seconds: float) -> None:
        self._seconds = provision_seconds
        self._awaited: dict[str, Awaited] = {}
        self._since: dict[str, float] = {}
        self._wrong: dict[str, tuple[int, float]] = {}

    def asked(self, group: str, delta: int, now: float) -> None:
        """Note that a group was asked for more nodes; what it still waits for gets the later deadline."""
        before = self._awaited.get(group)
        increase = delta + (before.increase if before else 0)
        self._awaited[group] = Awaited(increase, now, now + self._seconds)

    def is_growing(self, group: str) -> bool:
        """Tell whether nodes of a group are waited for."""
        return group in self._awaited

    def awaited(self, group: str) -> int:
        """Return for how many nodes of a group is waited."""
        found = self._awaited.get(group)
        return found.increase if found else 0

    def see(self, cluster: ClusterState, now: float) -> Sequence[TimedOut]:
        """Follow the machines; return the groups whose nodes are no longer waited for."""
        self._see_unregistered(cluster, now)
        self._see_sizes(cluster, now)
        over: list[TimedOut] = []
        for name, awaited in tuple(self._awaited.items()):
            group = cluster.by_id.get(name)
            if group is None or self.upcoming(cluster, group, now) <= 0:
                del self._awaited[name]
            elif awaited.deadline < now:
                del self._awaited[name]
                over.append(TimedOut(name, now - awaited.asked))
        return over

    def upcoming(self, cluster: ClusterState, group: NodeGroup, now: float) -> int:
        """Return how many nodes of a group are on their way."""
        there = cluster.count(group.id, "ready") + cluster.count(group.id, "unready")
        broken = sum(each.error is not None for each in group.instances)
        return max(0, group.target - there - broken - len(self.overdue(cluster, group, now)))

    def overdue(self, cluster: ClusterState, group: NodeGroup, now: float) -> Sequence[Instance]:
        """Return the machines that are listed for too long without a Node."""
        return [
            each
            for each in cluster.unregistered(group)
            if self._since.get(each.id, now) + self._seconds < now
        ]

    def missing(self, group: NodeGroup, now: float) -> int:
        """Return how many nodes a group counts and does not list, for too long."""
        found = self._wrong.get(group.id)
        return found[0] if found and found[1] + self._seconds < now else 0

    def _see_unregistered(self, cluster: ClusterState, now: float) -> None:
        there = {each.id for group in cluster.groups for each in cluster.unregistered(group)}
        self._since = {name: self._since.get(name, now) for name in sorted(there)}

    def _see_sizes(self, cluster: ClusterState, now: float) -> None:
        wrong: dict[str, tuple[int, float]] = {}
        for group in cluster.groups:
            missing = group.target - len(group.instances)
            if missing > 0:
                before = self._wrong.get(group.id)
                wrong[group.id] = before if before and before[0] == missing else (missing, now)
        self._wrong = wrong


def broken(groups: Iterable[NodeGroup]) -> Mapping[str, Sequence[Instance]]:
    """Return the machines that the cloud says will not come, by group."""
    found = {
        group.id: [each for each in group.instances if each.error and each.state == "creating"]
        for group in groups
    }
    return {name: each for name, each in found.items() if each}

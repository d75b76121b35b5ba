"""Attempts that run: the nodes that were asked for in the name of a request, until all are ready or one fails
(PR-205, PR-206, PR-318).

Only where a request is answered by its nodes does an attempt begin; elsewhere there never is one.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from ..cloud import Instance, NodeGroup
from ..cluster_state import ClusterState
from .request import ProvisioningRequest


@dataclass(slots=True, kw_only=True)
class ScaleUpAttempt:
    """Nodes of one group that were asked for at once."""

    uid: str
    """Of the request in whose name."""
    group: str
    nodes: int
    deadline: float
    before: frozenset[str]
    """The machines that the group had already."""
    makes_group: bool
    """Whether the group was made for it."""
    machines: list[str] = field(default_factory=list)
    """Those that came for it, as far as the cloud has listed them."""
    cause: str = ""
    """Why it is taken back, once it is."""

    def is_ready(self, cluster: ClusterState) -> bool:
        """Tell whether all its nodes are there and ready."""
        return len(self._ready(cluster)) == self.nodes

    def problem(self, cluster: ClusterState, current_time: float) -> str:
        """Say what went wrong, empty when nothing has."""
        group = cluster.by_id.get(self.group)
        if group is None:
            return f"group {self.group} is gone"
        listed = {instance.id: instance for instance in group.instances}
        for name in self.machines:
            instance = listed.get(name)
            if instance is None or instance.state == "deleting":
                return f"{name} is gone"
            if instance.error is not None:
                return f"{name} does not come: {instance.error.message}"
        if self.deadline < current_time and len(self._ready(cluster)) < self.nodes:
            return f"only {len(self._ready(cluster))} of {self.nodes} nodes became ready in time"
        return ""

    def remaining_machines(self, cluster: ClusterState) -> tuple[Sequence[Instance], int]:
        """Return its machines that the cloud lists, and how many more nodes the group counts for it."""
        group = cluster.by_id.get(self.group)
        if group is None:
            return (), 0
        mine = [
            instance
            for instance in group.instances
            if instance.id in self.machines and instance.state != "deleting"
        ]
        # A cloud may count a machine before it lists it: it has to be taken back too.
        unlisted = max(0, group.target - len(group.instances))
        return mine, min(self.nodes - len(mine), unlisted)

    def _ready(self, cluster: ClusterState) -> Sequence[str]:
        there = cluster.by_group.get(self.group, ())
        return [
            member.name
            for member in there
            if member.readiness == "ready" and member.provider_id in self.machines
        ]


class ScaleUpAttempts:
    """The attempts that run, those that began first before the others, and how many each request had."""

    def __init__(self) -> None:
        self._running: dict[str, ScaleUpAttempt] = {}
        self._numbers: dict[str, int] = {}

    @property
    def running(self) -> Sequence[ScaleUpAttempt]:
        """Return the attempts that run."""
        return tuple(self._running.values())

    @property
    def is_empty(self) -> bool:
        """Tell whether there is nothing to remember."""
        return not self._running and not self._numbers

    @property
    def machines(self) -> frozenset[str]:
        """Return the machines of all attempts that run."""
        return frozenset(name for attempt in self._running.values() for name in attempt.machines)

    def runs_for(self, request: ProvisioningRequest) -> bool:
        """Tell whether an attempt runs for a request."""
        return request.uid in self._running

    def number(self, request: ProvisioningRequest) -> int:
        """Return which attempt of a request was the last."""
        return self._numbers.get(request.uid, 0)

    def count(self, request: ProvisioningRequest) -> None:
        """Note one more attempt of a request."""
        self._numbers[request.uid] = self.number(request) + 1

    def begin(self, request: ProvisioningRequest, group: NodeGroup, nodes: int, deadline: float) -> None:
        """Note that nodes were asked for, of a group as it was before."""
        self._running[request.uid] = ScaleUpAttempt(
            uid=request.uid,
            group=group.id,
            nodes=nodes,
            deadline=deadline,
            before=frozenset(instance.id for instance in group.instances),
            makes_group=not group.exists,
        )

    def see(self, cluster: ClusterState) -> None:
        """Give machines that are new to the attempts that wait for them, to the oldest first."""
        taken = set(self.machines)
        for attempt in self._running.values():
            group = cluster.by_id.get(attempt.group)
            for instance in group.instances if group else ():
                if len(attempt.machines) == attempt.nodes:
                    break
                # The externalgrpc interface does not say for which request a machine
                # was made: new ones go to the oldest attempt.
                if instance.id not in attempt.before and instance.id not in taken:
                    attempt.machines.append(instance.id)
                    taken.add(instance.id)

    def end(self, attempt: ScaleUpAttempt) -> None:
        """Let go of an attempt."""
        self._running.pop(attempt.uid, None)

    def forget(self, group_ids: Collection[str]) -> None:
        """Keep only what belongs to requests that are there, by their uids:
        nodes of others are guarded no longer (PR-210).
        """
        self._numbers = {uid: number for uid, number in self._numbers.items() if uid in group_ids}
        self._running = {uid: attempt for uid, attempt in self._running.items() if uid in group_ids}

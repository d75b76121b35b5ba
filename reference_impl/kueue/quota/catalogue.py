"""What the scheduler knows of ClusterQueues, flavors, checks and namespaces, by name (Q-145)."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ...api.resource import Json
from .cluster_queue import ClusterQueueSpec
from .problems import CheckStatus, ClusterQueueProblem, problems


class Catalogue:
    """The objects that decide whether and where a Workload may run."""

    def __init__(self) -> None:
        self.cluster_queues: dict[str, ClusterQueueSpec] = {}
        self.flavors: dict[str, Json] = {}
        self.checks: dict[str, CheckStatus] = {}
        self.namespaces: dict[str, Mapping[str, str]] = {}
        self.runtime_classes: dict[str, Json] = {}
        self._limit_ranges: dict[str, dict[str, Json]] = {}

    def limit_ranges(self, namespace: str) -> Collection[Json]:
        """Return what limits the pods of a namespace."""
        return self._limit_ranges.get(namespace, {}).values()

    def set_limit_range(self, namespace: str, name: str, obj: Json | None) -> None:
        """Take note of a LimitRange, or forget it."""
        limit_ranges = self._limit_ranges.setdefault(namespace, {})
        limit_ranges.pop(name, None)
        if obj is not None:
            limit_ranges[name] = obj

    def problems(self, name: str) -> tuple[ClusterQueueProblem, ...]:
        """Why a known ClusterQueue cannot admit."""
        return problems(self.cluster_queues[name], self.flavors, self.checks)

    def is_active(self, name: str) -> bool:
        """Tell whether Workloads of a ClusterQueue are scheduled at all (Q-039)."""
        spec = self.cluster_queues.get(name)
        return spec is not None and not spec.is_deleting and not self.problems(name)

    def using_flavor(self, flavor: str) -> tuple[str, ...]:
        """Name the ClusterQueues that reference a flavor."""
        return tuple(name for name, spec in self.cluster_queues.items() if flavor in spec.groups.flavors)

    def using_check(self, check: str) -> tuple[str, ...]:
        """Name the ClusterQueues that reference a check."""
        return tuple(
            name
            for name, spec in self.cluster_queues.items()
            if any(rule.name == check for rule in spec.checks)
        )

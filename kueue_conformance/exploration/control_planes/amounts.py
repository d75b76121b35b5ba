"""Quota, from what is documented of cohorts: what is free for a queue, in thousandths of a CPU (pure)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from ...base.json_types import Json
from ...stage.workloads.view import WorkloadView
from .snapshot import Snapshot

UNLIMITED = 10**12
_SUFFIXES: Mapping[str, Decimal] = {"m": Decimal(1), "": Decimal(1000), "k": Decimal(10**6)}


def milli(quantity: object) -> int:
    """Return an amount of CPU in thousandths."""
    text = str(quantity)
    number = text.rstrip("mk")
    return int(Decimal(number) * _SUFFIXES[text[len(number) :]])


@dataclass(frozen=True, slots=True)
class Quota:
    """What a ClusterQueue or Cohort has of a flavor."""

    nominal: int = 0
    borrowing_limit: int = UNLIMITED
    lending_limit: int = UNLIMITED


@dataclass
class Node:
    """A ClusterQueue or Cohort in the tree of cohorts."""

    name: str
    quotas: Mapping[str, Quota]
    parent: str = ""
    usage: dict[str, int] = field(default_factory=dict)
    """By flavor: what Workloads of a ClusterQueue hold."""


class Tree:
    """ClusterQueues and Cohorts of a snapshot, with what is used."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.queues = {
            name: Node(name, dict(_quotas(queue)), queue["spec"].get("cohortName", ""))
            for name, queue in snapshot.objects["ClusterQueue"].items()
        }
        self.cohorts = {
            name: Node(name, dict(_quotas(cohort)), cohort["spec"].get("parentName", ""))
            for name, cohort in snapshot.objects["Cohort"].items()
        }
        for node in [*self.queues.values(), *self.cohorts.values()]:
            if node.parent:
                self.cohorts.setdefault(node.parent, Node(node.parent, {}))
        for workload in snapshot.workloads():
            queue = self.queues.get((workload.admission or {}).get("clusterQueue", ""))
            if queue is None or not workload.is_true("QuotaReserved") or workload.is_true("Finished"):
                continue
            for flavor, used in reserved_amounts(workload):
                queue.usage[flavor] = queue.usage.get(flavor, 0) + used

    def children(self, cohort: str) -> Iterator[Node]:
        """Yield what belongs to a cohort directly."""
        for node in [*self.queues.values(), *self.cohorts.values()]:
            if node.parent == cohort:
                yield node

    def root(self, queue: str) -> str:
        """Return the Cohort at the top of the tree of a ClusterQueue; empty for none, or in a cycle."""
        if self.has_cycle():
            return ""
        current = self.queues[queue].parent
        while current and self.cohorts[current].parent:
            current = self.cohorts[current].parent
        return current

    def has_cycle(self) -> bool:
        """Tell whether a cohort is its own ancestor, which gives nothing."""
        for name in self.cohorts:
            ancestors, current = {name}, self.cohorts[name].parent
            while current:
                if current in ancestors:
                    return True
                ancestors.add(current)
                current = self.cohorts[current].parent
        return False

    def capacity(self, node: Node, flavor: str) -> int:
        """Return all that a node has: its own quota, and what its members lend."""
        own = node.quotas.get(flavor, Quota()).nominal
        if node.name in self.queues:
            return own
        return own + sum(self._lendable_quota(child, flavor) for child in self.children(node.name))

    def _lendable_quota(self, child: Node, flavor: str) -> int:
        return self.capacity(child, flavor) - self._guaranteed_quota(child, flavor)

    def _guaranteed_quota(self, node: Node, flavor: str) -> int:
        """Return what a node does not lend."""
        limit = node.quotas.get(flavor, Quota()).lending_limit
        return max(0, self.capacity(node, flavor) - limit) if limit < UNLIMITED else 0

    def usage(self, node: Node, flavor: str) -> int:
        """Return what is used of a node: by a queue's Workloads, or by members beyond what they keep."""
        if node.name in self.queues:
            return node.usage.get(flavor, 0)
        return sum(
            max(0, self.usage(child, flavor) - self._guaranteed_quota(child, flavor))
            for child in self.children(node.name)
        )

    def free(self, node: Node, flavor: str) -> int:
        """Return what a node can still take; less than 0 where more is used than there is."""
        capacity, used = self.capacity(node, flavor), self.usage(node, flavor)
        if not node.parent:
            return capacity - used
        guaranteed = self._guaranteed_quota(node, flavor)
        own = max(0, guaranteed - used)
        from_parent = self.free(self.cohorts[node.parent], flavor)
        limit = node.quotas.get(flavor, Quota()).borrowing_limit
        if limit < UNLIMITED:
            from_parent = min(from_parent, capacity - guaranteed - max(0, used - guaranteed) + limit)
        return own + from_parent


def reserved_amounts(workload: WorkloadView) -> Iterator[tuple[str, int]]:
    """Yield the CPU that each pod set holds, by flavor: pods that have ended hold none (Q-085)."""
    counts = {pod_set["name"]: pod_set["count"] for pod_set in workload.object["spec"]["podSets"]}
    for ended in workload.status.get("reclaimablePods") or ():
        counts[ended["name"]] -= ended["count"]
    for assignment in (workload.admission or {}).get("podSetAssignments", ()):
        flavor, name = assignment.get("flavors", {}).get("cpu"), assignment["name"]
        reserved = int(assignment.get("count") or counts.get(name, 0))
        if flavor and reserved:
            used = milli(assignment.get("resourceUsage", {}).get("cpu", 0))
            yield flavor, used // reserved * min(reserved, counts.get(name, reserved))


def _quotas(stored: Json) -> Iterator[tuple[str, Quota]]:
    for group in stored["spec"].get("resourceGroups") or ():
        for flavor in group["flavors"]:
            cpu = next((resource for resource in flavor["resources"] if resource["name"] == "cpu"), None)
            if cpu is not None:
                yield (
                    flavor["name"],
                    Quota(
                        milli(cpu["nominalQuota"]),
                        milli(cpu["borrowingLimit"]) if "borrowingLimit" in cpu else UNLIMITED,
                        milli(cpu["lendingLimit"]) if "lendingLimit" in cpu else UNLIMITED,
                    ),
                )

"""The search for victims among 10 000 admitted Workloads, on quota trees of several forms; CPU time in this
process (P-002, P-041).

The goal is CPU of one whole search: candidates, their order, removals and what is put back.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from time import process_time

from reference_impl.api import instants
from reference_impl.kueue.quota.catalogue import Catalogue
from reference_impl.kueue.quota.cluster_queue import ClusterQueueSpec
from reference_impl.kueue.quota.resources import FlavorResource
from reference_impl.kueue.quota.usage_cache import UsageCache
from reference_impl.kueue.scheduling.preemption.classical import ClassicalPreemptor
from reference_impl.kueue.scheduling.preemption.fair import FairPreemptor
from reference_impl.kueue.scheduling.preemption.fair_search import STRATEGIES
from reference_impl.kueue.scheduling.preemption.targets import Preemptor
from reference_impl.kueue.workload.view import Workload
from reference_impl.runtime.signals import GARBAGE

from . import objects
from .figure import Figure

MANY, QUEUES, TIMES = 10_000, 100, 15
GOAL = "≤ 50"
CPU = FlavorResource("default", "cpu")
POLICIES = {"withinClusterQueue": "LowerPriority", "reclaimWithinCohort": "Any"}
EPOCH = 1_800_000_000


def figures() -> Iterator[Figure]:
    """Yield the CPU of a search that finds one victim,
    needs all, or finds none, and of one under fair sharing.
    """
    gc.set_threshold(*GARBAGE)
    one_queue, cohort = Admitted(1), Admitted(QUEUES)
    stuck = Admitted(QUEUES, protected=1)
    fair = Admitted(QUEUES, fair=True)
    yield one_queue.figure("one victim of 10 000 in the own ClusterQueue", 1)
    yield one_queue.figure("all 10 000 of the own ClusterQueue", MANY)
    yield cohort.figure("one victim of 10 000 in a cohort of 100 ClusterQueues", 1)
    yield cohort.figure("1 000 victims of 10 000 in it", MANY // 10)
    yield cohort.figure("all 10 000 in it", MANY)
    yield stuck.figure("no victims: not enough without all 10 000 either", MANY)
    yield fair.figure("fair sharing: one victim of 10 000 in the cohort", 1)
    yield fair.figure("fair sharing: 1 000 victims of 10 000", MANY // 10)


class Admitted:
    """ClusterQueues of one cohort that borrow all the quota of a further one, `nominal`, or one that uses all
    of its own.
    """

    def __init__(self, queues: int, *, protected: int = 0, fair: bool = False) -> None:
        self._ledger, self._catalogue = UsageCache(), Catalogue()
        self._catalogue.flavors["default"] = objects.flavor()
        names = ["nominal"] if queues == 1 else [f"borrower-{number}" for number in range(queues)]
        self._add("nominal", MANY)
        for name in names[queues == 1 :]:
            self._add(name, 0)
        for number in range(MANY - protected):
            self._ledger.put(_holder(number, names[number % queues], number * 7919 % 10))
        for number in range(protected):
            self._ledger.put(_holder(MANY + number, "nominal", 1000))
        self._preemptor: Preemptor = (
            FairPreemptor(self._ledger, self._catalogue, tuple(STRATEGIES.values()))
            if fair
            else ClassicalPreemptor(self._ledger, self._catalogue)
        )

    def figure(self, name: str, cores: int) -> Figure:
        """Time searches for victims of a Workload that asks for so many cores."""
        incoming = Workload(objects.workload("incoming", "nominal"))
        incoming.metadata["creationTimestamp"] = instants.render(EPOCH)
        incoming.spec["priority"] = 100
        search = partial(self._preemptor.targets, incoming, "nominal", {CPU: cores * 1000}, frozenset({CPU}))
        victim_count = len(search())
        return Figure(
            name, tuple(_cpu(search) for _ in range(TIMES)), "ms", GOAL, note=f"{victim_count} victims"
        )

    def _add(self, name: str, cores: int) -> None:
        quota = [{"name": "cpu", "nominalQuota": str(cores)}]
        group = {"coveredResources": ["cpu"], "flavors": [{"name": "default", "resources": quota}]}
        spec = {"cohortName": "cohort", "resourceGroups": [group], "preemption": POLICIES}
        cluster_queue = ClusterQueueSpec.of({"metadata": {"name": name}, "spec": spec})
        self._catalogue.cluster_queues[name] = cluster_queue
        self._ledger.set_cluster_queue(name, cluster_queue.cohort, cluster_queue.groups, Fraction(1))


def _holder(number: int, queue: str, priority: int) -> Workload:
    manifest = objects.workload(f"workload-{number:06}", queue)
    manifest["metadata"] |= {
        "uid": f"{(number * 2654435761) % 2**32:08x}",
        "creationTimestamp": instants.render(EPOCH),
    }
    manifest["spec"]["priority"] = priority
    assignment = {"name": "main", "flavors": {"cpu": "default"}, "resourceUsage": {"cpu": "1"}, "count": 1}
    reserved = objects.condition("QuotaReserved", "")
    reserved["lastTransitionTime"] = instants.render(EPOCH + number % 1000)
    status = {
        "conditions": [reserved, objects.condition("Admitted", "")],
        "admission": {"clusterQueue": queue, "podSetAssignments": [assignment]},
    }
    return Workload({**manifest, "status": status})


def _cpu(search: Callable[[], object]) -> float:
    began = process_time()
    search()
    return (process_time() - began) * 1000

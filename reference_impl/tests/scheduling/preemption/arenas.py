"""Words in which preemption tests describe who holds what:
queues with policies, and Workloads that hold quota.
"""

from __future__ import annotations

from dataclasses import replace

from reference_impl.api import instants
from reference_impl.kueue.quota.resources import FlavorResource
from reference_impl.kueue.scheduling.fair_order import FairOrder
from reference_impl.kueue.scheduling.preemption.fair import FairPreemptor
from reference_impl.kueue.scheduling.preemption.fair_search import STRATEGIES
from reference_impl.kueue.workload.view import Workload
from reference_impl.pods.amounts import amount

from ..queue_side import EPOCH, SENT_BACK, Cluster, flavor, group, pod_set

TRUE = {"status": "True", "message": "", "lastTransitionTime": instants.render(EPOCH)}


def policies(within="Never", reclaim="Never", borrow=None, threshold=None):
    """`spec.preemption` of a ClusterQueue."""
    borrowing = {"borrowWithinCohort": {"policy": borrow, "maxPriorityThreshold": threshold}}
    shape = {"withinClusterQueue": within, "reclaimWithinCohort": reclaim}
    return shape | (borrowing if borrow else {})


def limited(nominal, bl=None, ll=None):
    """A quota with limits."""
    limits = {"nominalQuota": nominal, "borrowingLimit": bl, "lendingLimit": ll}
    return {name: str(value) for name, value in limits.items() if value is not None}


def pair(text):
    """`cpu`, or `memory@alpha` for a flavor that is not the default one."""
    resource, _, name = text.partition("@")
    return FlavorResource(name or "default", resource)


def usage_of(requests):
    """Amounts by pair."""
    return {pair(text): amount(pair(text).resource, value) for text, value in requests.items()}


def weighing(weight):
    """`spec.fairSharing`, where a weight is given."""
    return {} if weight is None else {"fairSharing": {"weight": str(weight)}}


class Arena(Cluster):
    """A cluster in which Workloads hold quota because the test says so."""

    def __init__(self, **fields):
        super().__init__(**fields)
        self.flavors(flavor(), flavor("alpha"), flavor("beta"))

    def cohort(self, name, parent="", weight=None, **quotas):
        groups = [group(resource, default=[quota]) for resource, quota in quotas.items()]
        spec = {"resourceGroups": groups, **({"parentName": parent} if parent else {}), **weighing(weight)}
        self.notes.cohort(None, {"metadata": {"name": name}, "spec": spec})
        return self

    def member(self, name, cohort="", preemption=None, weight=None, **quotas):
        """A ClusterQueue with one group of the default flavor."""
        spec = {"preemption": preemption or policies(), **weighing(weight)}
        spec |= {"cohortName": cohort} if cohort else {}
        return self.queue(name, group(*quotas, default=list(quotas.values())), **spec)

    def holds(
        self,
        name,
        queue,
        priority=0,
        *,
        since=0,
        created=0,
        evicted=False,
        admitted=False,
        message="",
        **requests,
    ):
        """A Workload with a reservation, `since` seconds after the others; `_at_` stands for `@`."""
        requests = {text.replace("_at_", "@"): value for text, value in requests.items()}
        assigned = {
            "name": "main",
            "count": 1,
            "flavors": {pair(text).resource: pair(text).flavor for text in requests},
            "resourceUsage": {pair(text).resource: str(value) for text, value in requests.items()},
        }
        reserved = {**TRUE, "type": "QuotaReserved", "reason": "QuotaReserved", "message": message}
        conditions = [{**reserved, "lastTransitionTime": instants.render(EPOCH + since)}]
        conditions += [{**TRUE, "type": "Evicted", "reason": "Preempted"}] if evicted else []
        conditions += [{**TRUE, "type": "Admitted", "reason": "Admitted"}] if admitted else []
        admission = {"clusterQueue": queue, "podSetAssignments": [assigned]}
        status = {"conditions": conditions, "admission": admission}
        return self.workload(name, pod_set(), queue=queue, priority=priority, created=created, status=status)

    def targets(self, queue, priority, requests, *, short_of=None, created=30):
        """Whom a Workload would preempt: name and reason."""
        usage = usage_of(requests)
        self.workload("incoming", pod_set(), queue=queue, priority=priority, created=created)
        incoming: Workload = self.objects["ns/incoming"]
        short = frozenset(map(pair, short_of)) if short_of else frozenset(f for f, v in usage.items() if v)
        targets = self.preemptor.targets(incoming, queue, usage, short)
        return {target.holding.workload.name: str(target.reason) for target in targets}


class FairArena(Arena):
    """An arena with fair sharing."""

    def __init__(self, *strategies):
        super().__init__()
        ledger, catalogue = self.queue_manager.ledger, self.queue_manager.catalogue
        chosen = tuple(STRATEGIES[name] for name in strategies or STRATEGIES)
        self.preemptor = FairPreemptor(ledger, catalogue, chosen, SENT_BACK)
        self.cycle = replace(self.cycle, preemptor=self.preemptor, order=FairOrder(ledger.cohort_trees))

"""Wrong about who may be preempted, and in which order (Q-252, Q-256, Q-262)."""

from dataclasses import replace
from types import MappingProxyType

from reference_impl.kueue.quota import usage_cache
from reference_impl.kueue.scheduling.preemption import candidates
from reference_impl.kueue.workload import conditions as c

from ...killing.planes import instead, wrong


@wrong((usage_cache, "_holding"))
def orders_victims_by_admission(holding_of, workload):
    """Breaks Q-262: preempts first what was admitted last, whenever it had its quota; QUE-153 must catch
    it.
    """
    holding = holding_of(workload)
    priority, _, uid = holding.rank
    return replace(holding, rank=(priority, -workload.since(c.ADMITTED), uid))


@wrong((candidates, "eligible"))
def preempts_what_runs_alone(eligible, claim, ledger, queue, policy):
    """Breaks Q-252: does not preempt what waits for its checks; QUE-171 must catch it."""
    return (holding for holding in eligible(claim, ledger, queue, policy) if holding.is_admitted)


@wrong((candidates, "_borrowing_queues"))
def reclaims_from_the_same_cohort_alone(borrowing_queues, cohort, visited, claim, gives):
    """Breaks Q-256: reclaims nothing from the ClusterQueues of a Cohort beside; QUE-270 must catch it."""
    return (queue for queue in borrowing_queues(cohort, visited, claim, gives) if queue.parent is cohort)


def _lower_or_created_later(preemptor, candidate, _sent_back):
    if candidate.priority != preemptor.priority:
        return candidate.priority < preemptor.priority
    return preemptor.created < candidate.workload.created


instead(
    candidates,
    "POLICIES",
    MappingProxyType({**candidates.POLICIES, "LowerOrNewerEqualPriority": _lower_or_created_later}),
    "Breaks Q-250: lets a Workload that was sent back preempt its equals by its creation; QUE-630 must "
    "catch it.",
    called="preempts_equals_by_creation",
)

"""Wrong about preemption in what no scenario looks at: the safety rules see it (Q-166, Q-251, Q-318)."""

from dataclasses import replace

from reference_impl.kueue.scheduling import cycle, entry
from reference_impl.kueue.scheduling.preemption.candidates import PreemptionVariant
from reference_impl.kueue.scheduling.preemption.targets import PreemptionReason, PreemptionTarget
from reference_impl.kueue.workload import preempting

from ...killing.planes import wrong


@wrong((entry, "process_entry"))
def preempts_although_it_fits(judge, entry, node, booking):
    """Breaks Q-166: evicts a lower Workload for one that fits beside it;
    rule Q-166 in QUE-110 must catch it.
    """
    verdict = judge(entry, node, booking)
    if not isinstance(verdict, cycle.Reserve):
        return verdict
    ours = entry.head.pending.workload.priority
    lower = [
        holder
        for holder in booking.preemptor.ledger.holders(entry.spec.name)
        if holder.priority < ours and not holder.is_evicted
    ]
    return (
        cycle.Preempt(entry.head, "", (PreemptionTarget(lower[0], PreemptionReason.IN_CLUSTER_QUEUE),))
        if lower
        else verdict
    )


@wrong((PreemptionVariant, "reason"))
def always_speaks_of_the_cohort(_, variant):
    """Breaks Q-258: says of victims of the same queue that they were reclaimed;
    rule Q-251 in QUE-104 must catch it.
    """
    return PreemptionReason.RECLAMATION


@wrong((preempting, "preempt"))
def takes_admitted_back_with_an_eviction(right, *args, **kwargs):
    """Breaks Q-318: says that a victim is not admitted while
    it holds its quota; rule Q-318 in QUE-060 must catch it.
    """
    decision = right(*args, **kwargs)
    status = decision.write.status
    conditions = [
        {**condition, "status": "False", "lastTransitionTime": _moment(status)}
        if condition["type"] == "Admitted"
        else condition
        for condition in status["conditions"]
    ]
    return replace(decision, write=replace(decision.write, status={**status, "conditions": conditions}))


def _moment(status):
    return next(
        condition["lastTransitionTime"]
        for condition in status["conditions"]
        if condition["type"] == "Evicted"
    )

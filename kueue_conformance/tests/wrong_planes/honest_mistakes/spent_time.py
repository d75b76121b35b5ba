"""Wrong about how long a Workload has run before, or has been told to wait, and what is read of it at a
start (AC-129, AC-317, Q-035, Q-085).
"""

from dataclasses import replace

from reference_impl.kueue.queueing.queue_manager import QueueManager
from reference_impl.kueue.workload import admitted, timeouts
from reference_impl.kueue.workload import conditions as c
from reference_impl.kueue.workload.view import Workload

from ...killing.planes import wrong


@wrong((admitted, "_with_past_time"))
def writes_the_last_run_over_those_before(with_past_time, draft):
    """Breaks AC-129: counts of several runs the last; ADM-371 must catch it."""
    return with_past_time(draft.drop("accumulatedPastExecutionTimeSeconds"))


@wrong((timeouts, "execution_timeout"))
def keeps_the_spent_time_over_a_deactivation(execution_timeout, workload, *args):
    """Breaks AC-317: gives a Workload that ran too long and is activated no time; ADM-557 may catch it."""
    decision, name = execution_timeout(workload, *args), "accumulatedPastExecutionTimeSeconds"
    if decision is None or name not in workload.status:
        return decision
    status = {**decision.write.status, name: workload.status[name]}
    return replace(decision, write=replace(decision.write, status=status))


@wrong((QueueManager, "workload"))
def counts_reclaimed_pods_after_a_restart(workload, self, old, new):
    """Breaks Q-085: counts all pods of the Workloads that it finds at its start; ADM-761 must catch it."""
    workload(self, old, with_status(new, "reclaimablePods", None) if old is None and new else new)


@wrong((QueueManager, "workload"))
def forgets_a_delay_with_a_restart(workload, self, old, new):
    """Breaks Q-035: tries what it finds at its start, whatever it has to wait for; ADM-765 must catch it."""
    if old is None and new:
        conditions = [condition for condition in new.conditions if condition["type"] != c.REQUEUED]
        new = with_status(with_status(new, "requeueState", None), "conditions", conditions)
    workload(self, old, new)


def with_status(workload, name, value):
    """Return a Workload with another field of its status; None takes it away."""
    status = {key: present for key, present in workload.status.items() if key != name}
    return Workload({**workload.object, "status": status if value is None else {**status, name: value}})

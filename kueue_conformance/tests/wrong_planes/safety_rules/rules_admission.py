"""Wrong about where a Workload is admitted to,
and with what quota (AC-111, AC-112, AC-113, AC-283, Q-125).
"""

from dataclasses import replace

from reference_impl.kueue.quota import tree
from reference_impl.kueue.scheduling import reservation
from reference_impl.kueue.workload import verdicts

from ...killing.planes import wrong


def with_admission(draft, change):
    """Return a draft whose admission is changed; None takes it away."""
    admission = draft.status.get("admission")
    return draft if admission is None else draft.put("admission", change(admission))


@wrong((verdicts, "admit"))
def moves_to_another_queue_when_it_admits(admit, *args):
    """Breaks AC-111: writes another ClusterQueue into the admission when the checks have passed; rule AC-111
    in ADM-201 must catch it.
    """
    decision = admit(*args)
    if decision is None:
        return None
    status = decision.write.status
    elsewhere = {**status["admission"], "clusterQueue": "elsewhere"}
    return replace(decision, write=replace(decision.write, status={**status, "admission": elsewhere}))


@wrong((reservation, "reserve"))
def assigns_pods_that_there_are_not(reserved, *args):
    """Breaks AC-112: names the pod sets of an admission otherwise than the Workload; rule AC-112 in ADM-206
    must catch it.
    """
    return with_admission(reserved(*args), strangers)


def strangers(admission):
    assigned = [
        {**pod_set_assignment, "name": f"{pod_set_assignment['name']}-others"}
        for pod_set_assignment in admission["podSetAssignments"]
    ]
    return {**admission, "podSetAssignments": assigned}


@wrong((reservation, "reserve"))
def does_not_say_where_it_reserves(reserved, *args):
    """Breaks AC-113: reserves quota without an admission; rule AC-113 in ADM-206 must catch it."""
    return reserved(*args).drop("admission")


@wrong((reservation, "reserve"))
def reserves_in_a_queue_that_is_not_there(reserved, *args):
    """Breaks AC-283: writes a ClusterQueue into the admission that does not exist; rule AC-283 in ADM-206
    must catch it.
    """
    return with_admission(reserved(*args), elsewhere)


def elsewhere(admission):
    return {**admission, "clusterQueue": "elsewhere"}


@wrong((tree, "available"), (tree, "potential"))
def does_not_look_at_quota(_, node, fr):
    """Breaks Q-125: reserves quota that there is not; rule Q-125 in ADM-010 must catch it."""
    return 10**12

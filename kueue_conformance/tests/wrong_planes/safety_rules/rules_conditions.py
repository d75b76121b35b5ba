"""Wrong about conditions in ways that no scenario looks at:
a safety rule sees it in any story (AC-110, AC-273, AC-371).
"""

from dataclasses import replace

from reference_impl.api import instants
from reference_impl.kueue.workload import conditions, kep, release, verdicts
from reference_impl.kueue.workload.decision import Decision, ReplaceStatus
from reference_impl.kueue.workload.draft import StatusDraft

from ...killing.planes import wrong

SEEN = set()
"""The Workloads that a program of many tries has met;
each control plane of this process meets Workloads of its own.
"""


@wrong((conditions, "put"))
def keeps_the_time_of_the_old_status(put, listed, new, generation, current_time):
    """Breaks AC-110: keeps lastTransitionTime when the status changes;
    rule AC-110 in ADM-041 must catch it.
    """
    old = conditions.find(listed, new.type)
    time = old["lastTransitionTime"] if old else instants.render(current_time)
    written = put(listed, new, generation, current_time)
    return [
        {**condition_, "lastTransitionTime": time} if condition_["type"] == new.type else condition_
        for condition_ in written
    ]


@wrong((conditions, "put"))
def has_not_seen_the_generation(put, listed, new, _generation, current_time):
    """Breaks AC-273: says of every condition that it was found at the generation before; rule AC-273 in
    ADM-201 should catch it.
    """
    return put(listed, new, 0, current_time)


@wrong((verdicts, "admit"))
def gives_no_reason_at_first(admit, workload, *args):
    """Breaks AC-110: admits without a reason, and with one when
    that was refused; rule AC-110 in ADM-201 must catch it.
    """
    decision = admit(workload, *args)
    if decision is None or (workload.uid, workload.key) in SEEN:
        return decision
    SEEN.add((workload.uid, workload.key))
    status = decision.write.status
    conditions = [
        {**condition, "reason": ""} if condition["type"] == "Admitted" else condition
        for condition in status["conditions"]
    ]
    return replace(
        decision, write=replace(decision.write, status={**status, "conditions": conditions}), events=()
    )


@wrong((kep, "recheck"), dialect="kep993")
def takes_a_reservation_back_by_a_put(rechecked, workload, world, current_time, rules):
    """Breaks AC-371: writes conditions by a PUT that it also applies;
    rule AC-371 in ADM-202 should catch it.
    """
    if rechecked(workload, world, current_time, rules) is None:
        return None
    draft = release.give_back(
        StatusDraft.of(workload, current_time), "Pending", "no longer valid", rules
    ).drop("admissionChecks")
    return Decision(write=ReplaceStatus(draft.status))

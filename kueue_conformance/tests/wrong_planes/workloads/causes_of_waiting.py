"""Wrong about what is said of a Workload that waits (KV-08, KV-12 to KV-15): a 0.20 that still speaks as
0.19.2, and a 0.19.2 that already speaks as 0.20.
"""

from functools import partial

from reference_impl.kueue.quota import fitness
from reference_impl.kueue.scheduling.admissibility import SchedulerFeedback
from reference_impl.kueue.scheduling.outcomes import OutcomeWriter
from reference_impl.kueue.workload import conditions as c
from reference_impl.kueue.workload import messages, queue_state, unreserved, unreserved_state
from reference_impl.kueue.workload.conditions import Condition
from reference_impl.kueue.workload.decision import ApplyStatus, Decision
from reference_impl.kueue.workload.draft import StatusDraft
from reference_impl.kueue.workload.unreserved import UnreservedReason
from reference_impl.kueue.workload.view import GATED

from ...killing.planes import wrong

newest, before = partial(wrong, dialect="v0.20"), partial(wrong, dialect="v0.19")
FOR_VICTIMS = UnreservedReason.WAITING_FOR_PREEMPTED_WORKLOADS


@newest((unreserved, "named_reason"))
def calls_waiting_for_victims_pending(right, cause, generic):
    """Breaks KV-08: a 0.20 that still says Pending while victims hold quota; QUE-363 should catch it."""
    return generic if cause is FOR_VICTIMS else right(cause, generic)


@newest((unreserved, "named_reason"))
def calls_waiting_for_victims_waiting_for_quota(right, cause, generic):
    """Breaks KV-08: says WaitingForQuota while victims hold their quota; QUE-363 should catch it."""
    return right(UnreservedReason.WAITING_FOR_QUOTA if cause is FOR_VICTIMS else cause, generic)


@before((unreserved, "generic_reason"))
def names_waiting_for_victims_early(right, cause, generic):
    """Breaks KV-08: a 0.19.2 that already says that it waits for victims; QUE-363 should catch it."""
    return cause.value if cause is FOR_VICTIMS else right(cause, generic)


@newest((unreserved_state, "_queued_cause"))
def keeps_the_cause_that_is_over(right, workload, world):
    """Breaks KV-12: a 0.20 that still calls a resumed queue inactive; QUE-364 should catch it."""
    cause = right(workload, world)
    return (
        None
        if cause == (UnreservedReason.PENDING_EVALUATION, unreserved.PENDING_EVALUATION_MESSAGE)
        else cause
    )


def _overwrites(reason, message, decision, workload, world, current_time):
    """Return a write that replaces what was said of a queue that is active again."""
    said = workload.condition(c.QUOTA_RESERVED)
    is_over = said is not None and said["reason"] == unreserved.INADMISSIBLE
    if decision is not None or not is_over or queue_state.queue_blocker(workload, world) is not None:
        return decision
    draft = StatusDraft.of(workload, current_time).set(Condition(c.QUOTA_RESERVED, False, reason, message))
    return Decision(write=ApplyStatus(draft.status))


@before((queue_state, "explain_block"))
def says_pending_evaluation_early(right, workload, world, current_time, rules):
    """Breaks KV-12: a 0.19.2 that already says of a resumed queue that the evaluation is pending;
    QUE-364 should catch it.
    """
    said = UnreservedReason.PENDING_EVALUATION, unreserved.PENDING_EVALUATION_MESSAGE
    return _overwrites(*said, right(workload, world, current_time, rules), workload, world, current_time)


@newest((SchedulerFeedback, "equivalent_failure"))
def says_nothing_of_an_equal(_, self, workload):
    """Breaks KV-13: a 0.20 that still does not say that an equal Workload failed; QUE-365 may catch it."""


@before((queue_state, "explain_block"))
def says_that_it_was_bypassed_early(right, workload, world, current_time, rules):
    """Breaks KV-13: a 0.19.2 that already says that an equal Workload failed; QUE-365 may catch it."""
    said = UnreservedReason.EXCEEDS_MAX_QUOTA, unreserved.BYPASSED_MESSAGE
    return _overwrites(*said, right(workload, world, current_time, rules), workload, world, current_time)


@newest((SchedulerFeedback, "admissibility_problem"))
def judges_what_a_limit_range_added(_, self, workload, cluster_queue):
    """Breaks KV-14: a 0.20 that still judges with what a LimitRange adds; QUE-366 may catch it."""
    return ""


@before((fitness, "validate_requests"))
def judges_as_it_was_written_early(right, pod_sets, limit_ranges):
    """Breaks KV-14: a 0.19.2 that already judges the requests as they were written; QUE-366 may catch it."""
    pods = [*pod_sets]
    return fitness._describe(fitness.OUT_OF_RANGE, fitness.out_of_ranges(pods, [*limit_ranges])) or right(
        pods, ()
    )


@newest((unreserved_state, "_cause"))
def keeps_the_gates_that_there_were(right, workload, world):
    """Breaks KV-14: a 0.20 that still names the gates that a Workload had at first; ADM-801 may catch it."""
    return None if workload.is_reported_gated else right(workload, world)


@before((queue_state, "give_back_gated"))
def names_the_gates_that_are_left_early(right, workload, world, current_time, rules):
    """Breaks KV-14: a 0.19.2 that already names the gates that are left; ADM-801 may catch it."""
    if not workload.is_reported_gated or not workload.gates:
        return right(workload, world, current_time, rules)
    message = messages.gates_message(workload.gates)
    if workload.condition(c.QUOTA_RESERVED)["message"] == message:
        return None
    draft = StatusDraft.of(workload, current_time).set(Condition(c.QUOTA_RESERVED, False, GATED, message))
    return Decision(write=ApplyStatus(draft.status))


@newest((OutcomeWriter, "_report"))
def calls_the_event_pending(right, self, outcome, stored):
    """Breaks KV-15: a 0.20 whose event still has the reason Pending; QUE-367 should catch it."""
    _report_as("Pending", right, self, outcome, stored)


@before((OutcomeWriter, "_report"))
def names_the_cause_in_the_event_early(right, self, outcome, stored):
    """Breaks KV-15: a 0.19.2 whose event already has the cause as its reason; QUE-367 should catch it."""
    _report_as("WaitingForQuota", right, self, outcome, stored)


def _report_as(reason, right, writer, outcome, stored):
    """Record the event of a failed attempt with another reason."""
    if outcome.is_reservation:
        right(writer, outcome, stored)
        return
    message = outcome.updated_workload.condition(c.QUOTA_RESERVED)["message"]
    subject = writer._reporting.event_subject(outcome, stored)
    writer._recorder.record(subject, writer._reporting.pending_event_type, reason, message)

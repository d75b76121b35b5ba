"""Wrong about words, word for word: events of Jobs, gates, requeueing, pods, flavors, bounds, older verdicts
(AC-251…272, AC-330…335, M-042…M-081).
"""

from dataclasses import replace

from reference_impl.kueue.jobs import pods_ready
from reference_impl.kueue.jobs.action_executor import ActionExecutor
from reference_impl.kueue.quota import fitness
from reference_impl.kueue.scheduling import assignment, reservation, texts
from reference_impl.kueue.workload import conditions as c
from reference_impl.kueue.workload import messages, pod_set_info
from reference_impl.kueue.workload.conditions import Condition
from reference_impl.kueue.workload.draft import StatusDraft

from ...killing.planes import wrong


@wrong((ActionExecutor, "_tell"))
def stops_jobs_without_a_word(right, self, job, reason, note):
    """Breaks AC-330: says that a Job is stopped, and not why; ADM-572 may catch it."""
    right(self, job, reason, "Stopped" if reason == "Stopped" else note)


@wrong((ActionExecutor, "_tell"))
def tells_an_end_without_the_workload(right, self, job, reason, note):
    """Breaks AC-296: does not say which Workload is over; ADM-572 may catch it."""
    right(self, job, reason, "Finished" if reason == "FinishedWorkload" else note)


@wrong((ActionExecutor, "_tell"))
def tells_a_change_without_the_workload(right, self, job, reason, note):
    """Breaks AC-331: does not say which Workload was changed; ADM-573 may catch it."""
    right(self, job, reason, "Updated" if reason == "UpdatedWorkload" else note)


@wrong((messages, "gates_message"))
def names_no_gate(_, by):
    """Breaks AC-256: says that a Workload is gated, and not by what; ADM-574 may catch it."""
    return "Admission is gated"


@wrong((messages, "gates_note"))
def tells_of_no_gate_by_name(_, by):
    """Breaks AC-299: says in the event that a Workload is gated, and not by what; ADM-574 may catch it."""
    return "Workload admission is gated"


@wrong((StatusDraft, "set"))
def requeues_in_words_of_its_own(right, self, condition):
    """Breaks AC-269: says in its own words that a back-off is over; ADM-575 may catch it."""
    other = (
        replace(condition, message="It may try again") if condition.reason == "BackoffFinished" else condition
    )
    return right(self, other)


@wrong((pods_ready, "condition"))
def says_nothing_of_pods(right, job, workload):
    """Breaks AC-272: gives no text with the condition of pods; ADM-576 may catch it."""
    return replace(right(job, workload), message="")


@wrong((messages, "checks_rejected"), dialect="v0.6")
def separates_rejected_checks_by_commas(right, entries):
    """Breaks D-08: lists the checks that rejected with commas; ADM-577 may catch it."""
    return f"Admission checks [{', '.join(entry['name'] for entry in entries)}] are rejected"


@wrong((texts, "taint_not_tolerated"))
def names_no_taint(right, taint, flavor):
    """Breaks M-052: says that a taint is not tolerated, and not which; ADM-578 may catch it."""
    return f"untolerated taint in flavor {flavor}"


@wrong((fitness, "_text"))
def names_no_place_of_requests(right, violation):
    """Breaks M-044: does not say which container asks for too much; QUE-281 may catch it."""
    return right(violation._replace(path="containers"))


@wrong((fitness, "_describe"))
def tells_the_first_of_several_bounds(right, problem, violations):
    """Breaks M-044: reports only the first of several requests out of bounds; QUE-282 may catch it."""
    return right(problem, violations[:1])


@wrong((assignment, "_is_news"))
def tells_of_every_flavor(_, attempt):
    """Breaks Q-175: tells in the event of a reservation of
    flavors that had room as well; QUE-284 may catch it.
    """
    return True


@wrong((StatusDraft, "set"))
def finishes_orphans_in_words_of_its_own(right, self, condition):
    """Breaks AC-271: says in its own words that the owner of a Workload is gone; ADM-590 may catch it."""
    orphaned = condition.reason == "OwnerNotFound"
    return right(self, replace(condition, message="Its owner is gone") if orphaned else condition)


@wrong((pod_set_info, "_together"))
def does_not_say_what_contradicts(right, field, ours, theirs):
    """Breaks AC-364: says that checks contradict each other, and not in what; ADM-597 may catch it."""
    try:
        return right(field, ours, theirs)
    except pod_set_info.PodSetConflict:
        raise pod_set_info.PodSetConflict("conflict") from None


@wrong((reservation, "block"))
def says_of_blocked_admission_only_that_it_waits(right, workload, rules, current_time):
    """Breaks AC-255: does not say that admission waits for pods of others; QUE-333 may catch it."""
    draft = right(workload, rules, current_time)
    return draft.set(Condition(c.QUOTA_RESERVED, False, "Waiting", "It waits"))


@wrong((messages, "admission_note"))
def says_that_checks_took_no_time(admission_note, cluster_queue, waited):
    """Breaks AC-381: writes into every event of an admission that it took no time;
    ADM-702 should catch it.
    """
    return admission_note(cluster_queue, waited=0)

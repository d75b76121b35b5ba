"""Wrong about what is told by events and messages (AC-250…271, AC-380…383)."""

from dataclasses import replace

from reference_impl.kueue.jobs.action_executor import ActionExecutor
from reference_impl.kueue.scheduling import reservation, texts
from reference_impl.kueue.scheduling.outcomes import OutcomeWriter
from reference_impl.kueue.workload import controller, messages, queue_state, verdicts
from reference_impl.kueue.workload.controller import WorkloadController
from reference_impl.kueue.workload.decision import WARNING
from reference_impl.runtime.recorder import Recorder

from ...killing.planes import instead, wrong


def _without(*reasons):
    def records(right, self, obj, kind, action, reason, note):
        return None if reason in reasons else right(self, obj, kind, action, reason, note)

    return records


@wrong((Recorder, "_record"))
def tells_of_no_reservation(*args):
    """Breaks AC-283: emits no event for a reservation; ADM-032 must catch it."""
    return _without("QuotaReserved")(*args)


@wrong((Recorder, "_record"))
def tells_of_no_admission(*args):
    """Breaks AC-285: emits no event for an admission; ADM-032 must catch it."""
    return _without("Admitted")(*args)


@wrong((verdicts, "admit"))
def tells_of_no_later_admission(right, *args):
    """Breaks AC-285: emits no event when the last check admits; ADM-032 must catch it."""
    decision = right(*args)
    return decision and replace(decision, events=())


@wrong((verdicts, "admit"))
def warns_of_an_admission(right, *args):
    """Breaks AC-381: makes the admission a warning; ADM-032 must catch it."""
    decision = right(*args)
    return decision and replace(
        decision, events=tuple(replace(event, type=WARNING) for event in decision.events)
    )


@wrong((verdicts, "admit"))
def tells_the_owner_of_the_admission(right, *args):
    """Breaks AC-381: tells the Job of the admission and not the Workload; ADM-032 must catch it."""
    decision = right(*args)
    return decision and replace(
        decision, events=tuple(replace(event, on="owner") for event in decision.events)
    )


@wrong((Recorder, "_record"))
def tells_everything_twice(right, self, obj, kind, action, reason, note):
    """Breaks AC-380: emits every event twice; ADM-032 must catch it."""
    right(self, obj, kind, action, reason, note)
    right(self, obj, kind, f"{action} again", reason, note)


@wrong((Recorder, "_record"))
def tells_of_nothing(_, self, obj, kind, action, reason, note):
    """Breaks AC-380: emits no events; ADM-032 must catch it."""


@wrong((Recorder, "_record"))
def warns_of_everything(right, self, obj, kind, action, reason, note):
    """Breaks AC-380: makes every event a warning; ADM-032 must catch it."""
    right(self, obj, "Warning", action, reason, note)


@wrong((OutcomeWriter, "_report"))
def tells_of_an_admission_with_every_reservation(right, self, outcome, stored):
    """Breaks AC-283: emits the event of an admission when quota is reserved; ADM-032 must catch it."""
    right(self, outcome, stored)
    if outcome.is_reservation and not outcome.updated_workload.is_admitted:
        self._recorder.normal(stored, "Admitted", "Admitted")


@wrong((ActionExecutor, "_tell"))
def tells_a_job_nothing(_, self, job, reason, note):
    """Breaks AC-382: emits no events about Jobs; ADM-437 should catch it."""


@wrong((ActionExecutor, "_tell"))
def does_not_tell_of_stops(right, self, job, reason, note):
    """Breaks AC-332: does not tell that a Job was stopped; ADM-437 should catch it."""
    return None if reason == "Stopped" else right(self, job, reason, note)


@wrong((ActionExecutor, "_tell"))
def does_not_tell_of_starts(right, self, job, reason, note):
    """Breaks AC-333: does not tell that a Job was started; ADM-437 should catch it."""
    return None if reason == "Started" else right(self, job, reason, note)


@wrong((ActionExecutor, "_tell"))
def does_not_tell_of_new_workloads(right, self, job, reason, note):
    """Breaks AC-331: does not tell that a Workload was made; ADM-437 should catch it."""
    return None if reason == "CreatedWorkload" else right(self, job, reason, note)


@wrong((ActionExecutor, "_tell"))
def does_not_tell_of_ends(right, self, job, reason, note):
    """Breaks AC-330: does not tell that a Workload is over; ADM-437 should catch it."""
    return None if reason == "FinishedWorkload" else right(self, job, reason, note)


@wrong((ActionExecutor, "_tell"))
def does_not_tell_of_checks(right, self, job, reason, note):
    """Breaks AC-286: does not tell what checks are doing; ADM-031 may catch it."""
    return None if reason == "UpdatedAdmissionCheck" else right(self, job, reason, note)


@wrong((Recorder, "_record"))
def does_not_tell_of_stopped_queues(right, self, obj, kind, action, reason, note):
    """Breaks AC-303: emits no event for an eviction by a stopped queue; ADM-437 should catch it."""
    return (
        None if reason == "EvictedDueToClusterQueueStopped" else right(self, obj, kind, action, reason, note)
    )


@wrong((queue_state, "give_back_gated"))
def does_not_tell_of_gates(right, *args):
    """Breaks AC-299: emits no event for a gate; ADM-038 should catch it."""
    decision = right(*args)
    return decision and replace(decision, events=())


@wrong((queue_state, "gate_cleared"))
def does_not_tell_of_open_gates(right, *args):
    """Breaks AC-256: emits no event when the last gate is gone; ADM-038 should catch it."""
    decision = right(*args)
    return decision and replace(decision, events=())


@wrong((queue_state, "gate_cleared"))
def says_nothing_of_an_open_gate(right, workload, world, current_time, rules):
    """Breaks AC-256: writes another reason when the last gate is gone; ADM-038 should catch it."""
    decision = right(workload, world, current_time, rules)
    if decision is None:
        return None
    conditions = [
        {**condition, "reason": "Waiting"} if condition["type"] == "QuotaReserved" else condition
        for condition in decision.write.status["conditions"]
    ]
    return replace(
        decision, write=replace(decision.write, status={**decision.write.status, "conditions": conditions})
    )


# Texts


@wrong((messages, "admission_note"))
def tells_another_wait(right, cluster_queue, waited):
    """Breaks AC-285: tells a wait that is one second longer; ADM-439 may catch it."""
    return right(cluster_queue, waited + 1)


@wrong((texts, "quota_reserved"))
def says_where_in_other_words(_, cluster_queue):
    """Breaks AC-250: words the reservation differently; ADM-439 may catch it."""
    return f"Quota reserved in {cluster_queue}"


@wrong((texts, "insufficient_unused"))
def tells_what_is_there_for_what_lacks(_, fr, missing):
    """Breaks AC-251: does not say how much is missing; ADM-439 may catch it."""
    return f"insufficient unused quota for {fr.resource} in flavor {fr.flavor}"


@wrong((texts, "never_fits"))
def takes_never_for_not_now(_, fr, before, request, most):
    """Breaks AC-251: says of what never fits that it does not fit now; ADM-439 may catch it."""
    return texts.insufficient_unused(fr, before + request - most)


instead(
    messages,
    "ADMITTED",
    "Admitted",
    "Breaks AC-258: words the admission differently; ADM-439 may catch it.",
    called="words_the_admission_differently",
)


@wrong((reservation, "waiting"))
def says_nothing_of_why_it_waits(right, workload, _message, *rest):
    """Breaks AC-251: does not say why a Workload waits; ADM-439 may catch it."""
    return right(workload, "", *rest)


@wrong((WorkloadController, "_tell"))
def tells_nothing_of_the_state_machine(_, self, workload, note):
    """Breaks AC-381: emits no event of the state machine; ADM-032 must catch it."""


@wrong((Recorder, "_record"))
def tells_of_objects_without_their_uid(right, self, obj, *event_fields):
    """Breaks AC-381: names objects in events without their uid, so that `kubectl describe` shows none;
    ADM-437 should catch it.
    """
    return right(self, {**obj, "metadata": {**obj["metadata"], "uid": ""}}, *event_fields)


@wrong((controller, "_owners"), dialect="v0.6")
def tells_no_job_of_a_rejection(*_):
    """Breaks D-08: does not tell the Job that its Workload is finished because a check was rejected; ADM-550
    should catch it.
    """
    return []

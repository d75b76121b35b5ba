"""Wrong about reserving and admitting, in one write or two (AC-250…264, AC-282…286, AC-384)."""

from dataclasses import replace

from reference_impl.kueue.checks import rules as check_rules
from reference_impl.kueue.checks.entries import Checks
from reference_impl.kueue.scheduling import cycle, reservation, scheduler
from reference_impl.kueue.scheduling.outcomes import SchedulingOutcome
from reference_impl.kueue.workload import admitted, verdicts, view, writing
from reference_impl.kueue.workload import conditions as c
from reference_impl.kueue.workload.conditions import Condition
from reference_impl.kueue.workload.draft import StatusDraft

from ...killing.planes import instead, wrong


@wrong((reservation, "reserve"))
def reserves_without_an_assignment(right, *args):
    """Breaks AC-250: says that quota is reserved and not where; ADM-020 must catch it."""
    return right(*args).drop("admission")


@wrong((reservation, "reserve"))
def assigns_without_reserving(right, workload, assignment, spec, rules, current_time, *arguments):
    """Breaks AC-250: writes the assignment and not the condition; ADM-020 must catch it."""
    draft = right(workload, assignment, spec, rules, current_time, *arguments)
    return StatusDraft.of(workload, current_time).put("admission", draft.status["admission"])


@wrong((reservation, "reserve"))
def admits_whatever_is_reserved(right, *args):
    """Breaks AC-283: admits with the reservation whatever checks there are; ADM-020 must catch it."""
    return right(*args).set(Condition(c.ADMITTED, True, "Admitted", "The workload is admitted"))


@wrong((reservation, "reserve"))
def admits_by_the_listed_checks(right, workload, assignment, spec, rules, current_time, *arguments):
    """Breaks AC-384: admits with the reservation although a check of the flavor is not listed yet; ADM-390
    must catch it.
    """
    return admitted.sync(
        right(workload, assignment, spec, rules, current_time, *arguments), rules.admitted_reasons
    )


@wrong((reservation, "reserve"))
def asks_for_the_checks_of_all_flavors(right, workload, assignment, spec, rules, current_time, *arguments):
    """Breaks AC-384: looks at the checks for every flavor alone before it admits; ADM-390 must catch it."""
    general = tuple(check for check in spec.checks if not check.on_flavors)
    return right(workload, assignment, replace(spec, checks=general), rules, current_time, *arguments)


@wrong((reservation, "reserve"))
def always_admits_by_a_second_write(right, workload, assignment, spec, rules, current_time, *arguments):
    """Breaks AC-284: reserves first and admits then though nothing is left to ask; ADM-206 must catch it."""
    draft = right(workload, assignment, spec, rules, current_time, *arguments)
    conditions = [condition for condition in draft.conditions if condition["type"] != c.ADMITTED]
    return draft.put("conditions", conditions)


@wrong((reservation, "reserve"))
def names_another_queue(right, workload, assignment, spec, rules, current_time, *arguments):
    """Breaks AC-110: names the LocalQueue where the ClusterQueue belongs; ADM-391 must catch it."""
    draft = right(workload, assignment, spec, rules, current_time, *arguments)
    return draft.put("admission", {**draft.status["admission"], "clusterQueue": workload.name})


instead(
    reservation,
    "OVER_WITH_A_RESERVATION",
    (),
    "Breaks AC-266: leaves a Workload evicted that has quota again; ADM-421 must catch it.",
    called="leaves_what_has_quota_evicted",
)
instead(
    reservation,
    "OVER_WITH_A_RESERVATION",
    (c.PREEMPTED,),
    "Breaks AC-266: clears the preemption and not the eviction; ADM-421 must catch it.",
    called="clears_the_preemption_alone",
)


@wrong((reservation, "reserve"))
def forgets_why_it_was_evicted(right, *args):
    """Breaks AC-266: replaces the message of an eviction that is over; ADM-421 must catch it."""
    draft = right(*args)
    evicted = draft.condition(c.EVICTED)
    return draft if evicted is None else draft.set(Condition(c.EVICTED, False, "QuotaReserved", "over"))


@wrong((reservation, "waiting"))
def calls_what_waits_inadmissible(right, workload, message, *rest):
    """Breaks AC-251: calls a Workload Inadmissible that waits for quota; ADM-081 should catch it."""
    return right(workload, message, *rest).set(Condition(c.QUOTA_RESERVED, False, "Inadmissible", message))


@wrong((scheduler.Scheduler, "_wait"))
def never_says_what_it_waits_for(_, self, verdict):
    """Breaks AC-251: does not say that a Workload waits for quota; ADM-034 must catch it."""
    self._back(verdict.head, verdict.reason)


@wrong((scheduler.Scheduler, "_back"))
def forgets_what_does_not_fit(_, self, head, reason, *rest):
    """Breaks AC-282: forgets a Workload that did not fit; ADM-241 must catch it."""
    self.queue_manager.queues.delete(head.pending.key)
    return head.pending, False


@wrong((scheduler.Scheduler, "_reserve"))
def counts_a_reservation_when_it_is_written(_, self, head, assignment, preemptions):
    """Breaks Q-141: does not count a reservation before it is written; ADM-026 must catch it."""
    workload = head.pending.workload
    spec = self.queue_manager.catalogue.cluster_queues[head.cluster_queue]
    draft = reservation.reserve(workload, assignment, spec, self.rules, self.clock.now(), preemptions)
    self.writer.put(SchedulingOutcome(workload, self.rules.prune_status(draft.status), ""))


@wrong((cycle.Cycle, "_nominate"))
def looks_at_no_verdicts(right, self, head):
    """Breaks AC-282: reserves for a Workload that a check has turned down; ADM-454 must catch it."""
    workload = head.pending.workload
    status = {**workload.status, "admissionChecks": []}
    plain = replace(head.pending, workload=view.Workload({**workload.object, "status": status}))
    nominated = right(self, replace(head, pending=plain))
    return replace(nominated, head=head)


# Admission


@wrong((verdicts, "admit"))
def never_admits_later(_, *args):
    """Breaks AC-285: admits only with the reservation; ADM-201 must catch it."""


@wrong((admitted, "sync"))
def admits_without_quota(right, draft, rules):
    """Breaks AC-258: admits when all checks are Ready, with or without quota; ADM-022 should catch it."""
    if (
        Checks.of(draft.status).entries
        and Checks.of(draft.status).are_all_ready
        and not draft.is_true(c.ADMITTED)
    ):
        return draft.set(Condition(c.ADMITTED, True, "Admitted", "The workload is admitted"))
    return right(draft, rules)


@wrong((admitted, "_lost"))
def says_that_checks_are_missing(_, reserved, ready, rules):
    """Breaks AC-259: blames the checks for what quota did; ADM-024 should catch it."""
    return Condition(c.ADMITTED, False, *rules.unsatisfied)


@wrong((admitted, "_lost"))
def says_that_all_checks_were_ready(right, reserved, ready, rules):
    """Breaks AC-260: says of every Workload that its checks had passed; ADM-024 should catch it."""
    return right(reserved, True, rules)


@wrong((admitted, "_lost"))
def says_that_no_check_was_ready(right, reserved, ready, rules):
    """Breaks AC-259: says of every Workload that its checks had not passed; ADM-024 should catch it."""
    return right(reserved, False, rules)


@wrong((check_rules, "checks_for_flavors"))
def asks_no_check_at_a_reservation(right, rules, every, used):
    """Breaks AC-351: asks no check of a Workload that has quota; ADM-020 must catch it."""
    return frozenset() if used is not None else right(rules, every, used)


# What a status says


@wrong((writing, "apply_body"))
def gives_the_assignment_up(right, workload, status, *, strict):
    """Breaks AC-371: leaves the assignment out of what it applies;
    ADM-201[1-checks-first-answers-first-job-v1beta1] must catch it.
    """
    body = right(workload, status, strict=strict)
    reserved = any(
        condition["type"] == c.ADMITTED and condition["status"] == "True"
        for condition in body["status"]["conditions"]
    )
    fields = {name: value for name, value in body["status"].items() if name != "admission" or not reserved}
    return {**body, "status": fields}


@wrong((writing, "apply_body"))
def loses_the_statistics(right, workload, status, *, strict):
    """Breaks AC-371: gives up how often a Workload was evicted; ADM-423 should catch it."""
    body = right(workload, status, strict=strict)
    return {
        **body,
        "status": {
            name: statement for name, statement in body["status"].items() if name != "schedulingStats"
        },
    }


@wrong((verdicts, "admit"))
def admits_again_and_again(right, workload, world, current_time, rules):
    """Breaks AC-264: writes Admitted of an admitted Workload; ADM-032 must catch it."""
    if workload.is_admitted and not workload.is_evicted and workload.checks.entries:
        decision = right(replace(workload, object=_without_admission(workload)), world, current_time, rules)
        return decision and replace(decision, write=None)
    return right(workload, world, current_time, rules)


def _without_admission(workload):
    conditions = [condition for condition in workload.conditions if condition["type"] != c.ADMITTED]
    return {**workload.object, "status": {**workload.status, "conditions": conditions}}

"""ADM: what deactivation leaves, and what an activation finds (AC-265, AC-270, AC-293…295, AC-340…344)."""

from kueue_conformance import always, either, never, pairwise, rows, scenario, within

FORMS = ("workload", "job")
STAGES = ("prechecked", "admitted")


@scenario(
    "ADM-226",
    "a rejected Workload that a user activates again stays out, or is tried again with its checks Pending",
    requirement="docs-2024#rejected-deactivates",
    shows="SC-231 AC-295 KV-34",
    since="0.19",
    level="may",
    revision=2,
    clauses={
        "a": "v0.19.2 keeps it out; a later release tries it again",
        "b": "without a new answer it is not admitted",
    },
)
def test_reactivation_after_rejection(make_queue, clock):
    queue = make_queue(checks=1)
    workload = queue.submit_until("prechecked")
    queue.checks[0].answer(workload, "Rejected")
    within("evict", workload.is_rejected)

    workload.reactivate()
    clock.settle()

    ways = {
        "kept out, as v0.19.2 does": lambda: (
            workload.is_active_and_suspended() and workload.was_reserved(times=1)
        ),
        "tried again, with its checks undecided": lambda: (
            workload.has_states("Pending") and workload.was_reserved(times=2)
        ),
    }
    either("settle", ways, until={"kept out, as v0.19.2 does": "<0.19.3, 0.20.0"}, clause="a")
    always(lambda: workload.was_ever("Admitted").negate(), clause="b")


@scenario(
    "ADM-375",
    "the eviction of a Workload that a user deactivates emits one event, if it held quota",
    requirement="docs-2024#retry-event",
    shows="AC-293 AC-342 AC-381",
    since="0.10",
    level="should",
    cases=pairwise(stage=STAGES, form=FORMS),
    clauses={
        "a": "one event tells it",
        "b": "no event about a Workload that never held quota, which is evicted as well",
    },
)
def test_event_of_deactivation(kueue_cluster, stage, form):
    queue, full = kueue_cluster.make_queue(checks=1), kueue_cluster.make_queue(checks=1, cpu="0")
    workload, waiting = queue.submit_until(stage, form), full.submit(form, cpu="1")
    within("settle", lambda: waiting.lists_checks(*full.checks))

    workload.deactivate()
    waiting.deactivate()

    event = "EvictedDueToDeactivated"
    within("evict", workload.is_rejected)
    within("evict", lambda: kueue_cluster.has_one_event(event, workload, type="Normal"), clause="a")
    within("evict", waiting.is_evicted, clause="b")
    never(lambda: kueue_cluster.has_event(event, waiting), clause="b")


@scenario(
    "ADM-376",
    "the reason of an eviction shows whether a user or a check deactivated the Workload",
    requirement="docs-zh#rejected-reason",
    shows="AC-265 AC-270 AC-293 AC-344 D-10",
    since="0.10",
    level="should",
    cases=pairwise(stage=STAGES, form=FORMS),
    clauses={"a": "a user", "b": "a check", "c": "no mark for deactivation is left"},
)
def test_reason_of_deactivation(make_queue, stage, form):
    queue = make_queue(checks=1)
    workload, rejected = queue.submit_until(stage, form), queue.submit_until(stage, form)

    workload.deactivate()
    queue.checks[0].answer(rejected, "Rejected")

    within(
        "evict", lambda: workload.is_rejected() and workload.has_reason("Evicted", "Deactivated"), clause="a"
    )
    within(
        "evict",
        lambda: rejected.is_rejected() and rejected.has_reason("Evicted", "DeactivatedDueToAdmissionCheck"),
        clause="b",
    )
    within("evict", lambda: rejected.has_no_condition("DeactivationTarget"), clause="c")


@scenario(
    "ADM-798",
    "the quota condition of an inactive Workload says that it is deactivated, and its eviction says why",
    requirement="docs-zh#rejected-reason",
    shows="KV-11",
    since="0.20.0-devel",
    also=("kep993",),
    gates=("UnadmittedWorkloadsObservability",),
    level="should",
    cases=pairwise(stage=STAGES, form=FORMS),
    clauses={
        "a": "the reason of QuotaReserved",
        "b": "the eviction has the message of the check",
        "c": "QuotaReserved has not",
        "d": "one that is created inactive says the same",
    },
)
def test_quota_of_the_deactivated(make_queue, stage, form):
    queue = make_queue(checks=1)
    rejected = queue.submit_until(stage, form)

    queue.checks[0].answer(rejected, "Rejected", message="no license")
    born_inactive = queue.submit(active=False)

    within("evict", lambda: rejected.has_condition("QuotaReserved", "False", "Deactivated"), clause="a")
    assert rejected.has_message_containing("Evicted", "no license"), "b: the message of the check is there"
    always(lambda: rejected.has_message("QuotaReserved", "The workload is deactivated"), clause="c")
    within("settle", lambda: born_inactive.has_condition("QuotaReserved", "False", "Deactivated"), clause="d")


@scenario(
    "ADM-377",
    "an eviction keeps its reason when the Workload is deactivated before its quota is released",
    requirement="docs-2024#rejected-deactivates",
    shows="AC-289 AC-294 AC-341",
    since="0.9",
    level="should",
    clauses={"a": "it stays evicted for the check", "b": "evicted once, and never reserved again"},
)
def test_deactivation_during_eviction(kueue_cluster):
    queue = kueue_cluster.make_queue(checks=1)
    workload = queue.submit_until("admitted")
    kueue_cluster.release.pods_are_held = True
    queue.checks[0].answer(workload, "Retry")
    within("evict", workload.is_evicted)

    workload.deactivate()
    always(lambda: workload.has_reason("Evicted", "AdmissionCheck"), clause="a")
    kueue_cluster.release.pods_are_held = False

    within("evict", workload.is_rejected, clause="b")
    always(lambda: workload.was_evicted_times(1) and workload.was_reserved(1), clause="b")


@scenario(
    "ADM-378",
    "a Workload that was deactivated during a retry delay is reserved at once when it is active again",
    requirement=("docs-2024#rejected-deactivates", "kep-993#hold"),
    shows="AC-290 AC-294 AC-295",
    since="0.15",
    level="should",
    cases=pairwise(form=FORMS),
    clauses={"a": "reserved without a delay, and undecided"},
)
def test_delay_is_forgotten_by_deactivation(make_queue, clock, form):
    queue = make_queue(checks=1)
    workload = queue.submit_until("prechecked", form)
    with clock.during(clock.hold):
        queue.checks[0].answer(workload, "Retry", delay=clock.hold)
        within("settle", workload.is_waiting_for_requeue)
        workload.deactivate()
    within("evict", workload.is_rejected)

    workload.reactivate()

    within("prompt", lambda: workload.was_reserved(2) and workload.has_states("Pending"), clause="a")


@scenario(
    "ADM-379",
    "evictions are counted by their reason and underlying cause",
    requirement="kep-993#retry-or-reject",
    shows="AC-340 AC-342 AC-344",
    since="0.19",
    level="may",
    cases=pairwise(form=FORMS),
    clauses={
        "a": "two by a check",
        "b": "one more by a user",
        "c": "one that a check caused, of another Workload",
    },
)
def test_evictions_are_counted(make_queue, form):
    queue = make_queue(checks=1)
    check, workload, rejected = (
        queue.checks[0],
        queue.submit_until("prechecked", form),
        queue.submit_until("prechecked", form),
    )
    for times in (2, 3):
        check.answer(workload, "Retry")
        within("requeue", lambda times=times: workload.was_reserved(times) and workload.has_states("Pending"))

    within("settle", lambda: workload.has_eviction_counts({("AdmissionCheck", ""): 2}), clause="a")
    workload.deactivate()
    within("evict", workload.is_rejected)
    within(
        "settle",
        lambda: workload.has_eviction_counts({("AdmissionCheck", ""): 2, ("Deactivated", ""): 1}),
        clause="b",
    )
    check.answer(rejected, "Rejected")

    within("evict", lambda: rejected.has_eviction_counts({("Deactivated", "AdmissionCheck"): 1}), clause="c")


@scenario(
    "ADM-380",
    "conditions of a Workload that holds quota, and of one that released it, have the reason",
    requirement="kep-993#retry-or-reject",
    shows="AC-250 AC-252 AC-258 AC-259 AC-260 AC-268 AC-293",
    since="0.10",
    level="may",
    cases=rows("checks", (0,), (1,)),
    clauses={
        "a": "QuotaReserved, when it has quota and when it has lost it",
        "b": "Requeued",
        "c": "Admitted, when it is and when it was",
    },
)
def test_conditions_after_a_release(kueue_cluster, checks):
    facts = kueue_cluster.context.dialect.facts
    lacking = "-and-checks" if checks else ""
    reason, message = facts[f"reason-without-quota{lacking}"], facts[f"message-without-quota{lacking}"]
    queue = kueue_cluster.make_queue(checks)
    workload = queue.submit("job")
    within("reserve", lambda: workload.was_ever("QuotaReserved") and workload.lists_checks(*queue.checks))
    [check.answer(workload, "Ready") for check in queue.checks]
    within(
        "admit",
        lambda: workload.is_admitted() and workload.has_message("Admitted", "The workload is admitted"),
        clause="c",
    )
    within(
        "settle",
        lambda: workload.has_message("QuotaReserved", f"Quota reserved in ClusterQueue {queue.name}"),
        clause="a",
    )

    workload.deactivate()
    within("evict", workload.is_rejected)

    condition_message = "The workload is deactivated"
    always(
        lambda: (
            workload.has_condition("QuotaReserved", "False")
            and workload.has_message("QuotaReserved", condition_message)
        ),
        clause="a",
    )
    always(
        lambda: (
            workload.has_reason("Requeued", "Deactivated")
            and workload.has_message("Requeued", condition_message)
        ),
        clause="b",
    )
    always(
        lambda: workload.has_reason("Admitted", reason) and workload.has_message("Admitted", message),
        clause="c",
    )


@scenario(
    "ADM-075",
    "a Finished Workload does not change, whatever a check's state is",
    requirement="kueue-api#ends",
    shows="AC-246 AC-271 AC-296 AC-320",
    cases=pairwise(verdict=("Retry", "Rejected"), form=FORMS),
    clauses={
        "a": "it is not evicted or deactivated, while one that is not Finished is",
        "b": "the state of the check stays",
    },
)
def test_verdict_on_what_is_finished(make_queue, verdict, form):
    queue = make_queue(checks=1)
    workload, other = queue.submit_until("admitted", form), queue.submit_until("admitted", form)
    workload.finish()
    within("settle", workload.is_finished)

    queue.checks[0].answer(workload, verdict)
    queue.checks[0].answer(other, verdict)

    within("evict", lambda: other.was_ever("Evicted"), clause="a")
    always(lambda: workload.was_ever("Evicted").negate() and workload.is_inactive().negate(), clause="a")
    always(lambda: workload.has_states(verdict), clause="b")


@scenario(
    "ADM-076",
    "in v0.6 a running Job whose Workload is deactivated is stopped, and its quota is released",
    requirement="docs-2024#rejected-deactivates",
    shows="AC-337 D-10",
    until="0.6.2",
    clauses={"a": "evicted as inactive", "b": "the Job is suspended and the quota is back"},
)
def test_v06_deactivation(kueue_cluster):
    queue = kueue_cluster.make_queue(checks=1)
    workload, job = kueue_cluster.start_job(queue)

    workload.deactivate()

    within("evict", lambda: workload.was_evicted_for("InactiveWorkload"), clause="a")
    within("evict", lambda: job.is_suspended() and workload.is_suspended(), clause="b")

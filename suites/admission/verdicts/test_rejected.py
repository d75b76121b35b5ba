"""ADM: a check that answers Rejected, and deactivation (KEP-993,
240-241; documentation; AC-291…295, D-08…D-10).
"""

from kueue_conformance import always, pairwise, rows, scenario, within

FORMS = ("workload", "job")
STAGES = ("prechecked", "admitted")


@scenario(
    "ADM-060",
    "Rejected deactivates a Workload that is not admitted yet",
    requirement=("docs-2024#rejected-deactivates", "docs-2024#rejected-releases"),
    shows="SC-060 AC-291 AC-292 AC-293 S-103",
    since="0.8",
    also=("kep993",),
    cases=pairwise(form=FORMS),
    clauses={"a": "it is inactive", "b": "its quota is released"},
)
def test_rejected_deactivates_prechecked(make_queue, form):
    queue = make_queue(checks=1)
    workload = queue.submit_until("prechecked", form)

    queue.checks[0].answer(workload, "Rejected")

    within("evict", workload.is_inactive, clause="a")
    within("evict", workload.is_rejected, clause="b")


@scenario(
    "ADM-061",
    "Rejected evicts and deactivates a Workload that was admitted",
    requirement=("docs-2024#rejected-evicts", "docs-2024#rejected-deactivates"),
    shows="SC-061 AC-291 AC-293 D-10",
    since="0.8",
    also=("kep993",),
    cases=pairwise(form=FORMS),
    clauses={"a": "it is evicted for the dialect's reason", "b": "it is inactive and without quota"},
)
def test_rejected_evicts_admitted(make_queue, form):
    queue = make_queue(checks=1)
    workload = queue.submit_until("admitted", form)

    queue.checks[0].answer(workload, "Rejected")

    within("evict", workload.was_rejected_by_a_check, clause="a")
    within("evict", workload.is_rejected, clause="b")


@scenario(
    "ADM-062",
    "Rejected suspends a running Job",
    requirement=("docs-2024#rejected-evicts", "kep-993#stop-admitted"),
    shows="SC-062 AC-332",
    clauses={"a": "the Job is suspended"},
)
def test_rejected_suspends_the_job(kueue_cluster):
    queue = kueue_cluster.make_queue(checks=1)
    workload, job = kueue_cluster.start_job(queue)

    queue.checks[0].answer(workload, "Rejected")

    within("evict", job.is_suspended, clause="a")


@scenario(
    "ADM-063",
    "the checks of a rejected Workload are Pending again",
    requirement="kep-993#retry-or-reject",
    shows="SC-063 AC-340 D-11",
    since="0.9",
    level="should",
    cases=pairwise(stage=STAGES, form=FORMS),
    clauses={"a": "no verdict is left"},
)
def test_rejected_checks_are_reset(make_queue, stage, form):
    queue = make_queue(checks=2)
    workload = queue.submit_until(stage, form)

    queue.checks[0].answer(workload, "Rejected")
    within("evict", workload.is_rejected)

    within("settle", workload.has_no_verdicts, clause="a")


@scenario(
    "ADM-064",
    "deactivation of a Workload by its user releases its quota, in every state",
    requirement="docs-2024#rejected-deactivates",
    shows="SC-064 AC-245 AC-293 AC-342",
    since="0.9",
    also=("kep993",),
    revision=3,
    cases=rows("stage form", *((stage, form) for stage in ("pending", *STAGES) for form in FORMS)),
    clauses={
        "a": "it has no quota",
        "b": "it stays suspended, also when quota is free and its queue is resumed",
    },
)
def test_deactivation_releases(make_queue, stage, form):
    queue = make_queue(checks=1, cpu="0" if stage == "pending" else "10")
    workload = queue.submit(form, cpu="1") if stage == "pending" else queue.submit_until(stage, form)
    within("settle", lambda: workload.lists_checks(*queue.checks))

    workload.deactivate()

    within("evict", workload.is_rejected, clause="a")
    queue.set_quota("20")
    queue.hold_local()
    queue.resume_local()
    always(lambda: workload.is_rejected() and workload.was_reserved({"pending": 0}.get(stage, 1)), clause="b")


@scenario(
    "ADM-065",
    "deactivation clears the back-off of a requeue",
    requirement="kep-993#retry-or-reject",
    shows="SC-065 AC-294 AC-323",
    since="0.15",
    level="should",
    clauses={"a": "requeueState is removed"},
)
def test_deactivation_clears_requeue_state(make_queue, clock):
    queue = make_queue(checks=1)
    workload = queue.submit_until("prechecked")
    with clock.during(clock.hold):
        queue.checks[0].answer(workload, "Retry", delay=clock.hold)
        within("settle", workload.is_waiting_for_requeue)

        workload.deactivate()

    within("requeue", lambda: workload.is_waiting_for_requeue().negate(), clause="a")


@scenario(
    "ADM-066",
    "the Job of a deactivated Workload stays suspended until the Workload is activated again",
    requirement="docs-2024#rejected-deactivates",
    shows="SC-066 AC-295",
    since="0.9",
    also=("kep993",),
    cases=pairwise(form=FORMS),
    clauses={"a": "it stays out", "b": "reactivated, it is admitted again"},
)
def test_reactivation_by_a_user(make_queue, form):
    queue = make_queue(checks=0)
    workload = queue.submit(form)
    within("admit", workload.is_admitted)

    workload.deactivate()
    within("evict", workload.is_rejected)
    always(workload.is_rejected, clause="a")
    workload.reactivate()

    within("requeue", workload.is_admitted, clause="b")


@scenario(
    "ADM-067",
    "a deactivated Workload is not admitted when the control plane is restarted",
    requirement="docs-2024#rejected-deactivates",
    shows="SC-067",
    since="0.9",
    also=("kep993",),
    needs=("restart of Kueue",),
    clauses={"a": "it stays out"},
)
def test_restart_does_not_admit(kueue_cluster):
    queue = kueue_cluster.make_queue(checks=0)
    workload = queue.submit()
    within("admit", workload.is_admitted)
    workload.deactivate()
    within("evict", workload.is_rejected)

    kueue_cluster.restart_control_plane()

    always(workload.is_rejected, clause="a")


@scenario(
    "ADM-068",
    "a Workload that a user activates again reports it in a condition",
    requirement="docs-2024#rejected-deactivates",
    shows="SC-068 AC-295",
    since="0.10",
    also=("kep993",),
    level="may",
    clauses={"a": "Requeued is True because it was Reactivated"},
)
def test_reactivated_condition(make_queue):
    queue = make_queue(checks=0)
    workload = queue.submit()
    within("admit", workload.is_admitted)
    workload.deactivate()
    within("evict", workload.is_rejected)

    workload.reactivate()

    within("requeue", lambda: workload.had_condition("Requeued", "True", "Reactivated"), clause="a")


@scenario(
    "ADM-069",
    "a Workload that exceeds its maximum execution time is deactivated",
    requirement="kep-993#stop-admitted",
    shows="SC-069 AC-317 AC-327 C-02",
    since="0.19",
    revision=2,
    cases=pairwise(form=FORMS),
    clauses={"a": "it runs until its time is over", "b": "then it is deactivated"},
)
def test_maximum_execution_time(make_queue, clock, form):
    queue = make_queue(checks=0)
    workload = queue.submit_with_time_limit(form, seconds=clock.hold)
    within("admit", workload.is_admitted)

    clock.advance_while(clock.hold, workload.is_admitted, touched=workload, clause="a")

    within("prompt", workload.is_rejected, clause="b")


@scenario(
    "ADM-070",
    "in v0.6 a rejected Workload is Finished",
    requirement="kep-993#retry-or-reject",
    shows="SC-070 AC-346 D-08",
    until="0.6.2",
    cases=pairwise(stage=STAGES, form=FORMS),
    clauses={"a": "it is Finished because its checks were rejected"},
)
def test_v06_rejected_is_finished(make_queue, stage, form):
    queue = make_queue(checks=1)
    workload = queue.submit_until(stage, form)

    queue.checks[0].answer(workload, "Rejected")

    within(
        "evict",
        lambda: workload.is_finished() and workload.has_reason("Finished", "AdmissionChecksRejected"),
        clause="a",
    )


@scenario(
    "ADM-550",
    "in v0.6 the Job of a rejected Workload gets one event about the end",
    requirement="kep-993#retry-or-reject",
    shows="AC-346 D-08",
    level="should",
    until="0.6.2",
    clauses={"a": "no event before", "b": "one event on the Job when the Workload is finished"},
)
def test_v06_rejection_is_told_to_the_job(kueue_cluster):
    queue = kueue_cluster.make_queue(checks=1)
    workload = queue.submit_until("prechecked", "job")
    events = kueue_cluster.events_of(workload)
    always(lambda: events.has_events("WorkloadFinished", times=0, on="Job"), clause="a")

    queue.checks[0].answer(workload, "Rejected")

    within("evict", workload.is_finished)
    within("settle", lambda: events.has_events("WorkloadFinished", on="Job"), clause="b")


@scenario(
    "ADM-071",
    "one Rejected among several checks is enough, whatever the other states are",
    requirement=("docs-2024#rejected-releases", "kep-993#prechecked-to-rejected"),
    shows="SC-071 SC-223 AC-291",
    cases=pairwise(other_verdict=("Pending", "Ready", "Retry"), checks=(2, 3), form=FORMS),
    clauses={"a": "it is rejected"},
)
def test_one_rejection_is_enough(make_queue, other_verdict, checks, form):
    queue = make_queue(checks=checks)
    workload = queue.submit_until("prechecked", form)
    first, *rest = queue.checks

    workload.set_verdicts({first: "Rejected"} | dict.fromkeys(rest, other_verdict))

    within("evict", workload.is_rejected, clause="a")


@scenario(
    "ADM-072",
    "a rejection emits an event",
    requirement="docs-2024#rejected-event",
    shows="AC-291 AC-381 D-09",
    since="0.8",
    also=("kep993",),
    revision=2,
    cases=pairwise(stage=STAGES, form=FORMS),
    clauses={"a": "AdmissionCheckRejected", "b": "once"},
)
def test_event_of_rejection(kueue_cluster, stage, form):
    queue = kueue_cluster.make_queue(checks=1)
    workload = queue.submit_until(stage, form)

    queue.checks[0].answer(workload, "Rejected", message=kueue_cluster.names.message())

    event = "AdmissionCheckRejected"
    within("evict", lambda: kueue_cluster.has_event(event, workload, type="Warning"), clause="a")
    within("evict", workload.is_rejected)
    always(lambda: kueue_cluster.has_one_event(event, workload), clause="b")


@scenario(
    "ADM-073",
    "the reason of a rejected Workload's eviction begins with Deactivated",
    requirement="docs-zh#rejected-reason",
    shows="AC-265 D-10",
    since="0.10",
    also=("kep993",),
    cases=pairwise(form=FORMS),
    clauses={"a": "the condition Evicted has it"},
)
def test_reason_begins_with_deactivated(make_queue, form):
    queue = make_queue(checks=1)
    workload = queue.submit_until("admitted", form)

    queue.checks[0].answer(workload, "Rejected")

    reasons = ("Deactivated", "DeactivatedDueToAdmissionCheck")
    within("evict", lambda: workload.was_evicted_for(*reasons), clause="a")


@scenario(
    "ADM-074",
    "the quota of a rejected Workload is free for other Workloads",
    requirement="docs-2024#rejected-releases",
    shows="AC-289 AC-441",
    cases=pairwise(form=FORMS),
    clauses={"a": "the next is reserved"},
)
def test_rejection_frees_quota(make_queue, form):
    queue = make_queue(checks=1, cpu="1")
    first = queue.submit(form, cpu="1")
    within("reserve", lambda: first.is_prechecked() and first.lists_checks(*queue.checks))
    second = queue.submit(form, cpu="1")
    always(second.is_suspended)

    queue.checks[0].answer(first, "Rejected")

    within("requeue", second.is_prechecked, clause="a")


@scenario(
    "ADM-239",
    "a rejected Workload holds its quota until its pods are gone",
    requirement="docs-2024#rejected-releases",
    shows="SC-239 AC-243 AC-291 AC-293 AC-332 R-10",
    since="0.10",
    level="should",
    revision=2,
    needs=("no built-in controllers",),
    clauses={"a": "inactive and evicted, and quota is still held", "b": "released afterwards"},
)
def test_rejection_waits_for_pods(kueue_cluster):
    queue = kueue_cluster.make_queue(checks=1)
    workload, job = kueue_cluster.start_job(queue)
    job.set_pods(1)

    queue.checks[0].answer(workload, "Rejected")
    within(
        "evict", lambda: workload.is_inactive() and workload.is_evicted() and job.is_suspended(), clause="a"
    )
    always(workload.has_quota_reserved, clause="a")
    job.set_pods(0)

    within("evict", workload.is_rejected, clause="b")

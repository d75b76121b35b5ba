"""ADM: states that a Workload does not pass through, not for one write (KEP-993, 197-241; AC-240…AC-243,
AC-264, AC-285, AC-332, AC-341).
"""

from kueue_conformance import always, pairwise, rows, scenario, within

FORMS = ("workload", "job")
STAGES = ("prechecked", "admitted")


@scenario(
    "ADM-381",
    "no Workload is admitted without quota, whatever the states of its checks are",
    requirement=("kep-993#stage-one", "docs-2024#admitted-when-ready"),
    shows="AC-240 AC-264 AC-285 AC-326",
    cases=pairwise(checks=(0, 2), form=FORMS),
    clauses={"a": "never admitted while there is no quota", "b": "admitted once there is"},
)
def test_admission_needs_quota(make_queue, checks, form):
    queue = make_queue(checks=checks, cpu="0")
    workload = queue.submit(form, cpu="1")
    within("settle", lambda: workload.lists_checks(*queue.checks))
    always(workload.is_suspended)  # else Kueue's first attempt may put the answer back (AC-372)

    [check.answer(workload, "Ready") for check in queue.checks]
    always(lambda: workload.is_suspended() and workload.was_ever("Admitted").negate(), clause="a")
    queue.set_quota("1")

    within("admit", workload.is_admitted, clause="b")


@scenario(
    "ADM-382",
    "a reservation and an admission emit one event each",
    requirement="docs-2024#admitted-when-ready",
    shows="AC-283 AC-284 AC-285 AC-380 AC-381",
    level="should",
    cases=pairwise(checks=(0, 1, 2), form=FORMS),
    clauses={"a": "QuotaReserved", "b": "Admitted"},
)
def test_events_of_admission(kueue_cluster, checks, form):
    queue = kueue_cluster.make_queue(checks=checks)

    workload = queue.submit(form)
    within("reserve", lambda: workload.was_ever("QuotaReserved") and workload.lists_checks(*queue.checks))
    [check.answer(workload, "Ready") for check in queue.checks]
    within("admit", workload.is_admitted)

    within(
        "settle", lambda: kueue_cluster.has_one_event("QuotaReserved", workload, type="Normal"), clause="a"
    )
    within("settle", lambda: kueue_cluster.has_one_event("Admitted", workload, type="Normal"), clause="b")


@scenario(
    "ADM-383",
    "quota is held from the reservation on, while checks pass and when the Workload is admitted",
    requirement=("kep-993#stage-one", "kep-993#prechecked-to-admitted"),
    shows="AC-241 AC-242 AC-285",
    cases=pairwise(form=FORMS),
    clauses={"a": "it holds quota at every moment", "b": "it is admitted"},
)
def test_quota_is_held_until_admission(make_queue, form):
    queue = make_queue(checks=2)
    workload = queue.submit_until("prechecked", form)

    queue.checks[0].answer(workload, "Ready")
    always(workload.has_quota_reserved, clause="a")
    queue.checks[1].answer(workload, "Ready")
    always(workload.has_quota_reserved, clause="a")

    within("admit", workload.is_admitted, clause="b")
    always(lambda: workload.was_reserved(1) and workload.was_admitted_times(1), clause="a")


@scenario(
    "ADM-384",
    "one Retry evicts a Workload once, and it is not admitted until the check is Ready again",
    requirement=("docs-2024#retry-releases", "kep-993#retry-or-reject"),
    shows="AC-243 AC-287 AC-289",
    since="0.9",
    cases=pairwise(stage=STAGES, form=FORMS),
    clauses={
        "a": "evicted once",
        "b": "reserved once more",
        "c": "admitted when the check has passed, and not before",
    },
)
def test_retry_evicts_once(make_queue, stage, form):
    queue = make_queue(checks=1)
    workload = queue.submit_until(stage, form)
    before = {"prechecked": 0, "admitted": 1}[stage]

    queue.checks[0].answer(workload, "Retry")

    within("requeue", lambda: workload.was_reserved(2) and workload.is_prechecked(), clause="b")
    always(lambda: workload.was_evicted_times(1), clause="a")
    always(lambda: workload.was_reserved(2), clause="b")
    always(lambda: workload.was_admitted_times(before), clause="c")
    queue.checks[0].answer(workload, "Ready")
    within("admit", lambda: workload.is_admitted() and workload.was_admitted_times(before + 1), clause="c")


@scenario(
    "ADM-385",
    "the state of a check stays as it is until its Workload is evicted, whatever else is written",
    requirement=("kep-993#one-entry-per-check", "kep-993#best-effort-decisions"),
    shows="AC-280 AC-285 AC-308 AC-357",
    cases=pairwise(place=(0, 1), form=FORMS),
    clauses={
        "a": "while another check is undecided",
        "b": "while a check is added",
        "c": "when the Workload is admitted",
    },
)
def test_verdict_stays(kueue_cluster, place, form):
    queue = kueue_cluster.make_queue(checks=2)
    workload = queue.submit_until("prechecked", form)
    passed, other = queue.checks[place], queue.checks[1 - place]
    passed.answer(workload, "Ready", message=kueue_cluster.names.message())
    entry = dict(workload.entry_of(passed))
    always(lambda: workload.has_entry(passed, entry), clause="a")

    added = kueue_cluster.make_check()
    queue.set_checks(*queue.checks, added)
    within("settle", lambda: workload.lists_checks(*queue.checks, added), clause="b")
    always(lambda: workload.has_entry(passed, entry), clause="b")
    other.answer(workload, "Ready")
    added.answer(workload, "Ready")

    within("admit", workload.is_admitted, clause="c")
    always(lambda: workload.has_entry(passed, entry), clause="c")


@scenario(
    "ADM-386",
    "a running Job is suspended before its Workload's quota is released",
    requirement=("docs-2024#retry-releases", "kep-993#stop-admitted"),
    shows="AC-243 AC-289 AC-332 AC-341",
    since="0.9",
    cases=pairwise(verdict=("Retry", "Rejected")),
    clauses={
        "a": "no moment without quota while the Job runs",
        "b": "the Job is suspended and the quota is back",
    },
)
def test_job_stops_first(kueue_cluster, verdict):
    queue = kueue_cluster.make_queue(checks=1)
    workload, job = kueue_cluster.start_job(queue)

    queue.checks[0].answer(workload, verdict)

    within("evict", lambda: job.is_suspended() and workload.was_released(), clause="b")
    always(lambda: job.is_suspended() or workload.has_quota_reserved(), clause="a")


@scenario(
    "ADM-387",
    "an evicted Workload keeps quota and Admitted until its job has stopped",
    requirement="docs-2024#retry-releases",
    shows="AC-243 AC-332 AC-341",
    since="0.9",
    level="may",
    cases=pairwise(verdict=("Retry", "Rejected")),
    clauses={"a": "evicted, and Admitted until its quota is released"},
)
def test_evicted_stays_admitted(kueue_cluster, verdict):
    queue = kueue_cluster.make_queue(checks=1)
    workload = queue.submit_until("admitted")
    kueue_cluster.release.pods_are_held = True

    queue.checks[0].answer(workload, verdict)

    within("evict", workload.is_evicted, clause="a")
    always(lambda: workload.is_evicted() and workload.is_admitted(), clause="a")


@scenario(
    "ADM-388",
    "a rejected Workload does not get quota again, and is not admitted again",
    requirement=("docs-2024#rejected-deactivates", "kep-993#retry-or-reject"),
    shows="AC-291 AC-293 AC-341",
    cases=pairwise(stage=STAGES, form=FORMS),
    clauses={"a": "rejected", "b": "evicted once, and never reserved again", "c": "never admitted again"},
)
def test_given_up_once(make_queue, stage, form):
    queue = make_queue(checks=2)
    workload = queue.submit_until(stage, form)
    before = {"prechecked": 0, "admitted": 1}[stage]

    queue.checks[0].answer(workload, "Rejected")

    within("evict", workload.is_rejected, clause="a")
    always(lambda: workload.was_evicted_times(1) and workload.was_reserved(1), clause="b")
    always(lambda: workload.was_admitted_times(before), clause="c")


@scenario(
    "ADM-389",
    "an evicted Workload is Evicted until quota is reserved for it again",
    requirement="kep-993#suspended-to-prechecked",
    shows="AC-241 AC-266 AC-283 AC-319",
    since="0.9",
    level="should",
    cases=pairwise(form=FORMS),
    clauses={"a": "while another one has the quota", "b": "not once it has quota again"},
)
def test_evicted_until_reserved(make_queue, clock, form):
    queue = make_queue(checks=1, cpu="1")
    workload = queue.submit_until("prechecked", form, cpu="1")
    rival = queue.submit(form, cpu="1")
    clock.tick()
    queue.checks[0].answer(workload, "Retry")
    within("requeue", rival.is_prechecked)
    always(lambda: workload.is_suspended() and workload.is_evicted(), clause="a")

    rival.delete()

    within("reserve", workload.is_prechecked, clause="b")
    always(lambda: workload.is_evicted().negate(), clause="b")


@scenario(
    "ADM-421",
    "an eviction ends when quota is reserved again, and stays in the conditions",
    requirement="kep-993#stage-one",
    shows="AC-266 AC-283",
    cases=rows("example", ("cluster-queue-stopped",), ("deactivated",)),
    since="0.9",
    also=("kep993",),
    clauses={"a": "Evicted is True until then", "b": "False afterwards, with the message of before"},
)
def test_eviction_is_over(kueue_cluster, example):
    queue = kueue_cluster.make_queue()
    workload = queue.submit()
    within("admit", workload.is_admitted)
    out, back = {
        "cluster-queue-stopped": (queue.hold_and_drain, queue.resume),
        "deactivated": (workload.deactivate, workload.reactivate),
    }[example]
    out()
    within("evict", workload.is_suspended)
    always(workload.is_evicted, clause="a")
    message = workload.condition("Evicted")["message"]
    kueue_cluster.release.pods_are_held = True

    back()

    within("requeue", workload.is_admitted)
    always(lambda: workload.has_condition("Evicted", "False", "QuotaReserved"), clause="b")
    always(lambda: workload.has_message_containing("Evicted", message), clause="b")

"""ADM: pods that fail after they were ready, are ready again, and fail once more (AC-272, AC-294, AC-315,
AC-316, AC-344, AC-347).
"""

from kueue_conformance import always, pairwise, rows, scenario, within

FORMS = ("workload", "job")
IN_TIME, FIRST_DELAY = 1800, 60
A_WHILE = 300
LIMITED = "limited requeuing"
SHORT_OF_TIME = IN_TIME - 120
"""Seconds after which pods are ready again, shortly before they would have to be."""


def submit_until_admitted(queue, form="workload"):
    """Return a Workload that is admitted, of one pod whose start nothing was said of yet."""
    workload = queue.submit(form)
    within("admit", workload.is_admitted)
    return workload


def set_ready(kueue_cluster, workload, reason):
    """Set the pod to ready, to failed or to waiting for its start, as its integration does."""
    is_ready = reason in ("Started", "Recovered")
    if workload.job:
        kueue_cluster.job_of(workload).set_pods(active=1, ready=int(is_ready))
    else:
        workload.set_pods_ready(is_ready, reason)
    within("react", lambda: workload.has_condition("PodsReady", str(is_ready), reason))


def end_pods(kueue_cluster, workload):
    """End the pod of an evicted Workload, as its integration does, and wait until its quota is free."""
    if workload.job:
        job = kueue_cluster.job_of(workload)
        within("evict", job.is_suspended)
        job.set_pods(active=0)
    within("prompt", workload.was_released)
    if not workload.job:
        workload.set_pods_ready(False, "WaitForStart")


def fail_attempt(kueue_cluster, workload, clock, cause):
    """Let an attempt end because its pod does not start in time, or does not recover."""
    if cause == "WaitForRecovery":
        set_ready(kueue_cluster, workload, "Started")
    set_ready(kueue_cluster, workload, cause)
    clock.advance(IN_TIME)
    within("prompt", lambda: workload.is_evicted() or workload.is_inactive())
    end_pods(kueue_cluster, workload)


@scenario(
    "ADM-740",
    "each time that pods fail they have as long to recover, however often they were ready before",
    requirement="kueue-api#pods-in-time",
    shows="AC-272 AC-315",
    since="0.19",
    without_gates=("DisableWaitForPodsReady",),
    level="should",
    needs=("virtual time",),
    cases=pairwise(
        form=FORMS, recoveries=(1, 2, 3), failed=(A_WHILE, SHORT_OF_TIME), ready=(A_WHILE, 2 * IN_TIME)
    ),
    clauses={
        "a": "admitted while they recover within their recoveryTimeout",
        "b": "admitted until half an hour after the last failure",
        "c": "then evicted",
    },
)
def test_failures_after_recoveries(kueue_cluster, make_queue, clock, form, recoveries, failed, ready):
    workload = submit_until_admitted(make_queue(checks=0), form)
    set_ready(kueue_cluster, workload, "Started")
    for _ in range(recoveries):
        clock.advance(ready)
        set_ready(kueue_cluster, workload, "WaitForRecovery")
        clock.advance(failed)
        set_ready(kueue_cluster, workload, "Recovered")
    clock.advance(ready)
    always(lambda: workload.is_admitted() and workload.was_ever("Evicted").negate(), clause="a")

    set_ready(kueue_cluster, workload, "WaitForRecovery")

    clock.advance_while(IN_TIME, workload.is_admitted, touched=workload, clause="b")
    within("prompt", lambda: workload.was_evicted_for("PodsReadyTimeout"), clause="c")
    end_pods(kueue_cluster, workload)


@scenario(
    "ADM-741",
    "attempts whose pods do not start and attempts whose pods do not recover share one count and its delays",
    requirement="kueue-api#pods-in-time",
    shows="AC-294 AC-315 AC-344 AC-347",
    since="0.19",
    without_gates=("DisableWaitForPodsReady",),
    level="should",
    needs=("virtual time",),
    cases=rows(
        "form causes",
        ("workload", ("WaitForStart", "WaitForRecovery")),
        ("workload", ("WaitForRecovery", "WaitForRecovery")),
        ("job", ("WaitForRecovery", "WaitForStart")),
        ("job", ("WaitForRecovery", "WaitForStart", "WaitForRecovery")),
    ),
    clauses={
        "a": "counted together, though pods were ready in between",
        "b": "and counted by their causes",
        "c": "not reserved before the delay of so many attempts is over",
        "d": "reserved then",
    },
)
def test_causes_share_one_count(kueue_cluster, make_queue, clock, form, causes):
    workload, attempts = submit_until_admitted(make_queue(checks=0), form), len(causes)
    for attempt, cause in enumerate(causes[:-1]):
        fail_attempt(kueue_cluster, workload, clock, cause)
        clock.advance(FIRST_DELAY * 2**attempt)
        within("prompt", workload.is_admitted)

    fail_attempt(kueue_cluster, workload, clock, causes[-1])

    within("settle", lambda: workload.has_requeue_count(attempts), clause="a")
    counts = {("PodsReadyTimeout", cause): causes.count(cause) for cause in causes}
    within("settle", lambda: workload.has_eviction_counts(counts), clause="b")
    clock.advance_while(
        FIRST_DELAY * 2 ** (attempts - 1),
        lambda: workload.was_reserved(attempts),
        touched=workload,
        clause="c",
    )
    within("prompt", lambda: workload.was_reserved(attempts + 1) and workload.is_admitted(), clause="d")


BEFORE = {
    "ready": ("Started",),
    "failing": ("Started", "WaitForRecovery"),
    "recovered": ("Started", "WaitForRecovery", "Recovered"),
}
"""What becomes of the pods of an attempt."""
ENDED = {
    "retry": (
        ("AdmissionCheck", ""),
        lambda queue, workload: queue.checks[0].answer(workload, "Retry"),
        lambda _: None,
    ),
    "local-queue-stopped": (
        ("LocalQueueStopped", ""),
        lambda queue, _: queue.hold_and_drain_local(),
        lambda queue: queue.resume_local(),
    ),
    "cluster-queue-stopped": (
        ("ClusterQueueStopped", ""),
        lambda queue, _: queue.hold_and_drain(),
        lambda queue: queue.resume(),
    ),
}
"""What ends an attempt: reason and cause of the eviction, the act, and what lets the next one begin."""


@scenario(
    "ADM-742",
    "the pods of the next attempt have the whole time for their start, whatever became of those before them",
    requirement="kueue-api#pods-in-time",
    shows="AC-272 AC-315 AC-344",
    since="0.19",
    without_gates=("DisableWaitForPodsReady",),
    level="should",
    needs=("virtual time",),
    cases=rows(
        "before cause",
        ("ready", "retry"),
        ("failing", "retry"),
        ("failing", "local-queue-stopped"),
        ("recovered", "cluster-queue-stopped"),
    ),
    clauses={
        "a": "they wait for their start",
        "b": "admitted until half an hour after this admission",
        "c": "then evicted, for a start",
    },
)
def test_start_of_the_next_attempt(kueue_cluster, make_queue, clock, before, cause):
    queue = make_queue(checks=1)
    workload = queue.submit_until("admitted", "job")
    for reason in BEFORE[before]:
        set_ready(kueue_cluster, workload, reason)
    clock.advance(A_WHILE)
    eviction, end, resume = ENDED[cause]
    end(queue, workload)
    end_pods(kueue_cluster, workload)

    resume(queue)
    within("requeue", lambda: workload.was_reserved(2) and workload.has_states("Pending"))
    within("react", lambda: workload.has_condition("PodsReady", "False", "WaitForStart"), clause="a")
    clock.advance(A_WHILE)
    queue.admit(workload)

    clock.advance_while(IN_TIME, workload.is_admitted, touched=workload, clause="b")
    counts = {eviction: 1, ("PodsReadyTimeout", "WaitForStart"): 1}
    within("prompt", lambda: workload.is_evicted() and workload.has_eviction_counts(counts), clause="c")


@scenario(
    "ADM-743",
    "an attempt whose pods do not recover counts for the backoffLimitCount like one whose pods do not start",
    requirement="kueue-api#pods-in-time",
    shows="AC-292 AC-294 AC-316",
    since="0.19",
    without_gates=("DisableWaitForPodsReady",),
    level="should",
    needs=(LIMITED, "virtual time"),
    cases=rows("causes", (("WaitForRecovery", "WaitForStart"),), (("WaitForStart", "WaitForRecovery"),)),
    clauses={"a": "it is tried once more", "b": "then it is deactivated, though pods were ready in between"},
)
def test_limit_of_attempts_that_do_not_recover(kueue_cluster, make_queue, clock, causes):
    workload = submit_until_admitted(make_queue(checks=0))
    first, last = causes
    fail_attempt(kueue_cluster, workload, clock, first)
    clock.advance(FIRST_DELAY)
    within("prompt", workload.is_admitted, clause="a")

    fail_attempt(kueue_cluster, workload, clock, last)

    reason = "DeactivatedDueToRequeuingLimitExceeded"
    within("evict", lambda: workload.was_evicted_for(reason) and workload.is_inactive(), clause="b")

"""ADM: which of several reasons an eviction keeps (AC-294, AC-341, AC-434)."""

from kueue_conformance import always, rows, scenario, within

PODS_IN_TIME_SECONDS = 1800


@scenario(
    "ADM-453",
    "the first reason of an eviction stays, whatever happens while the pods are running",
    requirement="kep-993#stop-admitted",
    shows="AC-294 AC-341 AC-434",
    since="0.9",
    also=("kep993",),
    cases=rows(
        "first second",
        ("drained", "deactivated"),
        ("drained", "rejected"),
        ("drained", "retried"),
        ("retried", "deactivated"),
        ("retried", "drained"),
        ("deactivated", "retried"),
        ("deactivated", "drained"),
    ),
    clauses={
        "a": "evicted for the first one",
        "b": "Evicted is as it was, and there is no second eviction",
        "c": "its quota is released when the pods are gone",
    },
)
def test_first_reason_stays(kueue_cluster, first, second):
    queue = kueue_cluster.make_queue(checks=1)
    workload, check = queue.submit_until("admitted"), queue.checks[0]
    kueue_cluster.release.pods_are_held = True
    causes = {
        "drained": queue.hold_and_drain,
        "deactivated": workload.deactivate,
        "retried": lambda: check.answer(workload, "Retry"),
        "rejected": lambda: check.answer(workload, "Rejected"),
    }

    causes[first]()
    within("evict", workload.is_evicted, clause="a")
    evicted = workload.condition("Evicted")
    causes[second]()

    always(lambda: workload.condition("Evicted") == evicted and workload.was_evicted_times(1), clause="b")
    kueue_cluster.release.pods_are_held = False
    workload.touch()
    within("evict", workload.was_released, clause="c")
    always(lambda: workload.was_evicted_times(1), clause="b")


@scenario(
    "ADM-558",
    "a Workload is evicted once, however long its pods take to end",
    requirement="docs-2024#retry-releases",
    shows="AC-243 AC-315 AC-317 AC-341",
    since="0.19",
    level="should",
    needs=("virtual time",),
    cases=rows(
        "cause reason",
        ("retry", "AdmissionCheck"),
        ("drained", "ClusterQueueStopped"),
        ("unready", "PodsReadyTimeout"),
    ),
    clauses={
        "a": "evicted",
        "b": "not again, for this reason or another",
        "c": "its quota is released when the pods are gone",
    },
)
def test_pods_that_hold_on(kueue_cluster, clock, cause, reason):
    queue = kueue_cluster.make_queue(checks=1)
    workload = queue.submit_until("admitted")
    kueue_cluster.release.pods_are_held = True

    {
        "retry": lambda: queue.checks[0].answer(workload, "Retry"),
        "drained": queue.hold_and_drain,
        "unready": lambda: clock.advance(PODS_IN_TIME_SECONDS),
    }[cause]()
    within("evict", lambda: workload.was_evicted_for(reason), clause="a")
    clock.advance_while(
        2 * PODS_IN_TIME_SECONDS,
        lambda: workload.was_evicted_times(1) and workload.has_reason("Evicted", reason),
        clause="b",
    )
    always(
        lambda: workload.has_eviction_counts({(reason, {"unready": "WaitForStart"}.get(cause, "")): 1}),
        clause="b",
    )
    kueue_cluster.release.pods_are_held = False

    within("evict", workload.was_released, clause="c")


@scenario(
    "ADM-600",
    "a Workload whose node has failed is queued again at once when its Job has stopped, as a preempted one is",
    requirement="kep-993#stop-admitted",
    shows="AC-269 AC-289",
    since="0.19",
    level="should",
    clauses={"a": "its Job is stopped", "b": "it is queued again, for that reason", "c": "and runs again"},
)
def test_failed_nodes(kueue_cluster):
    queue = kueue_cluster.make_queue()
    workload = queue.submit("job")
    job = kueue_cluster.job_of(workload)
    within("admit", job.is_started)
    job.set_pods(active=1)

    workload.set_evicted("NodeFailures")

    within("evict", job.is_suspended, clause="a")
    job.set_pods(active=0)
    within("evict", lambda: workload.had_condition("Requeued", "True", "NodeFailures"), clause="b")
    within("requeue", lambda: workload.was_reserved(2) and job.is_started(), clause="c")

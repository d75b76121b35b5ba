"""ADM: pods of a Job hold its quota in every state that a running pod may have (AC-289, AC-332, Q-311)."""

from kueue_conformance import always, cross, pairwise, scenario, within

PODS = {
    "none-ready": {"active": 3, "ready": 0},
    "some-ready": {"active": 3, "ready": 1},
    "last-not-ready": {"active": 1, "ready": 0},
    "last-not-ready-beside-terminating": {"active": 1, "ready": 0, "terminating": 2},
}
"""The pods of a Job with parallelism 3, by what is left of them."""
# A deactivated Workload is counted no longer, whatever runs.
CAUSES = {
    "retried": lambda queue, workload: queue.checks[0].answer(workload, "Retry"),
    "drained": lambda queue, _: queue.hold_and_drain(),
    "drained-locally": lambda queue, _: queue.hold_and_drain_local(),
    "preempted": lambda queue, _: queue.submit(cpu="3", priority=9),
}


def start_job(kueue_cluster, queue):
    """Start a Job that needs all of the quota, with more completions than it has pods at once."""
    workload = queue.submit_until("admitted", "job", cpu="1", count=3, completions=9)
    job = kueue_cluster.job_of(workload)
    within("admit", job.is_started)
    return workload, job


@scenario(
    "ADM-734",
    "an evicted Job holds its quota while a pod of it is active, ready or not",
    requirement=("docs-2024#retry-releases", "kep-993#reservation-fits-quota"),
    shows="AC-289 AC-332 Q-311",
    needs=("virtual time",),
    since="0.9",
    cases=pairwise(pods=tuple(PODS), cause=tuple(CAUSES)),
    clauses={
        "a": "the Job is suspended, and its Workload is evicted",
        "b": "all of its quota is held as long as a pod is active, and no other Workload gets any",
        "c": "it is free when none is",
    },
)
def test_pods_of_an_evicted_job(kueue_cluster, pods, cause):
    cohort = kueue_cluster.names.name("cohort")
    queue = kueue_cluster.make_queue(
        checks=1, cpu="3", cohortName=cohort, preemption={"withinClusterQueue": "LowerPriority"}
    )
    borrower = kueue_cluster.make_queue(flavors=queue.flavors, cpu="0", cohortName=cohort)
    workload, job = start_job(kueue_cluster, queue)
    job.set_pods(**PODS[pods])

    CAUSES[cause](queue, workload)

    within("evict", lambda: workload.is_evicted() and job.is_suspended(), clause="a")
    waiting = borrower.submit(cpu="1", priority=1)
    always(lambda: workload.has_quota_reserved() and waiting.is_suspended(), clause="b")
    within("settle", lambda: queue.shows_reserved("3"), clause="b")
    job.set_pods(active=0)
    within("evict", workload.was_released, clause="c")


@scenario(
    "ADM-735",
    "a Job that runs holds all of its quota, whatever its pods do",
    requirement="kep-993#reservation-fits-quota",
    shows="AC-115 Q-311",
    needs=("virtual time",),
    since="0.9",
    cases=cross(pods=tuple(PODS)),
    clauses={
        "a": "no other Workload gets any while it runs, and it is counted in full",
        "b": "it is free when the Job has ended",
    },
)
def test_pods_of_a_running_job(kueue_cluster, pods):
    queue = kueue_cluster.make_queue(cpu="3")
    workload, job = start_job(kueue_cluster, queue)
    job.set_pods(**PODS[pods])

    waiting = queue.submit(cpu="1")

    always(lambda: waiting.is_suspended() and workload.is_admitted() and job.is_started(), clause="a")
    within("settle", lambda: queue.shows_reserved("3") and queue.shows_used("3"), clause="a")
    job.set_pods(active=0)
    workload.finish()
    within("requeue", waiting.is_admitted, clause="b")

"""ADM: Jobs that belong to Jobs: the topmost one that Kueue manages has the Workload (AC-331, AC-335)."""

from kueue_conformance import always, cross, scenario, within

WITH, WITHOUT = "with", "without"
FAMILIES = {
    # From the top to the bottom: whether the Job names a LocalQueue; the place of the one with the Workload.
    (WITH, WITHOUT): 0,
    (WITH, WITH): 0,
    (WITH, WITHOUT, WITHOUT): 0,
    (WITH, WITHOUT, WITH): 0,
    (WITH, WITH, WITHOUT): 0,
    (WITH, WITH, WITH): 0,
    (WITH, WITHOUT, WITHOUT, WITHOUT): 0,
    (WITH, WITHOUT, WITHOUT, WITH): 0,
    (WITHOUT, WITH, WITHOUT): 1,
    (WITHOUT, WITH, WITHOUT, WITH): 1,
}


@scenario(
    "ADM-736",
    "of Jobs that control Jobs the topmost one with a queue has a Workload, and those below run while that is admitted",
    requirement=("kep-993#every-check-required", "kueue-api#owners"),
    shows="AC-331 AC-335",
    since="0.19",
    also=("kep993",),
    cases=cross(queues=tuple(FAMILIES)),
    clauses={
        "a": "the topmost one with a queue has the only Workload",
        "b": "the one at the bottom is suspended while that is not admitted",
        "c": "it runs when it is, and quota is counted once",
        "d": "the next one at the bottom is suspended when it is evicted",
    },
)
def test_jobs_of_jobs(kueue_cluster, queues):
    queue = kueue_cluster.make_queue(checks=1)
    jobs = kueue_cluster.make_family([{WITH: queue, WITHOUT: None}[level] for level in queues])
    workloads = [kueue_cluster.workload_of(job) for job in jobs]
    workload = workloads.pop(FAMILIES[queues])
    parent, bottom = jobs[-2:]
    within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(*queue.checks), clause="a")

    bottom.unsuspend()

    within("react", bottom.is_suspended, clause="b")
    always(lambda: all(other.is_gone() for other in workloads) and bottom.is_suspended(), clause="b")
    queue.admit(workload)
    bottom.unsuspend()
    within("settle", lambda: queue.shows_reserved("1"), clause="c")
    always(lambda: bottom.is_started() and queue.shows_reserved("1"), clause="c")
    workload.deactivate()
    within("evict", workload.is_rejected)
    next_one = kueue_cluster.make_job_of(parent.object, suspend=False)
    within("react", next_one.is_suspended, clause="d")
    always(next_one.is_suspended, clause="d")


@scenario(
    "ADM-737",
    "a Job that no Job of Kueue's controls has a Workload of its own, and runs when that is admitted",
    requirement=("kep-993#every-check-required", "kueue-api#owners"),
    shows="AC-331 AC-335",
    since="0.19",
    also=("kep993",),
    cases=cross(
        owner=(
            "managed-job-that-does-not-control-it",
            "namesake-of-another-kind",
            "namesake-in-another-namespace",
        )
    ),
    clauses={
        "a": "it has a Workload of its own, and waits for the check of its queue",
        "b": "it runs when that has passed, though the other Job is not admitted",
    },
)
def test_job_of_no_job(kueue_cluster, owner):
    queue = kueue_cluster.make_queue(checks=1)
    other = kueue_cluster.make_namesake_of(queue)
    unmanaged = kueue_cluster.make_job_of(None)
    managed = kueue_cluster.make_job_of(None, other, name=unmanaged.name, namespace=other.namespace)
    job = {
        "managed-job-that-does-not-control-it": lambda: kueue_cluster.make_job_of(
            kueue_cluster.make_job_of(None, queue).object, queue, controller=False
        ),
        "namesake-of-another-kind": lambda: kueue_cluster.make_job_of(
            kueue_cluster.make_pod_template_named(kueue_cluster.make_job_of(None, queue).name), queue
        ),
        "namesake-in-another-namespace": lambda: kueue_cluster.make_job_of(unmanaged.object, queue),
    }[owner]()
    workload = kueue_cluster.workload_of(job)
    within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(*queue.checks), clause="a")
    always(lambda: job.is_suspended() and workload.is_owned_by_its_job(), clause="a")

    queue.admit(workload)

    within("admit", job.is_started, clause="b")
    always(lambda: job.is_started() and workload.is_admitted() and managed.is_suspended(), clause="b")

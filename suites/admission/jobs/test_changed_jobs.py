"""ADM: Jobs that are changed while their Workloads hold quota (AC-331,
AC-335; KEP-993, "a Workload … of a Job").
"""

from kueue_conformance import always, pairwise, scenario, within

STAGES = ("prechecked", "admitted")


@scenario(
    "ADM-447",
    "a Job that is scaled up while its Workload holds quota is stopped, and starts again with a Workload that fits it",
    requirement=("kep-993#reservation-fits-quota", "kep-993#every-check-required"),
    shows="AC-331 AC-335",
    cases=pairwise(stage=STAGES),
    clauses={
        "a": "another Workload takes the place of the one that no longer matches",
        "b": "it asks for what the Job asks for now, and is the only one",
        "c": "the Job does not run before its check has passed",
        "d": "it runs then",
    },
)
def test_changed_job_begins_anew(kueue_cluster, stage):
    queue = kueue_cluster.make_queue(checks=1)
    workload = queue.submit_until(stage, "job", cpu="1", count=1, completions=4)
    job = kueue_cluster.job_of(workload)
    within("settle", job.is_started if stage == "admitted" else job.is_suspended)

    job.set_parallelism(2)

    within("requeue", lambda: workload.was_recreated() and workload.is_prechecked(), clause="a")
    always(lambda: workload.has_pod_sets(main=2) and workload.is_the_only_one(), clause="b")
    within("settle", lambda: queue.shows_reserved("2") and queue.shows_counts(reserving=1), clause="b")
    always(job.is_suspended, clause="c")
    within("settle", lambda: workload.lists_checks(*queue.checks))
    queue.checks[0].answer(workload, "Ready")
    within("admit", lambda: workload.is_admitted() and job.is_started(), clause="d")
    always(lambda: job.has_parallelism(2), clause="d")

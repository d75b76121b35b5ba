"""ADM: what a release does with Jobs against its documents, each beside what later releases do."""

from kueue_conformance import always, either, scenario, within


@scenario(
    "ADM-640",
    "a Job with more parallelism than completions releases the quota of ended pods, or of all pods",
    requirement="kueue-api#quirks",
    shows="BUG-158 AC-115 Q-083 KV-57",
    since="0.19",
    level="may",
    needs=("virtual time",),
    clauses={
        "a": "the quota that is released beside the running pods",
        "b": "the rest when they have ended",
    },
)
def test_more_parallelism_than_completions(kueue_cluster, clock):
    queue = kueue_cluster.make_queue(cpu="3")
    workload = queue.submit("job", cpu="1", count=5, completions=3)
    job = kueue_cluster.job_of(workload)
    within("admit", job.is_started)
    small, large = queue.submit(cpu="1", priority=1), queue.submit(cpu="2")
    always(lambda: small.is_suspended() and large.is_suspended())

    job.set_pods(active=2, succeeded=1)

    within("requeue", small.is_admitted, clause="a")
    clock.advance_budget("react")
    either(
        "requeue",
        {
            "what runs keeps its quota": lambda: queue.shows_reserved("3") and large.is_suspended(),
            "nothing keeps quota": large.is_admitted,
        },
        until={"nothing keeps quota": "<0.19.6, 0.20.0"},
        clause="a",
    )
    job.set_pods(active=0, succeeded=3)
    within("requeue", large.is_admitted, clause="b")


@scenario(
    "ADM-641",
    "an eviction ends although more pods are reclaimable than the Job reports, or once the Job reports as many",
    requirement="kueue-api#quirks",
    shows="BUG-159 AC-115 AC-289",
    since="0.19",
    level="may",
    needs=("virtual time", "webhooks"),
    clauses={
        "a": "it ends, or the Job continues to run",
        "b": "it ends, and another Workload gets the quota",
    },
)
def test_eviction_beside_too_many_reclaimable_pods(kueue_cluster, clock):
    queue = kueue_cluster.make_queue(cpu="3")
    workload = queue.submit("job", cpu="1", count=3)
    job = kueue_cluster.job_of(workload)
    within("admit", job.is_started)
    job.set_pods(active=3)
    workload.set_reclaimable_pods(2)
    within("settle", lambda: queue.shows_reserved("1"))

    queue.hold_and_drain()

    within("evict", workload.is_evicted, clause="a")
    clock.advance_budget("react")
    either(
        "evict",
        {
            "it ends": job.is_suspended,
            "it does not end": lambda: job.is_started() and workload.has_quota_reserved(),
        },
        clause="a",
    )
    job.set_pods(active=0, succeeded=2)
    within("evict", lambda: job.is_stopped() and workload.is_suspended(), clause="b")
    within("settle", lambda: queue.shows_reserved("0"), clause="b")


@scenario(
    "ADM-643",
    "the quota of a Job that is being deleted is free when the Job is removed, or at once",
    requirement="kueue-api#quirks",
    shows="BUG-164 AC-297 KV-38",
    since="0.19",
    gates=("FinishOrphanedWorkloads",),
    level="may",
    needs=("virtual time",),
    clauses={"a": "whether its pods keep their quota while it is deleted", "b": "then it is free"},
)
def test_job_is_deleted_while_its_pods_run(kueue_cluster, clock):
    queue = kueue_cluster.make_queue(cpu="1")
    workload = queue.submit("job", cpu="1")
    job = kueue_cluster.job_of(workload)
    within("admit", job.is_started)
    job.set_pods(active=1)
    job.add_foreign_finalizer()
    waiting = queue.submit(cpu="1", priority=1)
    within("settle", lambda: waiting.has_condition("QuotaReserved", "False"))

    workload.delete()

    clock.advance_budget("requeue")
    either(
        "requeue",
        {
            "quota is free": lambda: workload.is_finished() and waiting.is_admitted(),
            "quota is kept": lambda: workload.is_admitted() and waiting.is_suspended(),
        },
        until={"quota is free": "<0.19.5, 0.20.0"},
        clause="a",
    )
    job.remove_foreign_finalizer()
    within("requeue", waiting.is_admitted, clause="b")


@scenario(
    "ADM-644",
    "a Job runs beside a Workload that refers to it and has no controller, or when that is deleted",
    requirement="kueue-api#quirks",
    shows="BUG-165 AC-331 KV-55",
    since="0.19",
    level="may",
    clauses={"a": "it runs, or is not reconciled", "b": "then it runs"},
)
def test_job_beside_a_workload_without_a_controller(kueue_cluster, clock):
    queue = kueue_cluster.make_queue(checks=1)
    foreign, workload = queue.submit(), queue.submit_until("prechecked", "job")
    job = kueue_cluster.job_of(workload)
    foreign.add_reference_to(job)
    clock.advance_budget("react")

    queue.checks[0].answer(workload, "Ready")

    within("admit", workload.is_admitted)
    clock.advance_budget("react")
    observed = either(
        "settle",
        {
            "it runs": lambda: job.is_started() and foreign.exists(),
            "nothing is done": lambda: workload.is_admitted() and job.is_suspended(),
        },
        until={"nothing is done": "<0.19.5, 0.20.0"},
        clause="a",
    )
    if observed == "nothing is done":
        foreign.delete()
    within("requeue", job.is_started, clause="b")

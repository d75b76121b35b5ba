"""ADM: Jobs that are being deleted (AC-296, AC-297; KEP-993, "only as many pods … as fit")."""

from kueue_conformance import always, scenario, within


@scenario(
    "ADM-700",
    "under the KEP a Job that is being deleted keeps its quota until its pods have ended and it is removed",
    requirement="kep-993#reservation-fits-quota",
    shows="AC-297 BUG-164",
    only=("kep993",),
    needs=("virtual time",),
    clauses={
        "a": "while pods run, its Workload is not Finished and no other gets the quota",
        "b": "when the Job is gone, the quota is free",
    },
)
def test_job_keeps_its_quota_while_it_is_deleted(kueue_cluster):
    queue = kueue_cluster.make_queue(cpu="1")
    workload = queue.submit_until("admitted", "job", cpu="1")
    job = kueue_cluster.job_of(workload)
    within("admit", job.is_started)
    job.set_pods(active=1)
    job.add_foreign_finalizer()
    waiting = queue.submit(cpu="1", priority=1)

    workload.delete()

    always(lambda: workload.is_finished().negate() and waiting.is_suspended(), clause="a")
    within("settle", lambda: queue.shows_reserved("1"), clause="a")
    job.set_pods(active=0)
    job.remove_foreign_finalizer()
    within("requeue", waiting.is_admitted, clause="b")

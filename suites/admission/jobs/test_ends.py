"""ADM: what ends, or is deleted, while something else is under way (AC-289, AC-296, AC-330, AC-332)."""

from kueue_conformance import always, pairwise, scenario, within


@scenario(
    "ADM-720",
    "a Job that ends while its Workload is evicted is Finished, and its quota is free",
    requirement=("kep-993#reservation-fits-quota", "kueue-api#ends"),
    shows="AC-289 AC-296 AC-330 AC-332",
    since="0.9",
    needs=("virtual time",),
    cases=pairwise(end=("Succeeded", "Failed"), cause=("retried", "drained", "deactivated")),
    clauses={
        "a": "its Workload is Finished, with the reason of the Job's end",
        "b": "its quota is free, and it is not started again",
    },
)
def test_job_ends_while_it_is_evicted(kueue_cluster, end, cause):
    queue = kueue_cluster.make_queue(checks=1)
    workload = queue.submit_until("admitted", "job", cpu="1")
    job = kueue_cluster.job_of(workload)
    within("admit", job.is_started)
    job.set_pods(active=1)
    {
        "retried": lambda: queue.checks[0].answer(workload, "Retry"),
        "drained": queue.hold_and_drain,
        "deactivated": workload.deactivate,
    }[cause]()
    within("evict", lambda: workload.is_evicted() and job.is_suspended())

    {"Succeeded": workload.finish, "Failed": lambda: job.fail("too many retries")}[end]()

    within("settle", lambda: workload.has_condition("Finished", "True", end), clause="a")
    within("settle", lambda: queue.shows_reserved("0") and queue.shows_counts(reserving=0), clause="b")
    always(lambda: workload.reservation_count() == 1, clause="b")


@scenario(
    "ADM-760",
    "a Job that ends when its Workload has lost its quota already is Finished, and is not started again",
    requirement="kueue-api#ends",
    shows="AC-296 AC-330",
    since="0.9",
    needs=("virtual time",),
    cases=pairwise(end=("Succeeded", "Failed"), cause=("drained", "deactivated")),
    clauses={
        "a": "its Workload is Finished, with the reason of the Job's end",
        "b": "no quota is reserved for it",
    },
)
def test_job_ends_when_its_quota_is_free(kueue_cluster, end, cause):
    queue = kueue_cluster.make_queue(checks=1)
    workload = queue.submit_until("admitted", "job")
    job = kueue_cluster.job_of(workload)
    within("admit", job.is_started)
    stop, resume = {
        "drained": (queue.hold_and_drain, queue.resume),
        "deactivated": (workload.deactivate, workload.reactivate),
    }[cause]
    stop()
    within("evict", lambda: workload.was_released() and job.is_stopped())

    {"Succeeded": workload.finish, "Failed": lambda: job.fail("too many retries")}[end]()

    within("settle", lambda: workload.has_condition("Finished", "True", end), clause="a")
    resume()
    always(lambda: workload.reservation_count() == 1, clause="b")


@scenario(
    "ADM-721",
    "a Workload that is being deleted holds its quota until it is gone",
    requirement="kep-993#reservation-fits-quota",
    shows="AC-296 Q-311",
    cases=pairwise(stage=("prechecked", "admitted")),
    clauses={
        "a": "no other Workload gets it while a finalizer holds the Workload",
        "b": "another one gets it when the Workload is gone",
    },
)
def test_workload_holds_quota_while_it_is_deleted(kueue_cluster, stage):
    queue = kueue_cluster.make_queue(checks=1, cpu="1")
    workload = queue.submit_until(stage, cpu="1")
    workload.add_foreign_finalizer()
    waiting = queue.submit(cpu="1")

    workload.delete()

    always(lambda: workload.has_quota_reserved() and waiting.is_suspended(), clause="a")
    within("settle", lambda: queue.shows_reserved("1") and queue.shows_counts(reserving=1), clause="a")
    workload.remove_foreign_finalizer()
    within("requeue", waiting.is_prechecked, clause="b")

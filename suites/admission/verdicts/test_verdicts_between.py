"""ADM: verdicts that are written between a read and a write of Kueue's (AC-359, AC-370, AC-373)."""

from collections.abc import Callable
from typing import NamedTuple

from kueue_conformance import always, cross, scenario, within


def answer_ready(queue, workload, _):
    """Have every check answer Ready, so that the Workload is admitted."""
    for check in queue.checks:
        check.answer(workload, "Ready")


def answer_retry(queue, workload, _):
    """Have the first check answer Retry, so that the Workload is evicted."""
    queue.checks[0].answer(workload, "Retry")


def add_a_check(queue, _workload, stage):
    """Require one more check, so that the list of checks changes."""
    queue.set_checks(*queue.checks, stage.make_check())


def have_pods_ready(_queue, workload, stage):
    """Have all pods ready, so that PodsReady changes."""
    stage.job_of(workload).set_pods(active=3)


def have_a_pod_succeed(_queue, workload, stage):
    """Have a pod succeed that needs no successor, so that it is reclaimable."""
    stage.job_of(workload).set_pods(active=2, ready=0, succeeded=1)


def evict_with_pods(queue, workload, stage):
    """Have a Job evicted that has pods left."""
    job = stage.job_of(workload)
    within("admit", job.is_started)
    job.set_pods(active=3, ready=0)
    answer_retry(queue, workload, stage)
    within("evict", lambda: workload.is_evicted() and job.is_suspended())


def have_no_pods(_queue, workload, stage):
    """Have no pods left, so that the Workload of an evicted Job is released."""
    stage.job_of(workload).set_pods(active=0)


def drain(queue, workload, _):
    """Have the Workload evicted, and leave no quota that it could get again."""
    queue.hold_and_drain()
    within("evict", workload.was_released)
    queue.set_quota("0")


def resume(queue, _workload, _stage):
    """Resume the queue, so that its Workloads are Requeued."""
    queue.resume()


class KueueWrite(NamedTuple):
    """A write of a Workload's status: what comes before it and what causes it, and the verdict of the second
    check meanwhile.
    """

    cause: Callable[..., None]
    verdict: str
    form: str = "workload"
    stage: str = "prechecked"
    before: Callable[..., None] = lambda *_: None


WRITES = {
    "admission-and-Retry": KueueWrite(answer_ready, "Retry"),
    "admission-and-Rejected": KueueWrite(answer_ready, "Rejected"),
    "eviction-and-Rejected": KueueWrite(answer_retry, "Rejected", stage="admitted"),
    "eviction-before-admission-and-Rejected": KueueWrite(answer_retry, "Rejected"),
    "list-and-Ready": KueueWrite(add_a_check, "Ready"),
    "pods-ready-and-Retry": KueueWrite(have_pods_ready, "Retry", "job", "admitted"),
    "reclaimable-pods-and-Retry": KueueWrite(have_a_pod_succeed, "Retry", "job", "admitted"),
    "release-and-Ready": KueueWrite(have_no_pods, "Ready", "job", "admitted", evict_with_pods),
    "requeue-and-Ready": KueueWrite(resume, "Ready", stage="admitted", before=drain),
}
EFFECTS = {
    "Ready": lambda queue, workload: workload.has_states("Ready", queue.checks[1]),
    "Retry": lambda _, workload: workload.was_evicted_by_a_check(),
    "Rejected": lambda _, workload: workload.was_rejected_by_a_check(),
}


@scenario(
    "ADM-738",
    "a verdict counts that is written while Kueue writes the status of its Workload",
    requirement=("kep-993#best-effort-decisions", "kep-993#every-check-required"),
    shows="AC-359 AC-370 AC-373",
    level="must",
    since="0.19",
    needs=("faults of Kueue", "virtual time"),
    cases=cross(write=tuple(WRITES)),
    clauses={"a": "the write is under way", "b": "the verdict is not lost, and takes effect"},
)
def test_verdict_during_a_write(kueue_cluster, controller_faults, write):
    cause, verdict, form, stage, before = WRITES[write]
    queue = kueue_cluster.make_queue(checks=2)
    workload = queue.submit_until(stage, form, **({"count": 3} if form == "job" else {}))
    before(queue, workload, kueue_cluster)
    controller_faults.slow_verdicts_down(budget="late", times=1)

    cause(queue, workload, kueue_cluster)
    within("react", controller_faults.have_struck, clause="a")
    queue.checks[1].answer(workload, verdict)

    within("evict", lambda: EFFECTS[verdict](queue, workload), clause="b")
    always(lambda: EFFECTS[verdict](queue, workload), clause="b")

"""The next step of a Job (AC-330…336)."""

from __future__ import annotations

from typing import Any

import pytest

from reference_impl.kueue.jobs.decide import decide, stop_unadmitted
from reference_impl.kueue.jobs.legacy_v0_6 import V0_6_ORDER
from reference_impl.kueue.jobs.ownership import is_controlled_by, refers_to
from reference_impl.kueue.jobs.priority import NO_PRIORITY, JobPriority
from reference_impl.kueue.jobs.snapshot import JobSnapshot
from reference_impl.kueue.jobs.steps import (
    Await,
    CreateWorkload,
    DeleteWorkloads,
    Evict,
    Finish,
    ForgetWorkload,
    NoAction,
    RecordEvent,
    Release,
    ReplaceWorkload,
    SetPodsReady,
    SetReclaimable,
    Start,
    Stop,
)
from reference_impl.kueue.workload.view import GATE_ANNOTATION

from .objects import ADMITTED, EVICTED, FINISHED, RESERVED, job, snapshot, workload

FLEXIBLE = {"kueue.x-k8s.io/job-min-parallelism": "1"}
WAITING, RUNNING = job(), job(suspend=False)
DONE = {"conditions": [{"type": "Complete", "status": "True", "message": "done"}]}
FAILED = {"conditions": [{"type": "Failed", "status": "True", "message": "broke"}]}
DELETING = {"deletionTimestamp": "2026-01-01T00:00:00Z"}


def says(state: str, message: str) -> Any:
    return {"name": "a", "state": state, "message": message, "lastTransitionTime": "2026-01-01T00:00:00Z"}


def gate_by(gates: str) -> Any:
    return {"annotations": {"own": "1", GATE_ANNOTATION: gates}}


STEPS = {
    "AC-331 no Workload yet": (snapshot(WAITING), CreateWorkload),
    "AC-333 admitted": (snapshot(WAITING, workload(WAITING, RESERVED, ADMITTED)), Start),
    "AC-335 runs without admission": (snapshot(RUNNING, workload(RUNNING, RESERVED)), Stop),
    "AC-335 runs while a check says something": (
        snapshot(RUNNING, workload(RUNNING, RESERVED, admissionChecks=[says("Pending", "eta 5m")])),
        Stop,
    ),
    "AC-332 evicted while it runs": (snapshot(RUNNING, workload(RUNNING, RESERVED, ADMITTED, EVICTED)), Stop),
    "AC-289 evicted and stopped": (snapshot(WAITING, workload(WAITING, RESERVED, EVICTED)), Release),
    "AC-332 evicted, pods left": (
        snapshot(job(status={"active": 1}), workload(WAITING, RESERVED, EVICTED)),
        NoAction,
    ),
    "AC-289 released already": (snapshot(WAITING, workload(WAITING, EVICTED)), NoAction),
    "AC-330 succeeded": (snapshot(job(status=DONE), workload(WAITING, RESERVED, ADMITTED)), Finish),
    "AC-330 failed": (snapshot(job(status=FAILED), workload(WAITING, RESERVED, ADMITTED)), Finish),
    "AC-330 finished without a Workload": (snapshot(job(suspend=False, status=DONE)), NoAction),
    "AC-330 Workload finished": (snapshot(WAITING, workload(WAITING, FINISHED)), ForgetWorkload),
    "AC-330 finished and let go": (
        snapshot(WAITING, workload(WAITING, FINISHED, metadata={"finalizers": []})),
        NoAction,
    ),
    "AC-330 Workload deleted, runs": (snapshot(RUNNING, workload(RUNNING, metadata=DELETING)), Stop),
    "AC-330 Workload deleted, stopped": (
        snapshot(WAITING, workload(WAITING, metadata=DELETING)),
        ForgetWorkload,
    ),
    "AC-331 Job changed while it waits": (snapshot(job(count=2), workload(WAITING)), ReplaceWorkload),
    "AC-331 Job changed while reserved": (
        snapshot(job(count=2), workload(WAITING, RESERVED)),
        DeleteWorkloads,
    ),
    "AC-331 another minimum while it waits": (
        snapshot(job(count=3, annotations=FLEXIBLE), workload(job(count=3))),
        ReplaceWorkload,
    ),
    "AC-331 the pods were changed while reserved": (
        snapshot(job(pod={"containers": []}), workload(WAITING, RESERVED)),
        DeleteWorkloads,
    ),
    "AC-331 two Workloads": (
        snapshot(WAITING, workload(WAITING), workload(WAITING, metadata={"name": "other"})),
        DeleteWorkloads,
    ),
    "AC-334 moved to another queue": (
        snapshot(WAITING, workload(WAITING, spec={"queueName": "other"})),
        ReplaceWorkload,
    ),
    "C-29 moved to another queue while reserved": (
        snapshot(WAITING, workload(WAITING, RESERVED, spec={"queueName": "other"})),
        ReplaceWorkload,
    ),
    "C-20 sent back before it ran": (snapshot(WAITING, workload(WAITING, RESERVED, EVICTED)), Release),
    "AC-286 a check says something": (
        snapshot(WAITING, workload(WAITING, RESERVED, admissionChecks=[says("Pending", "eta 5m")])),
        RecordEvent,
    ),
    "AC-115 a pod is done": (
        snapshot(
            job(count=3, suspend=False, status={"succeeded": 1}), workload(job(count=3), RESERVED, ADMITTED)
        ),
        SetReclaimable,
    ),
    "Q-085 runs with fewer pods": (
        snapshot(
            job(count=1, suspend=False, annotations=FLEXIBLE),
            workload(job(count=3, annotations=FLEXIBLE), RESERVED, ADMITTED),
        ),
        type(None),
    ),
    "AC-272 pods are ready": (
        snapshot(job(suspend=False, status={"ready": 1}), workload(WAITING, RESERVED, ADMITTED)),
        SetPodsReady,
    ),
}


@pytest.mark.parametrize(("present", "step"), STEPS.values(), ids=STEPS.keys())
def test_next_step(present: JobSnapshot, step: type) -> None:
    assert isinstance(decide(present), step)


WRITTEN_OTHERWISE = {"name": "c", "image": "i", "resources": {"requests": {"cpu": "1000m"}, "limits": {}}}
AT_REST = {
    "waits in its queue": snapshot(WAITING, workload(WAITING)),
    "its amounts are written otherwise": snapshot(
        WAITING, workload(job(pod={"containers": [WRITTEN_OTHERWISE]}))
    ),
    "runs admitted": snapshot(RUNNING, workload(RUNNING, RESERVED, ADMITTED)),
    "check has nothing to say": snapshot(
        WAITING, workload(WAITING, RESERVED, admissionChecks=[says("Pending", "")])
    ),
    "C-29 runs, and names another queue": snapshot(
        RUNNING, workload(RUNNING, RESERVED, ADMITTED, spec={"queueName": "other"})
    ),
    "runs, and names no gate": snapshot(
        RUNNING, workload(RUNNING, RESERVED, ADMITTED, metadata=gate_by("a.io/x"))
    ),
    "a check speaks without a reservation": snapshot(
        WAITING, workload(WAITING, admissionChecks=[says("Pending", "eta 5m")])
    ),
    "only a Ready check speaks": snapshot(
        WAITING, workload(WAITING, RESERVED, admissionChecks=[says("Ready", "ok")])
    ),
}


@pytest.mark.parametrize("present", AT_REST.values(), ids=AT_REST.keys())
def test_nothing_to_do(present: JobSnapshot) -> None:
    assert decide(present) is None


@pytest.mark.parametrize(("on_job", "on_workload"), [("", "a.io/x"), ("a.io/x", "a.io/x,b.io/y")])
def test_the_gates_of_the_job_are_those_of_its_workload(on_job: str, on_workload: str) -> None:
    """VIS-508: a gate that is opened on the Job no longer holds the Workload back."""
    gated, opened = (
        job(annotations={GATE_ANNOTATION: gate} if gate else {}) for gate in (on_workload, on_job)
    )

    step = decide(snapshot(opened, workload(gated)))

    assert isinstance(step, ReplaceWorkload)
    assert step.object["metadata"]["annotations"].get(GATE_ANNOTATION, "") == on_job


def test_priority_class_follows_the_label() -> None:
    """AC-180: the Job hears of it."""
    labelled = job(labels={"kueue.x-k8s.io/priority-class": "high"})
    priority = JobPriority(5, "kueue.x-k8s.io", "WorkloadPriorityClass", "high")

    step = decide(JobSnapshot.of(labelled, [workload(labelled)], priority, waits_for_pods=True))

    assert isinstance(step, ReplaceWorkload)
    assert (step.object["spec"]["priority"], step.object["spec"]["priorityClassRef"]["name"]) == (5, "high")


HIGH = JobPriority(5, "kueue.x-k8s.io", "WorkloadPriorityClass", "high")
GATED = workload(WAITING, metadata=gate_by("a.io/x,b.io/y,c.io/z"))
EDITS = {
    "AC-180 another priority class": (
        job(labels={"kueue.x-k8s.io/priority-class": "high"}),
        workload(WAITING),
        {"spec": {**workload(WAITING).spec, **HIGH.fields}},
    ),
    "AC-334 another queue": (
        job(labels={"kueue.x-k8s.io/queue-name": "other"}),
        workload(WAITING),
        {"spec": {**workload(WAITING).spec, "queueName": "other"}},
    ),
    "VIS-508 one of three gates is opened": (
        job(annotations={GATE_ANNOTATION: "c.io/z,a.io/x"}),
        GATED,
        {"metadata": {**GATED.metadata, **gate_by("a.io/x,c.io/z")}},
    ),
}


@pytest.mark.parametrize(("of", "stored", "edited"), EDITS.values(), ids=EDITS)
def test_a_workload_that_follows_its_job_keeps_everything_else(of: Any, stored: Any, edited: Any) -> None:
    step = decide(JobSnapshot.of(of, [stored], HIGH, waits_for_pods=True))

    assert isinstance(step, ReplaceWorkload)
    assert step.object == {**stored.object, **edited}


def test_of_several_workloads_that_do_not_fit_the_first_is_brought_up_to_date_ac_331() -> None:
    first, second = (workload(WAITING, metadata={"name": name}) for name in ("first", "second"))

    step = decide(snapshot(job(count=2), first, second))

    assert isinstance(step, ReplaceWorkload)
    assert (step.object["metadata"]["name"], step.object["spec"]["podSets"][0]["count"]) == ("first", 2)


def test_a_job_hears_what_each_check_says_ac_286() -> None:
    checks = [says("Pending", "eta 5m"), says("Ready", "ok"), {**says("Pending", "soon"), "name": "b"}]

    step = decide(snapshot(WAITING, workload(WAITING, RESERVED, admissionChecks=checks)))

    assert step == RecordEvent("UpdatedAdmissionCheck", "a: eta 5m; b: soon")


def test_a_gate_that_the_workload_no_longer_has_is_not_put_back() -> None:
    assert decide(snapshot(job(annotations={GATE_ANNOTATION: "a.io/x"}), workload(job()))) is None


OUTCOMES = {"Complete": (DONE, "Succeeded", "done"), "Failed": (FAILED, "Failed", "broke")}


@pytest.mark.parametrize(("status", "reason", "message"), OUTCOMES.values(), ids=OUTCOMES.keys())
def test_outcome_reaches_the_workload(status: Any, reason: str, message: str) -> None:
    step = decide(snapshot(job(status=status), workload(WAITING)))

    assert isinstance(step, Finish)
    assert (step.reason, step.message) == (reason, message)


def test_v0_6_evicts_only_running_jobs_that_were_deactivated() -> None:
    """AC-337, D-10."""
    inactive = {"active": False}
    running = decide(snapshot(RUNNING, workload(RUNNING, RESERVED, ADMITTED, spec=inactive)), V0_6_ORDER)
    waiting = decide(snapshot(WAITING, workload(WAITING, spec=inactive)), V0_6_ORDER)

    assert isinstance(running, Evict)
    assert running.why.reason == "InactiveWorkload"
    assert waiting is None


@pytest.mark.parametrize("inactive", [{}, {"active": False}], ids=["evicted", "deactivated, evicted"])
def test_v0_6_stops_what_was_evicted_already(inactive: Any) -> None:
    """AC-337."""
    evicted = workload(RUNNING, RESERVED, ADMITTED, EVICTED, spec=inactive)

    assert isinstance(decide(snapshot(RUNNING, evicted), V0_6_ORDER), Stop)


ACTIVE = STEPS | {why: (present, type(None)) for why, present in AT_REST.items()}


@pytest.mark.parametrize(("present", "step"), ACTIVE.values(), ids=ACTIVE)
def test_v0_6_decides_the_same_where_nothing_was_deactivated_ac_337(present: JobSnapshot, step: type) -> None:
    assert isinstance(decide(present, V0_6_ORDER), step)


STOPS = {
    "Workload is deleted": workload(RUNNING, RESERVED, ADMITTED, metadata=DELETING),
    "Not admitted by cluster queue": workload(RUNNING, RESERVED),
    EVICTED["message"]: workload(RUNNING, RESERVED, ADMITTED, EVICTED),
}


@pytest.mark.parametrize(("why", "stored"), STOPS.items(), ids=STOPS)
def test_a_job_is_told_why_it_stops(why: str, stored: Any) -> None:
    step = decide(snapshot(RUNNING, stored))

    assert isinstance(step, Stop)
    assert step.message == why


UNMATCHED = {
    "none": ((), "Missing Workload; unable to restore pod templates"),
    "one of other counts": (
        (3,),
        "No matching Workload; restoring pod templates according to existent Workload",
    ),
    "two of other counts": ((3, 4), "Missing Workload; unable to restore pod templates"),
}


@pytest.mark.parametrize(("counts", "why"), UNMATCHED.values(), ids=UNMATCHED)
def test_a_job_that_runs_without_a_workload_that_fits_is_stopped(counts: tuple[int, ...], why: str) -> None:
    step = decide(snapshot(RUNNING, *(workload(job(count=count), RESERVED) for count in counts)))

    assert isinstance(step, Stop)
    assert step.message == why


@pytest.mark.parametrize(("waits", "step"), [(True, SetPodsReady), (False, type(None))], ids=["on", "off"])
def test_pods_are_waited_for_only_where_that_is_configured(waits: bool, step: type) -> None:
    """AC-272."""
    running = job(suspend=False, status={"ready": 1})
    admitted = workload(RUNNING, RESERVED, ADMITTED)

    assert isinstance(decide(JobSnapshot.of(running, [admitted], NO_PRIORITY, waits_for_pods=waits)), step)


def test_a_job_without_a_workload_is_not_stopped_for_want_of_admission_ac_335() -> None:
    assert stop_unadmitted(snapshot(RUNNING)) is None


def referring(controller: str, uid: str = "other") -> Any:
    """Metadata of a Workload that refers to the Job, and is controlled by another of this name or by none."""
    kind = {"apiVersion": "batch/v1", "kind": "Job"}
    owners = [{**kind, "name": "j", "uid": "job-uid"}]
    if controller:
        owners = [*owners, {**kind, "name": controller, "uid": uid, "controller": True}]
    return {"name": "referring", "ownerReferences": owners}


def test_a_workload_without_a_controller_stops_the_look_bug_165() -> None:
    own, foreign = workload(WAITING, RESERVED, ADMITTED), workload(WAITING, metadata=referring(""))

    assert isinstance(decide(snapshot(WAITING, own, foreign)), Await)
    assert isinstance(decide(snapshot(WAITING, own)), Start)


@pytest.mark.parametrize("conditions", [(), (RESERVED,), (FINISHED,)], ids=["waits", "reserved", "finished"])
def test_the_workload_of_an_earlier_job_is_deleted_ac_331(conditions: Any) -> None:
    earlier = workload(WAITING, *conditions, metadata=referring("j", "earlier"))

    assert decide(snapshot(WAITING, earlier)) == DeleteWorkloads((earlier,))


CONTROLLERS = {"itself": ("j", True), "another": ("other", False), "none": ("", False)}


@pytest.mark.parametrize(("controller", "controlled"), CONTROLLERS.values(), ids=CONTROLLERS)
def test_only_what_a_job_controls_is_its_own_bug_165(controller: str, controlled: bool) -> None:
    present = workload(WAITING, metadata=referring(controller))

    assert refers_to(WAITING.key, present)
    assert is_controlled_by(WAITING.key, present) is controlled

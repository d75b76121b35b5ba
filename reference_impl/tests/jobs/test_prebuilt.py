"""A Job with a prebuilt Workload (C-28)."""

from __future__ import annotations

from dataclasses import replace
from types import NoneType
from typing import Any

import pytest

from reference_impl.kueue.jobs.decide import decide
from reference_impl.kueue.jobs.priority import NO_PRIORITY, PriorityClassMissing
from reference_impl.kueue.jobs.rules import V0_19
from reference_impl.kueue.jobs.snapshot import JobSnapshot
from reference_impl.kueue.jobs.steps import Await, Finish, NoAction, ReplaceWorkload, Start, Stop
from reference_impl.kueue.jobs.workload_construction import describe_containers_and_pod

from .objects import ADMITTED, RESERVED, condition, job, snapshot, workload

NAMED = {"kueue.x-k8s.io/prebuilt-workload-name": "pre"}
DONE = {"conditions": [{"type": "Complete", "status": "True", "message": "done"}]}
WAITING, RUNNING = job(labels=NAMED), job(labels=NAMED, suspend=False)
FREE: Any = {"name": "pre", "ownerReferences": []}
TAKEN: Any = {
    "name": "pre",
    "ownerReferences": [{"kind": "Job", "name": "j2", "uid": "another", "controller": True}],
}

STEPS = {
    "C-28 missing": (snapshot(WAITING), Await),
    "C-28 missing while it runs": (snapshot(RUNNING), Stop),
    "missing and over": (snapshot(job(labels=NAMED, status=DONE)), NoAction),
    "another name": (snapshot(WAITING, workload(WAITING)), Await),
    "free": (snapshot(WAITING, workload(WAITING, metadata=FREE)), ReplaceWorkload),
    "taken": (snapshot(WAITING, workload(WAITING, metadata=TAKEN)), Await),
    "asks for less": (
        snapshot(job(labels=NAMED, count=2), workload(WAITING, metadata={"name": "pre"})),
        Finish,
    ),
    "admitted": (snapshot(WAITING, workload(WAITING, RESERVED, ADMITTED, metadata={"name": "pre"})), Start),
}


@pytest.mark.parametrize(("present", "step"), STEPS.values(), ids=STEPS.keys())
def test_next_step(present: JobSnapshot, step: type) -> None:
    assert isinstance(decide(present), step)


def test_an_adopted_workload_belongs_to_the_job() -> None:
    step = decide(snapshot(WAITING, workload(WAITING, metadata=FREE)))

    assert isinstance(step, ReplaceWorkload)
    metadata = step.object["metadata"]
    assert [
        (owner_reference["name"], owner_reference["controller"])
        for owner_reference in metadata["ownerReferences"]
    ] == [("j", True)]
    assert metadata["labels"]["kueue.x-k8s.io/job-uid"] == "job-uid"


CLASS = job(labels={"kueue.x-k8s.io/priority-class": "gone"})
OF_CLASS: Any = {"priority": 5, "priorityClassRef": {"name": "gone"}}
WITHOUT_CLASS = {
    "C-28 no Workload yet": ([], Await),
    "the Workload is to follow it": ([workload(CLASS)], Await),
    "the Workload has it": ([workload(CLASS, spec=OF_CLASS)], type(None)),
    "the Workload is admitted": ([workload(CLASS, RESERVED, ADMITTED, spec=OF_CLASS)], Start),
    "the Workload is over": ([workload(CLASS, condition("Finished"), metadata={"finalizers": []})], NoAction),
}


@pytest.mark.parametrize(("workloads", "step"), WITHOUT_CLASS.values(), ids=WITHOUT_CLASS.keys())
def test_a_missing_priority_class_stops_only_who_needs_it(workloads: Any, step: type) -> None:
    missing = PriorityClassMissing('WorkloadPriorityClass.kueue.x-k8s.io "gone" not found')

    assert isinstance(decide(JobSnapshot.of(CLASS, workloads, missing, waits_for_pods=True)), step)


def test_a_workload_that_asks_for_something_else_is_given_up_with_a_reason() -> None:
    step = decide(STEPS["asks for less"][0])

    assert isinstance(step, Finish)
    assert (step.reason, step.message) == (
        "OutOfSync",
        "The prebuilt workload is out of sync with its user job",
    )


MESSAGES = {
    "missing while it runs": ("C-28 missing while it runs", "missing workload"),
    "missing": ("C-28 missing", "prebuilt workload not found"),
    "taken": ("taken", "workload ns/pre already belongs to Job j2"),
}


@pytest.mark.parametrize(("case", "message"), MESSAGES.values(), ids=MESSAGES)
def test_what_is_missing_is_said(case: str, message: str) -> None:
    step = decide(STEPS[case][0])

    assert isinstance(step, Await | Stop)
    assert message == (step.missing if isinstance(step, Await) else step.message)


def make_job_with_pod_cpu(cpu: str) -> Any:
    """A Job that names its Workload, whose pods request so much as a whole."""
    return job(labels=NAMED, pod={"resources": {"requests": {"cpu": cpu}}})


@pytest.mark.parametrize(
    ("cpu", "observed", "corrected"),
    [("1", NoneType, NoneType), ("3", NoneType, Finish)],
    ids=["same", "other"],
)
def test_pod_level_resources_are_compared_without_the_defect_bug_162(
    cpu: str, observed: type, corrected: type
) -> None:
    workloads = [workload(make_job_with_pod_cpu("1"), RESERVED, metadata={"name": "pre"})]
    rules = replace(V0_19, describe_pods=describe_containers_and_pod)

    steps = [
        decide(
            JobSnapshot.of(
                make_job_with_pod_cpu(cpu), workloads, NO_PRIORITY, waits_for_pods=False, rules=job_rules
            )
        )
        for job_rules in (V0_19, rules)
    ]

    assert [type(step) for step in steps] == [observed, corrected]

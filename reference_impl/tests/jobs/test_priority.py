"""The priority that the Workload of a Job gets (AC-097, C-28)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from reference_impl.api.resource import Json, Key
from reference_impl.kueue.jobs.decide import follow_priority
from reference_impl.kueue.jobs.priority import (
    NO_PRIORITY,
    JobPriority,
    PriorityClasses,
    PriorityClassMissing,
    follows_label,
)
from reference_impl.kueue.jobs.rules import V0_19
from reference_impl.kueue.jobs.snapshot import JobSnapshot
from reference_impl.kueue.jobs.steps import ReplaceWorkload
from reference_impl.runtime.store import Store

from .objects import RESERVED, job, workload

LABEL = "kueue.x-k8s.io/priority-class"


def classes(**values: Json) -> Store:
    store = Store()
    for name, fields in values.items():
        store.put(Key("", name), {"metadata": {"name": name}, **fields})
    return store


WORKLOAD_CLASSES = {"w": {"value": 7}}
POD_CLASSES = {"p": {"value": 5}}
DEFAULTS = {
    "high": {"value": 9, "globalDefault": True},
    "low": {"value": 3, "globalDefault": True},
    "lowest": {"value": 1},
}
OF_WORKLOAD = JobPriority(7, "kueue.x-k8s.io", "WorkloadPriorityClass", "w")
OF_POD = JobPriority(5, "scheduling.k8s.io", "PriorityClass", "p")
PRIORITIES: dict[str, tuple[dict[str, str], dict[str, str], dict[str, Json], JobPriority]] = {
    "none is named": ({}, {}, POD_CLASSES, NO_PRIORITY),
    "of the pods": ({}, {"priorityClassName": "p"}, POD_CLASSES, OF_POD),
    "of the Workload first": ({LABEL: "w"}, {"priorityClassName": "p"}, POD_CLASSES, OF_WORKLOAD),
    "the lowest default": ({}, {}, DEFAULTS, JobPriority(3, "scheduling.k8s.io", "PriorityClass", "low")),
    "a name counts more than a default": (
        {},
        {"priorityClassName": "high"},
        DEFAULTS,
        JobPriority(9, "scheduling.k8s.io", "PriorityClass", "high"),
    ),
}


@pytest.mark.parametrize(("labels", "pod", "pod_classes", "priority"), PRIORITIES.values(), ids=PRIORITIES)
def test_priority_of_a_job(labels: Any, pod: Any, pod_classes: Any, priority: JobPriority) -> None:
    priority_classes = PriorityClasses(classes(**WORKLOAD_CLASSES), classes(**pod_classes))

    assert priority_classes.of(job(labels=labels, pod=pod)) == priority


MISSING = {
    "of Workloads": ({LABEL: "gone"}, {}, 'WorkloadPriorityClass.kueue.x-k8s.io "gone" not found'),
    "of pods": ({}, {"priorityClassName": "gone"}, 'PriorityClass.scheduling.k8s.io "gone" not found'),
}


@pytest.mark.parametrize(("labels", "pod", "message"), MISSING.values(), ids=MISSING)
def test_a_class_that_is_missing_is_named(labels: Any, pod: Any, message: str) -> None:
    with pytest.raises(PriorityClassMissing) as caught:
        PriorityClasses(classes(), classes()).of(job(labels=labels, pod=pod))

    assert str(caught.value) == message


def test_what_a_workload_is_given() -> None:
    reference = {"group": "kueue.x-k8s.io", "kind": "WorkloadPriorityClass", "name": "w"}

    assert NO_PRIORITY.fields == {"priority": 0}
    assert OF_WORKLOAD.fields == {"priority": 7, "priorityClassRef": reference}


OTHER = JobPriority(9, "kueue.x-k8s.io", "WorkloadPriorityClass", "other")
MENDED = replace(V0_19, follows_label=follows_label)
FOLLOWED = {
    "a class comes while it waits": (NO_PRIORITY, "w", (), OF_WORKLOAD),
    "a class comes while it holds quota": (NO_PRIORITY, "w", (RESERVED,), None),
    "a class comes to that of its pods": (OF_POD, "w", (), None),
    "a class comes to that of its pods while it holds quota": (OF_POD, "w", (RESERVED,), None),
    "another class": (OTHER, "w", (), OF_WORKLOAD),
    "another class while it holds quota": (OTHER, "w", (RESERVED,), OF_WORKLOAD),
    "the class is taken while it waits": (OTHER, "", (), NO_PRIORITY),
    "the class is taken while it holds quota": (OTHER, "", (RESERVED,), None),
    "the same class": (OF_WORKLOAD, "w", (), None),
}


def test_a_class_that_is_taken_while_it_holds_quota_is_tried_in_vain_kv_053() -> None:
    named = job()
    present = workload(named, RESERVED, spec=OTHER.fields)

    steps = [
        follow_priority(JobSnapshot.of(named, [present], NO_PRIORITY, waits_for_pods=True, rules=rules))
        for rules in (V0_19, MENDED)
    ]

    assert [isinstance(step, ReplaceWorkload) for step in steps] == [True, False]


@pytest.mark.parametrize(("had", "name", "conditions", "follows"), FOLLOWED.values(), ids=FOLLOWED)
def test_a_workload_follows_the_class_that_its_job_names_ac_098(
    had: JobPriority, name: str, conditions: Any, follows: JobPriority | None
) -> None:
    named = job(labels={LABEL: name} if name else {})
    priority = OF_WORKLOAD if name else NO_PRIORITY
    present = workload(named, *conditions, spec=had.fields)

    step = follow_priority(JobSnapshot.of(named, [present], priority, waits_for_pods=True, rules=MENDED))

    expected = None if follows is None else {**workload(named).spec, **follows.fields}
    assert (step.object["spec"] if isinstance(step, ReplaceWorkload) else None) == expected

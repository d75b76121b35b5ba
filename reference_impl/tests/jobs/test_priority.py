"""The priority that the Workload of a Job gets (AC-097, C-28)."""

from __future__ import annotations

from typing import Any

import pytest

from reference_impl.api.resource import Json, Key
from reference_impl.kueue.jobs.priority import NO_PRIORITY, Priority, PriorityClasses, PriorityClassMissing
from reference_impl.runtime.store import Store

from .objects import job

LABEL = "kueue.x-k8s.io/priority-class"


def classes(**given: Json) -> Store:
    store = Store()
    for name, fields in given.items():
        store.put(Key("", name), {"metadata": {"name": name}, **fields})
    return store


WORKLOAD_CLASSES = {"w": {"value": 7}}
POD_CLASSES = {"p": {"value": 5}}
DEFAULTS = {
    "high": {"value": 9, "globalDefault": True},
    "low": {"value": 3, "globalDefault": True},
    "lowest": {"value": 1},
}
OF_WORKLOAD = Priority(7, "kueue.x-k8s.io", "WorkloadPriorityClass", "w")
OF_POD = Priority(5, "scheduling.k8s.io", "PriorityClass", "p")
PRIORITIES: dict[str, tuple[dict[str, str], dict[str, str], dict[str, Json], Priority]] = {
    "none is named": ({}, {}, POD_CLASSES, NO_PRIORITY),
    "of the pods": ({}, {"priorityClassName": "p"}, POD_CLASSES, OF_POD),
    "of the Workload first": ({LABEL: "w"}, {"priorityClassName": "p"}, POD_CLASSES, OF_WORKLOAD),
    "the lowest default": ({}, {}, DEFAULTS, Priority(3, "scheduling.k8s.io", "PriorityClass", "low")),
    "a name counts more than a default": (
        {},
        {"priorityClassName": "high"},
        DEFAULTS,
        Priority(9, "scheduling.k8s.io", "PriorityClass", "high"),
    ),
}


@pytest.mark.parametrize(("labels", "pod", "known", "priority"), PRIORITIES.values(), ids=PRIORITIES)
def test_priority_of_a_job(labels: Any, pod: Any, known: Any, priority: Priority) -> None:
    found = PriorityClasses(classes(**WORKLOAD_CLASSES), classes(**known))

    assert found.of(job(labels=labels, pod=pod)) == priority


MISSING = {
    "of Workloads": ({LABEL: "gone"}, {}, 'WorkloadPriorityClass.kueue.x-k8s.io "gone" not found'),
    "of pods": ({}, {"priorityClassName": "gone"}, 'PriorityClass.scheduling.k8s.io "gone" not found'),
}


@pytest.mark.parametrize(("labels", "pod", "told"), MISSING.values(), ids=MISSING)
def test_a_class_that_is_missing_is_named(labels: Any, pod: Any, told: str) -> None:
    with pytest.raises(PriorityClassMissing) as caught:
        PriorityClasses(classes(), classes()).of(job(labels=labels, pod=pod))

    assert str(caught.value) == told


def test_what_a_workload_is_given() -> None:
    reference = {"group": "kueue.x-k8s.io", "kind": "WorkloadPriorityClass", "name": "w"}

    assert NO_PRIORITY.fields == {"priority": 0}
    assert OF_WORKLOAD.fields == {"priority": 7, "priorityClassRef": reference}

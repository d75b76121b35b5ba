"""Holding a Job back and letting it run (AC-333, AC-336, AC-360…367, C-21)."""

from __future__ import annotations

from typing import Any

import pytest

from reference_impl.kueue.jobs import stopping
from reference_impl.kueue.jobs.job import Job
from reference_impl.kueue.jobs.merge_diff import merge_patch
from reference_impl.kueue.jobs.starting import start
from reference_impl.kueue.workload.pod_set_info import PodSetConflict

from .objects import ADMISSION, ADMITTED, RESERVED, STARTED_AT, job, workload

FLAVORS = {
    "f1": {"spec": {"nodeLabels": {"zone": "a"}, "tolerations": [{"key": "spot", "operator": "Exists"}]}}
}
WAITING = job(template={"annotations": {"own": "1"}, "labels": {"controller-uid": "job-uid", "app": "x"}})


def make_admitted(*checks: Any, of: Job = WAITING) -> Any:
    return workload(of, RESERVED, ADMITTED, admissionChecks=list(checks))


def update(name: str, **fields: Any) -> Any:
    return {"name": name, "state": "Ready", "podSetUpdates": [{"name": "main", **fields}]}


def test_start_brings_flavors_and_names() -> None:
    """AC-361."""
    spec = start(WAITING, make_admitted(), FLAVORS)["spec"]

    name = make_admitted().name
    assert spec["suspend"] is False
    assert spec["template"]["metadata"] == {
        "annotations": {"own": "1", "kueue.x-k8s.io/workload": name},
        "labels": {
            "controller-uid": "job-uid",
            "app": "x",
            "kueue.x-k8s.io/podset": "main",
            "kueue.x-k8s.io/local-queue-name": "lq",
            "kueue.x-k8s.io/cluster-queue-name": "cq",
        },
    }
    assert spec["template"]["spec"]["nodeSelector"] == {"zone": "a"}
    assert spec["template"]["spec"]["tolerations"] == [{"key": "spot", "operator": "Exists"}]


def test_checks_are_merged_and_an_equal_toleration_once() -> None:
    """AC-362, D-27: seconds do not count, no operator means Equal."""
    first = update("a", labels={"l": "1"}, tolerations=[{"key": "k", "value": "v", "tolerationSeconds": 5}])
    second = update("b", labels={"l": "1"}, tolerations=[{"key": "k", "operator": "Equal", "value": "v"}])

    template = start(WAITING, make_admitted(first, second), FLAVORS)["spec"]["template"]

    assert template["metadata"]["labels"]["l"] == "1"
    assert [toleration["key"] for toleration in template["spec"]["tolerations"]] == ["spot", "k"]


CONFLICTS = {
    "AC-365 two checks": (
        (update("a", labels={"l": "1"}), update("b", labels={"l": "2"})),
        (
            'in admission check "b": invalid admission check PodSetUpdate: conflict for labels: '
            "conflict for key=l, value1=1, value2=2"
        ),
    ),
    "AC-365 flavor and check": (
        (update("a", nodeSelector={"zone": "b"}),),
        (
            'in admission check "a": invalid admission check PodSetUpdate: conflict for nodeSelector: '
            "conflict for key=zone, value1=a, value2=b"
        ),
    ),
    "AC-363 template": (
        (update("a", annotations={"own": "2"}),),
        (
            "invalid admission check PodSetUpdate: conflict for annotations: "
            "conflict for key=own, value1=1, value2=2"
        ),
    ),
}


@pytest.mark.parametrize(("checks", "message"), CONFLICTS.values(), ids=CONFLICTS.keys())
def test_conflict_ends_the_start(checks: Any, message: str) -> None:
    with pytest.raises(PodSetConflict) as caught:
        start(WAITING, make_admitted(*checks), FLAVORS)

    assert str(caught.value) == message


def test_what_a_start_does_not_change_is_kept() -> None:
    """AC-333."""
    of = job(count=2, completions=4)

    spec = start(of, make_admitted(of=of), FLAVORS)["spec"]

    assert {**spec, "suspend": True, "template": of.template} == of.spec


def test_missing_flavor_is_no_conflict() -> None:
    """AC-366."""
    with pytest.raises(KeyError):
        start(WAITING, make_admitted(), {})


def test_cluster_queue_whose_name_is_no_label_is_left_out() -> None:
    """AC-361."""
    admission = {**ADMISSION, "clusterQueue": "with.dots"}

    labels = start(WAITING, workload(WAITING, RESERVED, ADMITTED, admission=admission), FLAVORS)["spec"][
        "template"
    ]["metadata"]["labels"]

    assert "kueue.x-k8s.io/cluster-queue-name" not in labels


def running() -> Job:
    obj = start(WAITING, make_admitted(), FLAVORS)
    return Job({**obj, "status": {"startTime": STARTED_AT, "active": 1}})


def test_stop_takes_three_writes() -> None:
    """AC-336: suspend with the annotation, start time, template."""
    suspend, start_time, restore = stopping.writes(running(), make_admitted())

    assert suspend.object["metadata"]["annotations"] == {"kueue.x-k8s.io/stopping": "true"}
    assert suspend.object["spec"]["suspend"] is True
    assert (start_time.subresource, start_time.object["status"]) == ("status", {"active": 1})
    assert restore.object["metadata"]["annotations"] == {}
    assert restore.object["spec"]["template"] == WAITING.template


def test_every_write_of_a_stop_keeps_the_metadata_ac_336() -> None:
    of = running()

    writes = [
        {**write.object["metadata"], "annotations": {}} for write in stopping.writes(of, make_admitted())
    ]

    assert writes == [of.metadata] * 3


def test_stop_goes_on_where_it_was_interrupted() -> None:
    """C-21: the annotation says that the Job is not stopped yet."""
    suspended = stopping.writes(running(), make_admitted())[1].object

    writes = stopping.writes(Job(suspended), make_admitted())

    assert not Job(suspended).is_suspended
    assert writes[-1].object["spec"]["template"] == WAITING.template


def test_stopped_job_needs_no_write() -> None:
    assert stopping.writes(WAITING, make_admitted()) == ()


FLEXIBLE = job(
    count=5,
    annotations={
        "kueue.x-k8s.io/job-min-parallelism": "2",
        "kueue.x-k8s.io/job-completions-equal-parallelism": "true",
    },
)


def flexibly_admitted(**assignment: Any) -> Any:
    flavors = {"name": "main", "flavors": {"cpu": "f1"}, "resourceUsage": {"cpu": "5"}}
    admission = {"clusterQueue": "cq", "podSetAssignments": [{**flavors, **assignment}]}
    return workload(FLEXIBLE, RESERVED, ADMITTED, admission=admission)


def test_partially_admitted_job_runs_with_fewer_pods_and_gets_them_back() -> None:
    partial = flexibly_admitted(count=3)

    shrunk = start(FLEXIBLE, partial, FLAVORS)
    back = stopping.writes(Job(shrunk), partial)[-1].object

    assert (shrunk["spec"]["parallelism"], shrunk["spec"]["completions"]) == (3, 3)
    assert (back["spec"]["parallelism"], back["spec"]["completions"]) == (5, 5)


@pytest.mark.parametrize(("assignment", "pods"), [({}, 5), ({"count": 0}, 0)], ids=["no count", "none"])
def test_a_job_starts_with_the_pods_that_its_admission_counts_ac_360(assignment: Any, pods: int) -> None:
    assert start(FLEXIBLE, flexibly_admitted(**assignment), FLAVORS)["spec"]["parallelism"] == pods


PATCHES = {
    "equal": ({"a": {"b": 1}}, {"a": {"b": 1}}, {}),
    "changed below": ({"a": {"b": 1, "c": 2}}, {"a": {"b": 3, "c": 2}}, {"a": {"b": 3}}),
    "taken away": ({"a": 1, "b": 2}, {"b": 2}, {"a": None}),
    "added": ({}, {"a": {"b": 1}}, {"a": {"b": 1}}),
    "lists are whole": ({"a": [1, 2]}, {"a": [1]}, {"a": [1]}),
    "null is a value": ({"a": None}, {"a": 1}, {"a": 1}),
}


@pytest.mark.parametrize(("old", "new", "patch"), PATCHES.values(), ids=PATCHES.keys())
def test_merge_patch(old: Any, new: Any, patch: Any) -> None:
    assert merge_patch(old, new) == patch


def test_a_workload_knows_the_job_by_one_label() -> None:
    """PD-07: of the labels of the Job controller only this one is in the template of the Workload."""
    labels = dict.fromkeys(
        ("controller-uid", "job-name", "batch.kubernetes.io/controller-uid", "batch.kubernetes.io/job-name")
    )
    (pod_set,) = job(template={"labels": {**labels, "app": "x"}}).pod_sets
    assert set(pod_set["template"]["metadata"]["labels"]) == {"batch.kubernetes.io/job-name", "app"}

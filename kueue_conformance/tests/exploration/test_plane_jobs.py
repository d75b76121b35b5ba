"""Statements of the model about what a Workload has of its Job, and about queues that are stopped."""

import pytest

from kueue_conformance.exploration.control_planes.state import State
from kueue_conformance.exploration.control_planes.statements.jobs_and_workloads import (
    follows_job,
    quota_of_running_jobs,
)
from kueue_conformance.scenarios.dialect import known_dialects
from kueue_conformance.stage.workloads.view import WorkloadView

from .test_plane_model import snapshot, workload
from .test_plane_statements import FACTS, NOON, cluster, guarded, of, queue, statements

LABELS = {
    "kueue.x-k8s.io/queue-name": "local",
    "kueue.x-k8s.io/max-exec-time-seconds": "60",
    "kueue.x-k8s.io/priority-class": "high",
}
CLASS = {"metadata": {"name": "high"}, "value": 7}


def job(labels=LABELS, active=0):
    return {
        "metadata": {"name": "job", "labels": labels},
        "spec": {"suspend": True},
        "status": {"active": active},
    }


@pytest.mark.parametrize(
    ("fields", "observed"),
    [
        ({}, []),
        ({"queueName": "other"}, ["it has other"]),
        ({"maximumExecutionTimeSeconds": 120}, ["it has 120"]),
        ({"priority": 5}, ["it has 5"]),
    ],
)
def test_a_workload_that_waits_has_what_its_job_says(fields, observed):
    waiting = workload("w", "2", owner="job")
    waiting["spec"] |= {"maximumExecutionTimeSeconds": 60, "priority": 7, **fields}
    state = State(
        snapshot(Workload=[waiting], Job=[job()], WorkloadPriorityClass=[CLASS]),
        dialect=known_dialects()["v0.20"],
    )

    assert [text for _, text in follows_job(state, WorkloadView(waiting))] == observed


@pytest.mark.parametrize(("active", "is_right"), [(0, True), (1, False)])
def test_quota_is_held_as_long_as_pods_run(active, is_right):
    before, after = workload("w", "2", "QuotaReserved", owner="job"), workload("w", "2", owner="job")
    for stored in (before, after):
        stored["metadata"]["uid"] = "u-1"
    snapshots = [snapshot(Workload=[item], Job=[job(active=active)]) for item in (after, before)]

    assert (not [*quota_of_running_jobs(State(*snapshots))]) is is_right


@pytest.mark.parametrize(
    ("true", "is_right"), [(("QuotaReserved", "Admitted"), True), (("QuotaReserved",), False)]
)
def test_a_queue_that_is_stopped_takes_back_what_is_not_admitted(true, is_right):
    reserved = workload("w", "2", *true, checks=[("k", "Pending")])
    stopped = guarded(queue("q", "4", checks="k", stop="Hold", active="False"), "Stopped")
    stopped["metadata"] |= {"generation": 1, "uid": "u-1"}
    state = cluster(of(reserved), queues=[stopped], AdmissionCheck=[guarded({"metadata": {"name": "k"}})])
    state.objects["LocalQueue"]["local"]["status"] = {
        "conditions": [{"type": "Active", "status": "False", "reason": "ClusterQueueIsInactive"}]
    }

    assert statements(state, state.copy()) == (set() if is_right else {"hold"})


@pytest.mark.parametrize(("spent", "is_right"), [(0, True), (100, False)])
def test_the_time_of_earlier_admissions_counts_towards_the_limit(spent, is_right):
    admitted = of(workload("w", "2", "QuotaReserved", "Admitted"), limit=120)
    admitted["status"]["accumulatedPastExecutionTimeSeconds"] = spent
    for item in admitted["status"]["conditions"]:
        item["lastTransitionTime"] = NOON

    assert statements(cluster(admitted), facts=FACTS) == (set() if is_right else {"time-limit"})

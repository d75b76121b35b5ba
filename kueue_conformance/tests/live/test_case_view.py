"""What the page shows of a case: its objects, its queues with positions, its timeline."""

import pytest

from kueue_conformance.history.present_objects import present_objects
from kueue_conformance.history.story import Change, Request
from kueue_conformance.live.case_view import queues, timeline, watches


def workload(name, created, *, priority=0, queue="local", active=True, conditions=()):
    return {
        "kind": "Workload",
        "metadata": {"name": name, "namespace": "ns", "creationTimestamp": created, "uid": f"uid-{name}"},
        "spec": {"queueName": queue, "priority": priority, "active": active},
        "status": {"conditions": [*conditions]},
    }


def condition(kind, reason="", at=""):
    return {"type": kind, "status": "True", "reason": reason, "lastTransitionTime": at}


def objects(*workloads):
    return {
        ("ClusterQueue", "", "cluster"): {"metadata": {"name": "cluster"}, "spec": {}},
        ("LocalQueue", "ns", "local"): {"spec": {"clusterQueue": "cluster"}},
        **{("Workload", "ns", made["metadata"]["name"]): made for made in workloads},
    }


def positions(*workloads):
    (queue,) = queues(objects(*workloads))
    return [member["workload"] for member in queue["pending"]]


def test_pending_workloads_stand_in_the_order_of_priority_then_time_then_uid():
    assert positions(
        workload("late", "2026-01-01T00:00:02Z"),
        workload("urgent", "2026-01-01T00:00:03Z", priority=5),
        workload("b", "2026-01-01T00:00:01Z"),
        workload("a", "2026-01-01T00:00:01Z"),
    ) == ["urgent", "a", "b", "late"]


@pytest.mark.parametrize("reason", ["PodsReadyTimeout", "AdmissionCheck"])
def test_a_workload_that_was_evicted_by_a_check_or_for_its_pods_waits_since_then(reason):
    evicted = condition("Evicted", reason, "2026-01-01T00:00:09Z")

    assert positions(
        workload("evicted", "2026-01-01T00:00:01Z", conditions=[evicted]),
        workload("later", "2026-01-01T00:00:05Z"),
    ) == ["later", "evicted"]


@pytest.mark.parametrize(
    "waits_for_nothing",
    [
        workload("w", "", queue="unknown"),
        workload("w", "", active=False),
        workload("w", "", conditions=[condition("Finished")]),
    ],
    ids=["in no queue", "inactive", "finished"],
)
def test_what_waits_for_no_quota_has_no_position(waits_for_nothing):
    assert queues(objects(waits_for_nothing)) == [{"name": "cluster", "reserving": [], "pending": []}]


def test_what_holds_quota_is_named_and_has_no_position():
    (queue,) = queues(objects(workload("w", "", conditions=[condition("QuotaReserved")])))

    assert queue == {"name": "cluster", "reserving": ["w"], "pending": []}


def change(revision, before, after, name="w"):
    return Change(
        revision=revision,
        at=100.0 + revision,
        actor="kueue",
        verb="update",
        kind="Workload",
        namespace="ns",
        name=name,
        before=before,
        after=after,
    )


def test_an_object_that_is_gone_is_not_shown():
    first, second = workload("w", ""), workload("v", "")
    changes = [change(1, None, first), change(2, None, second, "v"), change(3, first, None)]

    assert present_objects(changes) == {("Workload", "ns", "v"): second}


def test_the_timeline_counts_seconds_since_the_first_change():
    held = workload("w", "", conditions=[condition("QuotaReserved", "QuotaReserved")])

    assert timeline([change(1, None, workload("w", "")), change(3, workload("w", ""), held)]) == [
        {"at": 0.0, "revision": 1, "actor": "kueue", "object": "Workload w", "what": "created"},
        {
            "at": 2.0,
            "revision": 3,
            "actor": "kueue",
            "object": "Workload w",
            "what": "QuotaReserved=True (QuotaReserved)",
        },
    ]


def test_watches_are_counted_by_client_and_resource():
    requests = [
        Request(at=0.0, verb=verb, resource=resource, agent=agent, code=200)
        for verb, resource, agent in (
            ("watch", "workloads", "manager/v1 (linux)"),
            ("watch", "workloads", "manager/v1 (linux)"),
            ("list", "jobs", "manager/v1 (linux)"),
            ("watch", "jobs", "other"),
        )
    ]

    assert watches(requests) == [
        {"client": "manager/v1", "resources": {"workloads": 2}},
        {"client": "other", "resources": {"jobs": 1}},
    ]

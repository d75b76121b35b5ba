"""Managers that speak of another version of a built-in object (FK-204, FK-495); the topic `versions` holds
what the real server answers.
"""

import orjson
import pytest

APPLY, MERGE = "application/apply-patch+yaml", "application/merge-patch+json"
TARGET = {"maxReplicas": 5, "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "d"}}
SHARE = [
    {
        "type": "Resource",
        "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 50}},
    }
]
MEMORY = [
    {
        "type": "Resource",
        "resource": {"name": "memory", "target": {"type": "Utilization", "averageUtilization": 60}},
    }
]


@pytest.fixture
def world():
    from fakecluster.tests.properties.writes import World

    return World.fresh()


def scaler(version, **spec):
    return {
        "apiVersion": f"autoscaling/{version}",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": "h"},
        "spec": {**TARGET, **spec},
    }


def patch(world, version, body, kind=APPLY, manager="m"):
    path = f"/apis/autoscaling/{version}/namespaces/default/horizontalpodautoscalers/h"
    outcome = world.send("PATCH", f"{path}?fieldManager={manager}", orjson.dumps(body), kind)
    return outcome.code, orjson.loads(outcome.body)


def owners(obj):
    return {
        entry["manager"]: sorted(entry["fieldsV1"]["f:spec"]) for entry in obj["metadata"]["managedFields"]
    }


def test_a_share_conflicts_with_the_metrics_of_the_other_version(world):
    patch(world, "v2", scaler("v2", metrics=SHARE), manager="a")

    code, answer = patch(world, "v1", scaler("v1", targetCPUUtilizationPercentage=70), manager="b")

    assert (code, answer["message"]) == (
        409,
        'Apply failed with 1 conflict: conflict with "a": .spec.metrics',
    )


def test_an_equal_share_is_owned_in_both_versions(world):
    patch(world, "v2", scaler("v2", metrics=SHARE), manager="a")

    code, obj = patch(world, "v1", scaler("v1", targetCPUUtilizationPercentage=50), manager="b")

    assert (code, owners(obj)["a"], owners(obj)["b"]) == (
        200,
        ["f:maxReplicas", "f:metrics", "f:scaleTargetRef"],
        ["f:maxReplicas", "f:scaleTargetRef", "f:targetCPUUtilizationPercentage"],
    )


def test_an_update_of_one_version_takes_what_it_changes_in_the_other(world):
    patch(world, "v2", scaler("v2", metrics=SHARE), manager="a")

    _, obj = patch(world, "v1", {"spec": {"targetCPUUtilizationPercentage": 60}}, MERGE, "u")

    assert owners(obj) == {
        "a": ["f:maxReplicas", "f:scaleTargetRef"],
        "u": ["f:targetCPUUtilizationPercentage"],
    }


def test_the_share_comes_behind_the_other_metrics(world):
    patch(world, "v2", scaler("v2", metrics=[*SHARE, *MEMORY]), manager="a")
    patch(world, "v1", {"spec": {"minReplicas": 2}}, MERGE, "u")

    _, obj = patch(world, "v2", {}, MERGE)

    assert obj["spec"]["metrics"] == [*MEMORY, *SHARE]


def test_owners_of_an_event_of_the_other_group_are_forgotten(world):
    event = {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {"name": "e"},
        "reason": "R",
        "involvedObject": {"kind": "Pod", "name": "p", "namespace": "default"},
    }
    world.send(
        "POST", "/api/v1/namespaces/default/events?fieldManager=a", orjson.dumps(event), "application/json"
    )

    outcome = world.send(
        "PATCH",
        "/apis/events.k8s.io/v1/namespaces/default/events/e?fieldManager=b",
        b'{"metadata":{"labels":{"a":"b"}}}',
        MERGE,
    )

    assert [entry["manager"] for entry in orjson.loads(outcome.body)["metadata"]["managedFields"]] == ["b"]

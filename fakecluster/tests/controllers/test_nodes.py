"""Taints that follow the state of Nodes, and what becomes of the pods on them (FK-484, FK-496)."""

import pytest

from fakecluster.controllers import nodes
from fakecluster.controllers.taints import Tolerations

PODS = "/api/v1/namespaces/default/pods"
NODES = "/api/v1/nodes"
EVENTS = "/api/v1/namespaces/default/events"
NOW = "2026-01-01T00:00:00Z"
NOT_READY, UNREACHABLE = "node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"


def add_node(world, name="n"):
    world.ask("POST", NODES, nodes.manifest(name, {"cpu": "1"}))


def add_pod(world, name="p", node="n", **spec):
    container = {"name": "c", "image": "busybox:1"}
    annotations = {"fakecluster.dev/script": "Running"}
    world.ask(
        "POST",
        PODS,
        {
            "metadata": {"name": name, "annotations": annotations},
            "spec": {"containers": [container], "nodeName": node, **spec},
        },
    )


def set_condition(world, kind, status, name="n"):
    node = world.ask("GET", f"{NODES}/{name}")
    other_conditions = [condition for condition in node["status"]["conditions"] if condition["type"] != kind]
    condition = {"type": kind, "status": status, "reason": "ByHand"}
    world.ask(
        "PUT",
        f"{NODES}/{name}/status",
        {**node, "status": {**node["status"], "conditions": [*other_conditions, condition]}},
    )


def taint(world, effect="NoExecute", name="n"):
    world.ask("PATCH", f"{NODES}/{name}", {"spec": {"taints": [{"key": "gone", "effect": effect}]}})


def taints(world, name="n"):
    return [
        (taint["key"], taint["effect"])
        for taint in world.ask("GET", f"{NODES}/{name}")["spec"].get("taints", ())
    ]


def messages(world, reason):
    return [event["message"] for event in world.ask("GET", EVENTS)["items"] if event["reason"] == reason]


@pytest.mark.parametrize(
    ("kind", "status", "expected"),
    [
        ("Ready", "False", [(NOT_READY, "NoExecute"), (NOT_READY, "NoSchedule")]),
        ("Ready", "Unknown", [(UNREACHABLE, "NoExecute"), (UNREACHABLE, "NoSchedule")]),
        ("MemoryPressure", "True", [("node.kubernetes.io/memory-pressure", "NoSchedule")]),
        ("DiskPressure", "True", [("node.kubernetes.io/disk-pressure", "NoSchedule")]),
        ("PIDPressure", "True", [("node.kubernetes.io/pid-pressure", "NoSchedule")]),
        ("NetworkUnavailable", "True", [("node.kubernetes.io/network-unavailable", "NoSchedule")]),
        ("MemoryPressure", "Unknown", []),
    ],
)
def test_taints_follow_conditions_fk_496(world, kind, status, expected):
    add_node(world)
    add_node(world, "other")
    set_condition(world, kind, status)
    tainted = taints(world)
    set_condition(world, kind, "True" if kind == "Ready" else "False")

    assert (tainted, taints(world)) == (expected, [])


def test_a_cordon_is_a_taint_beside_those_of_others_fk_496(world):
    add_node(world)
    taint(world, "NoSchedule")
    world.ask("PATCH", f"{NODES}/n", {"spec": {"unschedulable": True}})
    cordoned = world.ask("GET", f"{NODES}/n")["spec"]["taints"]
    world.ask("PATCH", f"{NODES}/n", {"spec": {"unschedulable": None}})

    added = {"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule", "timeAdded": NOW}
    assert cordoned == [{"key": "gone", "effect": "NoSchedule"}, added]
    assert taints(world) == [("gone", "NoSchedule")]


def test_no_pod_is_evicted_while_no_node_is_ready_fk_496(world):
    add_node(world)
    set_condition(world, "Ready", "False")
    alone = taints(world)
    add_node(world, "other")

    assert alone == [(NOT_READY, "NoSchedule")]
    assert taints(world) == [(NOT_READY, "NoSchedule"), (NOT_READY, "NoExecute")]


def test_nodes_are_registered_and_removed_fk_484(world):
    add_node(world)
    world.ask("DELETE", f"{NODES}/n")

    assert messages(world, "RegisteredNode") == ["Node n event: Registered Node n in Controller"]
    assert messages(world, "RemovingNode") == ["Node n event: Removing Node n from Controller"]


def test_a_pod_that_does_not_tolerate_is_evicted_fk_496(world):
    add_node(world)
    add_pod(world, finalizers=[])
    taint(world)

    assert world.names(PODS) == []
    assert messages(world, "TaintManagerEviction") == ["Marking for deletion Pod default/p"]


def test_an_evicted_pod_says_why_fk_496(world):
    add_node(world)
    add_pod(world)
    world.ask("PATCH", f"{PODS}/p", {"metadata": {"finalizers": ["example.com/hold"]}})
    taint(world)
    conditions = world.ask("GET", f"{PODS}/p")["status"]["conditions"]

    (target,) = [condition for condition in conditions if condition["type"] == "DisruptionTarget"]
    assert (target["status"], target["reason"]) == ("True", "DeletionByTaintManager")
    assert target["message"] == "Taint manager: deleting due to NoExecute taint"


def test_a_pod_stays_for_as_long_as_it_tolerates_fk_496(world):
    add_node(world)
    tolerations = [{"key": "gone", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 60}]
    add_pod(world, tolerations=tolerations)
    taint(world)
    world.pass_time(59)
    before = world.names(PODS)
    world.pass_time(1)

    assert (before, world.names(PODS)) == (["p"], [])


def test_a_taint_that_goes_in_time_cancels_the_eviction_fk_496(world):
    add_node(world)
    add_pod(world, tolerations=[{"operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 60}])
    taint(world)
    world.ask("PATCH", f"{NODES}/n", {"spec": {"taints": None}})
    world.pass_time(120)

    assert world.names(PODS) == ["p"]
    assert messages(world, "TaintManagerEviction") == ["Cancelling deletion of Pod default/p"]


def test_a_pod_that_tolerates_for_ever_stays_fk_496(world):
    add_node(world)
    add_pod(world, tolerations=[{"operator": "Exists"}])
    taint(world)
    world.pass_time(3600)

    assert world.names(PODS) == ["p"]


def test_pods_leave_a_node_that_is_not_ready_after_five_minutes_fk_496(world):
    add_node(world)
    add_node(world, "other")
    add_pod(world)
    set_condition(world, "Ready", "False")
    world.pass_time(299)
    before = world.names(PODS)
    world.pass_time(1)

    assert (before, world.names(PODS)) == (["p"], [])


def test_a_pod_on_an_unreachable_node_is_never_confirmed_deleted_fk_117(world):
    add_node(world)
    add_node(world, "other")
    add_pod(world)
    set_condition(world, "Ready", "Unknown")
    world.ask("DELETE", f"{PODS}/p")
    world.pass_time(3600)
    before = world.names(PODS)
    out_of_service = [{"key": "node.kubernetes.io/out-of-service", "effect": "NoExecute"}]
    world.ask("PATCH", f"{NODES}/n", {"spec": {"taints": out_of_service}})

    assert (before, world.names(PODS)) == (["p"], [])


def test_pods_of_a_deleted_node_go_after_forty_seconds_fk_117(world):
    add_node(world)
    add_pod(world)
    world.ask("PATCH", f"{PODS}/p", {"metadata": {"finalizers": ["example.com/hold"]}})
    world.ask("DELETE", f"{NODES}/n")
    world.pass_time(39)
    before = world.ask("GET", f"{PODS}/p")
    world.pass_time(1)
    after = world.ask("GET", f"{PODS}/p")

    assert "deletionTimestamp" not in before["metadata"]
    assert (after["status"]["phase"], "deletionTimestamp" in after["metadata"]) == ("Failed", True)
    assert [
        condition["reason"]
        for condition in after["status"]["conditions"]
        if condition["type"] == "DisruptionTarget"
    ] == ["DeletionByPodGC"]


@pytest.mark.parametrize(
    ("toleration", "matches"),
    [
        ({"operator": "Exists"}, True),
        ({"operator": "Exists", "effect": "NoSchedule"}, False),
        ({"key": "a", "operator": "Exists"}, True),
        ({"key": "a", "value": "b"}, True),
        ({"key": "a", "operator": "Equal", "value": "c"}, False),
        ({"key": "a", "value": "b", "effect": "NoExecute"}, True),
        ({"key": "other", "operator": "Exists"}, False),
    ],
)
def test_tolerations_match_taints_fk_496(toleration, matches):
    tolerations = Tolerations({"spec": {"tolerations": [{"key": "else"}, toleration]}})

    assert tolerations.first({"key": "a", "value": "b", "effect": "NoExecute"}) == (
        toleration if matches else None
    )

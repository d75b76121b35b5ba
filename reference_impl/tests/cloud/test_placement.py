"""Pods get nodes in the order of their importance; of those that get none it is said why."""

import pytest

from reference_impl.cloud.placement import PodPlacement, is_waiting


def node(name, cpu="4", ready="True", created="2026-01-01T00:00:00Z", **spec):
    amounts = {"cpu": cpu, "memory": "8Gi", "pods": "10"}
    return {
        "metadata": {"name": name, "creationTimestamp": created, "labels": {"kubernetes.io/hostname": name}},
        "spec": spec,
        "status": {
            "capacity": amounts,
            "allocatable": amounts,
            "conditions": [{"type": "Ready", "status": ready}],
        },
    }


def pod(name, cpu="1", on="", phase="Pending", created="2026-01-01T00:00:00Z", deleted=False, **spec):
    container = {"name": "c", "resources": {"requests": {"cpu": cpu}}}
    metadata = {"name": name, "namespace": "ns", "uid": name, "creationTimestamp": created}
    return {
        "metadata": {**metadata, **({"deletionTimestamp": created} if deleted else {})},
        "spec": {"containers": [container], **({"nodeName": on} if on else {}), **spec},
        "status": {"phase": phase},
    }


def place(nodes, pods, assumed=None):
    assumed = assumed or {}
    waiting = [pod for pod in pods if is_waiting(pod) and pod["metadata"]["uid"] not in assumed]
    bindings, unschedulable = PodPlacement(nodes, pods, assumed).place(waiting)
    return {
        **{binding.pod["metadata"]["name"]: binding.node for binding in bindings},
        **{pod.pod["metadata"]["name"]: pod.message for pod in unschedulable},
    }


def test_older_nodes_are_filled_first():
    nodes = [node("b", created="2026-01-01T00:00:01Z"), node("a", created="2026-01-01T00:00:02Z")]

    assert place(nodes, [pod("p", "3"), pod("q", "3")]) == {"p": "b", "q": "a"}


def test_the_more_important_pod_is_placed_first():
    pods = [pod("old", "3"), pod("young", "3", created="2026-01-01T00:00:09Z", priority=5)]

    assert place([node("a")], pods)["young"] == "a"


def test_pods_on_a_node_take_their_room_until_they_end():
    pods = [
        pod("there", "3", on="a", phase="Running"),
        pod("done", "3", on="a", phase="Succeeded"),
        pod("p", "1"),
    ]

    assert place([node("a")], pods) == {"p": "a"}
    assert place([node("a")], [*pods, pod("q", "1", created="2026-01-02T00:00:00Z")])["q"].endswith(
        "Insufficient cpu."
    )


def test_a_pod_that_was_bound_a_moment_ago_has_its_place():
    assert place([node("a")], [pod("p", "3"), pod("q", "3")], {"p": "a"}) == {
        "q": "0/1 nodes are available: 1 Insufficient cpu."
    }


@pytest.mark.parametrize(
    "waits_not",
    [
        {"schedulingGates": [{"name": "wait"}]},
        {"schedulerName": "other"},
        {"phase": "Failed"},
        {"deleted": True},
        {"on": "elsewhere"},
    ],
    ids=["gated", "another scheduler", "ended", "being deleted", "bound"],
)
def test_pods_that_are_not_waiting_are_left_alone(waits_not):
    assert place([node("a")], [pod("p", **waits_not)]) == {}


@pytest.mark.parametrize("closed", [{"ready": "False"}, {"ready": "Unknown"}, {"unschedulable": True}])
def test_nodes_that_are_closed_take_no_pods(closed):
    assert place([node("a", **closed)], [pod("p")]) == {"p": "no nodes available to schedule pods"}


def test_reasons_are_counted():
    taint = {"key": "gpu", "value": "yes", "effect": "NoSchedule"}
    nodes = [node("a", taints=[taint]), node("b", cpu="1"), node("c", cpu="2")]

    assert place(nodes, [pod("p", "3")]) == {
        "p": "0/3 nodes are available: 1 node(s) had untolerated taint {gpu: yes}, 2 Insufficient cpu."
    }

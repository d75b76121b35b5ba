"""Which nodes a pod may run on (PR-331):
each rule with a pod that it keeps away and one that it lets through.
"""

from __future__ import annotations

import pytest

from reference_impl.api.resource import Json
from reference_impl.autoscaler.simulation.node import NodeInfo
from reference_impl.autoscaler.simulation.pod import Pod
from reference_impl.autoscaler.simulation.predicates import objection
from reference_impl.autoscaler.simulation.snapshot import ClusterSnapshot, LastNode

from .objects import node, pods, shape

TAINT = {"key": "dedicated", "value": "x", "effect": "NoSchedule"}
TOLERATION = {"key": "dedicated", "operator": "Equal", "value": "x", "effect": "NoSchedule"}


def require(*expressions: Json) -> Json:
    terms = [{"matchExpressions": list(expressions)}]
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}}


CASES: dict[str, tuple[Json, Json, str]] = {
    "a taint": ({}, {"taints": [TAINT]}, "node(s) had untolerated taint {dedicated: x}"),
    "a taint that is tolerated": ({"tolerations": [TOLERATION]}, {"taints": [TAINT]}, ""),
    "a taint that only prefers": ({}, {"taints": [{**TAINT, "effect": "PreferNoSchedule"}]}, ""),
    "out of use": (
        {"tolerations": [{"operator": "Exists"}]},
        {"unschedulable": True},
        "node(s) were unschedulable",
    ),
    "another label": ({"nodeSelector": {"a": "b"}}, {}, "node(s) didn't match Pod's node affinity/selector"),
    "the label": ({"nodeSelector": {"a": "b"}}, {"labels": {"a": "b"}}, ""),
    "no term": (
        {"affinity": require({"key": "n", "operator": "Gt", "values": ["5"]})},
        {"labels": {"n": "5"}},
        "node(s) didn't match Pod's node affinity/selector",
    ),
    "a term": (
        {"affinity": require({"key": "n", "operator": "Gt", "values": ["4"]})},
        {"labels": {"n": "5"}},
        "",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_labels_and_taints(name: str) -> None:
    spec, fields, expected = CASES[name]
    assert objection(shape(**spec), NodeInfo(node(**fields)), ClusterSnapshot()) == expected


@pytest.mark.parametrize(
    ("requests", "expected"),
    [(("5", "1Gi"), "Insufficient cpu"), (("1", "17Gi"), "Insufficient memory"), (("4", "16Gi"), "")],
)
def test_resources(requests: tuple[str, str], expected: str) -> None:
    assert objection(shape(*requests), NodeInfo(node()), ClusterSnapshot()) == expected


def test_the_number_of_pods_counts() -> None:
    snapshot = ClusterSnapshot([node(count="1")])
    assert snapshot.place(Pod("ns", "a", shape("0", "0"))) == "node"
    assert objection(shape("0", "0"), snapshot.node_infos[0], snapshot) == "Too many pods"


def test_a_port_is_taken_once() -> None:
    ports = [{"hostPort": 80, "containerPort": 80}]
    kind = shape(containers=[{"name": "c", "ports": ports}])
    snapshot = ClusterSnapshot([node("one"), node("two")])
    assert [snapshot.place(Pod("ns", str(index), kind)) for index in range(3)] == ["one", "two", ""]


APART = {
    "podAntiAffinity": {
        "requiredDuringSchedulingIgnoredDuringExecution": [
            {"topologyKey": "kubernetes.io/hostname", "labelSelector": {"matchLabels": {"app": "a"}}}
        ]
    }
}


def test_pods_that_keep_each_other_away() -> None:
    apart, plain = shape(labels={"app": "a"}, affinity=APART), shape(labels={"app": "a"})
    snapshot = ClusterSnapshot([node("one"), node("two")])
    places = [snapshot.place(Pod("ns", str(index), kind)) for index, kind in enumerate((apart, apart, plain))]
    assert places == ["one", "two", ""], "what is there keeps away what comes, though that says nothing"


def test_pods_that_want_to_be_together() -> None:
    together = {"podAffinity": APART["podAntiAffinity"]}
    kind = shape("3", labels={"app": "a"}, affinity=together)
    snapshot = ClusterSnapshot([node("one"), node("two")])
    assert [snapshot.place(Pod("ns", str(index), kind)) for index in range(2)] == ["one", ""]


def test_a_spread_over_zones() -> None:
    spread = [
        {
            "topologyKey": "zone",
            "maxSkew": 1,
            "whenUnsatisfiable": "DoNotSchedule",
            "labelSelector": {"matchLabels": {"app": "a"}},
        }
    ]
    kind = shape("100m", labels={"app": "a"}, topologySpreadConstraints=spread)
    snapshot = ClusterSnapshot([node("one", labels={"zone": "x"}), node("two", labels={"zone": "y"})])
    assert [snapshot.place(Pod("ns", str(index), kind)) for index in range(4)] == ["one", "two", "one", "two"]


def test_a_search_begins_behind_the_last_node_that_was_found() -> None:
    """Finding N18: over pods, shapes and snapshots; a full node is passed over."""
    last_node = LastNode()
    nodes = [node("one", cpu="2"), node("two", cpu="1"), node("three", cpu="2")]
    first = ClusterSnapshot(nodes, last_node)
    assert [first.place(pod) for pod in pods(2)] == ["one", "two"]
    later = ClusterSnapshot(nodes, last_node)
    assert [later.place(pod) for pod in pods(6)] == ["three", "one", "two", "three", "one", ""]
    assert later.place(Pod("ns", "small", shape("0"))) == "two"


def test_a_full_node_is_tried_again_when_its_pods_are_taken_back() -> None:
    snapshot = ClusterSnapshot([node("one", cpu="1"), node("two", cpu="1")], LastNode())
    mark = snapshot.mark()
    assert [snapshot.place(pod) for pod in pods(3)] == ["one", "two", ""]
    snapshot.undo(mark)
    assert [snapshot.place(pod) for pod in pods(3)] == ["one", "two", ""]


def test_a_node_that_is_added_is_found() -> None:
    snapshot = ClusterSnapshot([node("one", cpu="1")], LastNode())
    assert [snapshot.place(pod) for pod in pods(2)] == ["one", ""]
    snapshot.add_node(node("two", cpu="1"))
    assert [snapshot.place(pod) for pod in pods(2)] == ["two", ""]


def test_placing_is_undone() -> None:
    snapshot = ClusterSnapshot([node()])
    mark = snapshot.mark()
    assert [snapshot.place(Pod("ns", str(index), shape("2"))) for index in range(3)] == ["node", "node", ""]
    snapshot.undo(mark)
    assert snapshot.place(Pod("ns", "again", shape("4"))) == "node"

"""Tables of cases, and queues and Workloads as text."""

import pytest

from kueue_conformance import table
from kueue_conformance.stage.cohorts.topology import fields, resource_groups
from kueue_conformance.stage.cohorts.topology_text import (
    PodSetText,
    Quota,
    WorkloadText,
    parse_pairs,
    parse_topology,
    parse_workloads,
)

TEXT = """
    case      | row       | queues  | goes
    the first | Q-001     | two     | -
    another   | Q-001 S-1 | q 5     | low
"""


def test_a_line_is_a_case():
    read_table = table(TEXT, two="all { a, b }")

    assert read_table.cases.parameters() == [{"case": "the-first"}, {"case": "another"}]
    assert (read_table["the-first"].queues, read_table["the-first"].goes) == ("all { a, b }", "")
    assert read_table.evidence == {"Q-001": ("the-first", "another"), "S-1": ("another",)}
    assert read_table.shows == "Q-001 S-1"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("case | a\none", "1 cells where the head has 2"),
        ("case | a\none | 1\none | 2", "two cases are called 'one'"),
        ("name | a\none | 1", "the first column is 'name'"),
    ],
)
def test_a_bad_table_is_refused(text, message):
    with pytest.raises(ValueError, match=message):
        table(text)


def test_a_tree_is_read_from_the_root():
    nodes = parse_topology(
        "r 3 { c { q 1 borrows<=2 lends<=1 within=LowerPriority StrictFIFO }, b }, alone spot:2"
    )

    assert [(node.name, node.parent, node.is_cohort) for node in nodes] == [
        ("r", "", True),
        ("c", "r", True),
        ("q", "c", False),
        ("b", "r", False),
        ("alone", "", False),
    ]
    assert nodes[2].quotas == (Quota("cpu", "default", "1", {"borrows": "2", "lends": "1"}),)
    assert nodes[3].quotas == (Quota("cpu", "default", "0"),)
    assert nodes[4].quotas == (Quota("cpu", "spot", "2"),)
    assert fields(nodes[2]) == {
        "queueingStrategy": "StrictFIFO",
        "preemption": {"withinClusterQueue": "LowerPriority"},
    }


def test_resources_with_a_flavor_in_common_are_a_group():
    (cluster_queue,) = parse_topology("q cpu/one:4 memory/one:10Mi cpu/two:6 memory/two:1Gi pods/all:5")

    groups = resource_groups(cluster_queue.quotas, {"one": "one", "two": "two", "all": "all"})

    assert [group["coveredResources"] for group in groups] == [["cpu", "memory"], ["pods"]]
    assert groups[0]["flavors"][1] == {
        "name": "two",
        "resources": [{"name": "cpu", "nominalQuota": "6"}, {"name": "memory", "nominalQuota": "1Gi"}],
    }


@pytest.mark.parametrize("text", ["all { a", "a }", "a Sometimes", "a within="])
def test_what_is_no_tree_is_refused(text):
    with pytest.raises(ValueError, match=r"no end|left over|is no quota"):
        parse_topology(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("q: low(-1)2", WorkloadText("q", "low", -1, (PodSetText(1, {"cpu": "2"}),))),
        ("q: none()500m", WorkloadText("q", "none", None, (PodSetText(1, {"cpu": "500m"}),))),
        ("q: w(0)4x1>=2", WorkloadText("q", "w", 0, (PodSetText(4, {"cpu": "1"}, 2),))),
        (
            "q: w(0)1,memory=2Gi/spot",
            WorkloadText("q", "w", 0, (PodSetText(1, {"cpu": "1", "memory": "2Gi"}, None, "spot"),)),
        ),
        (
            "q: w(0)1+2x3",
            WorkloadText("q", "w", 0, (PodSetText(1, {"cpu": "1"}), PodSetText(2, {"cpu": "3"}))),
        ),
    ],
)
def test_a_workload_is_read(text, expected):
    assert parse_workloads(text) == [expected]


def test_workloads_of_several_queues_keep_their_order():
    assert [
        (parsed.queue, parsed.name) for parsed in parse_workloads("b: one(0)1 two(0)1; a: three(0)1")
    ] == [
        ("b", "one"),
        ("b", "two"),
        ("a", "three"),
    ]


def test_what_is_no_workload_is_refused():
    with pytest.raises(ValueError, match="is no Workload"):
        parse_workloads("q: low")


def test_reasons_by_workload():
    assert parse_pairs("low InClusterQueue, mid InCohortReclamation") == {
        "low": "InClusterQueue",
        "mid": "InCohortReclamation",
    }
    assert parse_pairs("") == {}

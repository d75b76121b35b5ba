"""Which group grows and by how much (PR-160…175, PR-346…354)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reference_impl.api.resource import Json
from reference_impl.autoscaler.cloud import NodeGroup
from reference_impl.autoscaler.cluster_state import cluster_state_of
from reference_impl.autoscaler.flags import Flags, ResourceRange
from reference_impl.autoscaler.groups.balancing import are_similar, balance
from reference_impl.autoscaler.groups.limits import sum_cluster_resources
from reference_impl.autoscaler.groups.plan import ScaleUpInput, ScaleUpPlan, plan
from reference_impl.autoscaler.simulation.pod import Pod
from reference_impl.autoscaler.simulation.snapshot import ClusterSnapshot

from .objects import START, group, node, pods, shape

NOT_ALL = "not all pods would fit and scale-up is using all-or-nothing strategy"


def make_plan(
    pods: list[Pod], *groups: NodeGroup, backed_off: tuple[str, ...] = (), **flags: Json
) -> ScaleUpPlan:
    cluster = cluster_state_of(groups, [], START, 900)
    view = ScaleUpInput(
        cluster=cluster,
        snapshot=ClusterSnapshot(),
        size=sum_cluster_resources(cluster, ()),
        flags=Flags(**flags),
        backed_off=backed_off.__contains__,
        awaited=lambda _: 0,
    )
    return plan(pods, view, all_or_nothing=True)


def targets(plan: ScaleUpPlan) -> dict[str, int]:
    return {increase.group.id: increase.target for increase in plan.increases}


def test_all_pods_or_none() -> None:
    assert targets(make_plan(pods(40), group())) == {"ng-a": 10}
    assert targets(make_plan(pods(41), group())) == {}, (
        "PR-233a: 41 pods need 11 nodes, the group has 10 at most"
    )
    assert targets(make_plan([*pods(3), Pod("ns", "big", shape("5"))], group())) == {}, "PR-233h"


REFUSALS = {
    "PR-161": ({"backed_off": ("ng-a",)}, group(), "1 in backoff after failed scale-up"),
    "PR-162": ({}, group(most=0), "1 max node group size reached"),
    "PR-163": (
        {"max_nodes_total": 5},
        group(zero_or_max=True),
        "1 atomic scale-up exceeds cluster node count limit",
    ),
    "PR-164": (
        {"memory_total": ResourceRange(0, 10)},
        group(),
        '1 exceeded quota: "cluster-wide", resources: memory',
    ),
    "PR-169": (
        {"cores_total": ResourceRange(0, 30)},
        group("large", 100, template=node(cpu="8", memory="32Gi")),
        f"1 {NOT_ALL}",
    ),
}


@pytest.mark.parametrize("row", REFUSALS)
def test_a_group_that_may_not_grow_says_why(row: str) -> None:
    fields, first, refusal = REFUSALS[row]
    plan = make_plan(pods(32), first, **fields)
    assert (plan.refusal(), targets(plan)) == (refusal, {})


def test_within_the_limit_of_processors() -> None:
    large = group("large", 100, template=node(cpu="8", memory="32Gi"))
    assert targets(make_plan(pods(24), large, cores_total=ResourceRange(0, 30))) == {"large": 3}


def test_the_limit_of_one_scale_up_is_exact() -> None:
    assert targets(make_plan(pods(20), group(), max_nodes_per_scaleup=5)) == {"ng-a": 5}
    assert targets(make_plan(pods(21), group(), max_nodes_per_scaleup=5)) == {}


def test_the_limit_of_all_nodes() -> None:
    assert targets(make_plan(pods(8), group(), max_nodes_total=2)) == {"ng-a": 2}
    assert targets(make_plan(pods(9), group(), max_nodes_total=2)) == {}


def test_the_least_waste_wins() -> None:
    """The example of PR-348: 0.5 beside 1.0625 and 1.0625."""
    groups = [
        group("big", template=node(cpu="8", memory="32Gi")),
        group("middle", template=node(cpu="4", memory="16Gi")),
        group("small", template=node(cpu="2", memory="4Gi")),
    ]
    assert targets(make_plan(pods(6), *groups)) == {"small": 3}


def test_a_group_of_all_or_none_jumps_to_its_maximum() -> None:
    assert targets(make_plan(pods(5), group(most=4, zero_or_max=True))) == {"ng-a": 4}
    assert targets(make_plan(pods(17), group(most=4, zero_or_max=True))) == {}


def test_groups_that_are_alike_share() -> None:
    first, other = group("ng-a", 5), replace(group("ng-b", 5), template=group("ng-a").template)
    assert targets(make_plan(pods(24), first, other, balance_similar_node_groups=True)) == {
        "ng-a": 3,
        "ng-b": 3,
    }
    assert targets(make_plan(pods(24), first, other)) == {}, "each alone has room for 20"


@pytest.mark.parametrize(
    ("flags", "first", "other", "alike"),
    [
        ({}, {"memory": "16Gi"}, {"memory": "16200Mi"}, True),
        ({"memory_difference_ratio": 0.01}, {"memory": "16Gi"}, {"memory": "16200Mi"}, False),
        (
            {"memory_difference_ratio": 0.5, "max_allocatable_difference_ratio": 0.5},
            {"memory": "16Gi"},
            {"memory": "9Gi"},
            True,
        ),
        ({}, {"cpu": "4"}, {"cpu": "4100m"}, False),
        ({}, {"labels": {"a": "1"}}, {"labels": {"a": "2"}}, False),
        ({"balancing_ignore_label": ("a",)}, {"labels": {"a": "1"}}, {"labels": {"a": "2"}}, True),
        (
            {"balancing_label": ("a",)},
            {"labels": {"a": "1"}, "cpu": "4"},
            {"labels": {"a": "1"}, "cpu": "8"},
            True,
        ),
        ({"balancing_label": ("a",)}, {}, {}, False),
    ],
)
def test_nodes_are_alike(flags: Json, first: Json, other: Json, alike: bool) -> None:
    assert are_similar(node("one", **first), node("other", **other), Flags(**flags)) is alike


def test_sharing_levels_what_is_there() -> None:
    """The example of PR-350."""
    groups = [group("a", 6, target=2), group("b", 6), group("c", 6, target=5)]
    assert balance(7, groups) == {"a": 4, "b": 5}

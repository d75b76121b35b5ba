"""What operators see beside requests: the status ConfigMap, and the soft taints of nodes that may go."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
import yaml

from reference_impl.api import kinds
from reference_impl.api.resource import Json, Key
from reference_impl.autoscaler.cloud import Instance
from reference_impl.autoscaler.requests.request import BEST_EFFORT_ATOMIC
from reference_impl.autoscaler.status_map import LAST_UPDATED, render_time
from reference_impl.autoscaler.status_text import status_text

from .laboratory import Laboratory
from .objects import START, group, pod_object, request

KEY = Key("kube-system", "cluster-autoscaler-status")
SOFT = "DeletionCandidateOfClusterAutoscaler"
BEGAN, LATER = "2026-01-01T00:00:00Z", "2026-01-01T00:00:10Z"


def laboratory(**flags: Json) -> Laboratory:
    return Laboratory(group(), write_status_configmap=True, **flags)


def status(lab: Laboratory) -> Json:
    return yaml.safe_load(lab.server.store(kinds.CONFIG_MAPS).get(KEY)["data"]["status"])


def of_group(lab: Laboratory) -> Json:
    (group_status,) = status(lab)["nodeGroups"]
    return group_status


def with_nodes(lab: Laboratory, count: int) -> None:
    lab.cloud.known["ng-a"] = group(target=count)
    lab.boot("ng-a")


def soft_taints(lab: Laboratory) -> dict[str, list[Json]]:
    return {
        node["metadata"]["name"]: [taint for taint in node["spec"]["taints"] if taint["key"] == SOFT]
        for node in lab.server.store(kinds.NODES)
    }


def test_a_loop_says_how_the_cluster_is() -> None:
    lab = laboratory()
    with_nodes(lab, 2)
    lab.server.put(kinds.PODS, pod_object("busy", node="ng-a-0", cpu="3"))
    lab.loop()
    counts = {
        "registered": {
            "total": 2,
            "ready": 2,
            "notStarted": 0,
            "suspended": 0,
            "unready": {"total": 0, "resourceUnready": 0},
        },
        "longUnregistered": 0,
        "unregistered": 0,
    }
    times = {"lastProbeTime": BEGAN, "lastTransitionTime": BEGAN}
    idle = {"status": "CandidatesPresent", "candidates": 1, **times}
    assert status(lab) == {
        "time": "2026-01-01 00:00:00 +0000 UTC",
        "autoscalerStatus": "Running",
        "clusterWide": {
            "health": {"status": "Healthy", "nodeCounts": counts, **times},
            "scaleUp": {"status": "NoActivity", **times},
            "scaleDown": idle,
        },
        "nodeGroups": [
            {
                "name": "ng-a",
                "health": {
                    "status": "Healthy",
                    "nodeCounts": counts,
                    "cloudProviderTarget": 2,
                    "minSize": 0,
                    "maxSize": 10,
                    **times,
                },
                "scaleUp": {"status": "NoActivity", "backoffInfo": {}, **times},
                "scaleDown": idle,
            }
        ],
    }


def test_what_has_not_changed_keeps_its_time() -> None:
    lab = laboratory()
    with_nodes(lab, 1)
    lab.server.put(kinds.PODS, pod_object("busy", node="ng-a-0", cpu="3"))
    lab.loop()
    lab.server.store(kinds.PODS).put(Key("ns", "busy"), None)
    lab.loop(10)
    group_status = of_group(lab)
    assert (group_status["health"]["lastProbeTime"], group_status["health"]["lastTransitionTime"]) == (
        LATER,
        BEGAN,
    )
    assert (group_status["scaleDown"]["status"], group_status["scaleDown"]["lastTransitionTime"]) == (
        "CandidatesPresent",
        LATER,
    )


def test_growth_and_its_failure_are_told() -> None:
    lab = laboratory()
    lab.ask(request(count=4, class_name=BEST_EFFORT_ATOMIC))
    lab.loop()
    assert (of_group(lab)["scaleUp"]["status"], status(lab)["clusterWide"]["scaleUp"]["status"]) == (
        "InProgress",
        "InProgress",
    )
    lab.loop(10)
    assert of_group(lab)["health"]["nodeCounts"]["unregistered"] == 1
    other = laboratory()
    other.cloud.rejecting.add("ng-a")
    other.ask(request(count=4, class_name=BEST_EFFORT_ATOMIC))
    other.loop()
    assert of_group(other)["scaleUp"]["status"] == "Backoff"
    assert of_group(other)["scaleUp"]["backoffInfo"] == {
        "errorCode": "cloudProviderError",
        "errorMessage": "failed to increase node group size: rpc error: code = ResourceExhausted desc = none left",
    }


def test_a_loop_that_ends_early_tells_too() -> None:
    """An unhealthy cluster is not changed, and says that it is not well."""
    lab = laboratory(max_node_startup_time=0.0)
    lab.cloud.known["ng-a"] = replace(
        group(target=4), instances=[Instance(f"sim://ng-a-{n}", "running") for n in range(4)]
    )
    lab.boot("ng-a")
    for node in list(lab.server.store(kinds.NODES)):
        lab.server.put(kinds.NODES, {**node, "status": {**node["status"], "conditions": []}})
    lab.loop(1)
    cluster_wide = status(lab)["clusterWide"]
    assert cluster_wide["health"]["status"] == "Unhealthy"
    assert cluster_wide["health"]["nodeCounts"]["registered"]["unready"]["total"] == 4
    assert cluster_wide["scaleDown"] == {
        "status": "NoCandidates",
        "lastProbeTime": None,
        "lastTransitionTime": None,
    }


def test_the_map_of_others_keeps_what_is_theirs() -> None:
    lab = laboratory()
    theirs = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"namespace": KEY.namespace, "name": KEY.name, "labels": {"a": "b"}},
        "data": {"other": "x"},
    }
    lab.server.put(kinds.CONFIG_MAPS, theirs)
    lab.loop()
    config_map = lab.server.store(kinds.CONFIG_MAPS).get(KEY)
    assert config_map["data"]["other"] == "x"
    assert config_map["metadata"]["labels"] == {"a": "b"}
    assert config_map["metadata"]["annotations"] == {LAST_UPDATED: "2026-01-01 00:00:00 +0000 UTC"}


@pytest.mark.parametrize("change", ["written", "removed"])
def test_a_write_of_others_costs_one_loop(change: str) -> None:
    lab = laboratory()
    lab.loop()
    maps = lab.server.store(kinds.CONFIG_MAPS)
    if change == "written":
        lab.server.put(kinds.CONFIG_MAPS, {**maps.get(KEY), "data": {"status": "x"}})
    else:
        maps.put(KEY, None)
    lab.loop(10)
    lab.loop(10)
    assert status(lab)["time"] == "2026-01-01 00:00:20 +0000 UTC"


def test_no_map_is_written_where_none_is_wanted() -> None:
    lab = Laboratory(group(), write_status_configmap=False)
    lab.loop()
    assert lab.server.store(kinds.CONFIG_MAPS).get(KEY) is None


def test_a_time_is_written_as_go_prints_it() -> None:
    assert render_time(START) == "2026-01-01 00:00:00 +0000 UTC"
    assert render_time(START + 0.25) == "2026-01-01 00:00:00.25 +0000 UTC"


def test_a_node_that_is_not_needed_is_avoided_until_it_is() -> None:
    lab = laboratory()
    with_nodes(lab, 2)
    lab.server.put(kinds.PODS, pod_object("busy", node="ng-a-0", cpu="3"))
    lab.loop()
    mark = {"key": SOFT, "value": str(int(START)), "effect": "PreferNoSchedule"}
    assert soft_taints(lab) == {"ng-a-0": [], "ng-a-1": [mark]}
    lab.loop(10)
    assert soft_taints(lab) == {"ng-a-0": [], "ng-a-1": [mark]}, "it keeps the time of its mark"
    lab.server.put(kinds.PODS, pod_object("late", node="ng-a-1", cpu="3"))
    lab.loop(10)
    assert soft_taints(lab) == {"ng-a-0": [], "ng-a-1": []}


@pytest.mark.parametrize(("most", "marked"), [(0, 0), (2, 2), (10, 3)])
def test_one_loop_marks_a_bounded_number(most: int, marked: int) -> None:
    lab = laboratory(max_bulk_soft_taint_count=most)
    with_nodes(lab, 3)
    lab.loop()
    assert sum(map(len, soft_taints(lab).values())) == marked


def test_other_taints_stay_and_nodes_without_a_group_are_left_alone() -> None:
    lab = laboratory()
    with_nodes(lab, 1)
    lab.add_node("free-0")
    foreign = {"key": "dedicated", "value": "x", "effect": "NoSchedule"}
    node = lab.server.store(kinds.NODES).get(Key("", "ng-a-0"))
    lab.server.put(kinds.NODES, {**node, "spec": {**node["spec"], "taints": [foreign]}})
    lab.loop()
    nodes = {node["metadata"]["name"]: node for node in lab.server.store(kinds.NODES)}
    assert [taint["key"] for taint in nodes["ng-a-0"]["spec"]["taints"]] == ["dedicated", SOFT]
    assert nodes["free-0"]["spec"]["taints"] == []


def test_a_marked_node_still_counts_as_room() -> None:
    """A soft taint keeps no pod away."""
    lab = laboratory()
    with_nodes(lab, 1)
    lab.loop()
    lab.ask(request(count=4))
    lab.loop(1)
    assert lab.told("r")[-1] == "Provisioned=True/CapacityIsFound"


def test_a_node_that_is_needed_again_comes_first() -> None:
    """Within the bound of a loop: a mark that is wrong keeps pods away, one that is missing does not."""
    lab = laboratory(max_bulk_soft_taint_count=1)
    with_nodes(lab, 2)
    lab.server.put(kinds.PODS, pod_object("first", node="ng-a-1", cpu="3"))
    lab.loop()
    lab.server.put(kinds.PODS, pod_object("second", node="ng-a-0", cpu="3"))
    lab.server.store(kinds.PODS).put(Key("ns", "first"), None)
    lab.loop(10)
    assert list(map(len, soft_taints(lab).values())) == [0, 0]
    lab.loop(10)
    assert list(map(len, soft_taints(lab).values())) == [0, 1]


WORDS = [
    "Running",
    "Healthy",
    "NoActivity",
    "ng-a",
    "2026-01-01T00:00:00Z",
    "2026-01-01 00:00:00.25 +0000 UTC",
    "true",
    "Null",
    "yes",
    "a: b",
    "",
    "12",
    "1e3",
    "é",
    "- x",
    "x" * 200,
    "two words " * 20,
    "No",
    "Off",
    "group-1",
    "0x1f",
    "~",
]
KEYS = ["name", "health", "status", "nodeGroups", "lastProbeTime", "odd key", "on", "y"]


def draw(random: Random, depth: int = 0) -> Json:
    """Return some value as a status might hold it, and some that it never does."""
    kind = random.randrange(8 if depth < 3 else 5)
    if kind < 3:
        return random.choice(WORDS[:6] if random.random() < 0.8 else WORDS)
    if kind < 5:
        return random.choice([0, 1, 17, None, {}, [], True, 1.5] if random.random() < 0.3 else [0, 3])
    keys = random.sample(KEYS[:5] if random.random() < 0.8 else KEYS, random.randint(1, 3))
    mapping = {key: draw(random, depth + 1) for key in keys}
    return mapping if kind < 7 else [mapping, {"name": "ng-b"}]


def test_the_text_is_what_a_library_for_yaml_makes_of_it() -> None:
    random = Random(0)
    for _ in range(3000):
        status = {"time": "2026-01-01 00:00:00.25 +0000 UTC", "clusterWide": draw(random)}
        assert status_text(status) == yaml.dump(status, Dumper=yaml.SafeDumper, sort_keys=True), status

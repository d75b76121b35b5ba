"""Which nodes go, and what the flags about it change (PR-194, PR-372, finding X11)."""

from __future__ import annotations

import pytest

from reference_impl.api import kinds
from reference_impl.api.resource import Json

from .laboratory import Laboratory
from .objects import group, node_object, pod_object, request

SOON = {
    "scale_down_unneeded_time": 5.0,
    "scale_down_unready_time": 5.0,
    "scale_down_delay_after_add": 0.0,
    "ok_total_unready_count": 10,
    "max_node_startup_time": 0.0,
}


def find_deleted(lab: Laboratory) -> list[str]:
    return [name for method, _, names in lab.cloud.calls if method == "delete" for name in names]


def pod_of(kind: str, **fields: Json) -> Json:
    pod = pod_object("p", node="ng-a-0", **fields)
    pod["metadata"]["ownerReferences"][0]["kind"] = kind
    return pod


@pytest.mark.parametrize(("enabled", "gone"), [(True, ["sim://ng-a-0"]), (False, [])])
def test_a_node_that_is_not_ready(enabled: bool, gone: list[str]) -> None:
    lab = Laboratory(group(target=1), scale_down_unready_enabled=enabled, **SOON)
    node = node_object("ng-a-0")
    node["status"]["conditions"] = [{"type": "Ready", "status": "False"}]
    lab.server.put(kinds.NODES, node)
    for _ in range(3):
        lab.loop(6)
    assert find_deleted(lab)[:1] == gone


@pytest.mark.parametrize(
    ("flags", "pod", "gone"),
    [
        ({}, pod_of("DaemonSet", cpu="3"), False),
        ({"ignore_daemonsets_utilization": True}, pod_of("DaemonSet", cpu="3"), True),
        ({}, pod_of("Job", cpu="1"), True),
        ({}, pod_of("RayCluster", cpu="1"), False),
        ({"skip_nodes_with_custom_controller_pods": False}, pod_of("RayCluster", cpu="1"), True),
        ({}, pod_of("", cpu="3", annotations={"kubernetes.io/config.mirror": "x"}), False),
        (
            {"ignore_mirror_pods_utilization": True},
            pod_of("", cpu="3", annotations={"kubernetes.io/config.mirror": "x"}),
            True,
        ),
    ],
    ids=[
        "DaemonSet counts",
        "DaemonSet left out",
        "Job moves",
        "custom controller",
        "custom controllers move",
        "mirror pod counts",
        "mirror pod left out",
    ],
)
def test_the_pods_of_a_node(flags: Json, pod: Json, gone: bool) -> None:
    lab = Laboratory(group(target=1), nodes=1, **SOON, **flags)
    lab.boot("ng-a")
    lab.server.put(kinds.PODS, pod)
    for _ in range(3):
        lab.loop(6)
    assert find_deleted(lab)[:1] == (["sim://ng-a-0"] if gone else [])


def test_a_booking_uses_all_nodes_so_that_none_is_unneeded() -> None:
    """PR-230e, finding N18: three would do, and all four stay while the booking lasts."""
    lab = Laboratory(group(target=4), **SOON)
    lab.boot("ng-a")
    lab.ask(request(count=12))
    for _ in range(30):
        lab.loop(10)
    assert lab.told("r")[-1] == "Provisioned=True/CapacityIsFound"
    assert find_deleted(lab) == []


@pytest.mark.parametrize(
    ("nodes", "events"),
    [(0, [("ConfigMap", "cluster-autoscaler-status", "Warning", "ClusterUnhealthy")]), (1, [])],
)
def test_nothing_grows_from_zero_where_a_flag_says_so(nodes: int, events: list[Json]) -> None:
    lab = Laboratory(group(), nodes=nodes, scale_up_from_zero=False)
    lab.server.put(kinds.PODS, pod_object("p", cpu="4"))
    lab.server.put(kinds.PODS, pod_object("q", cpu="4"))
    lab.loop(3)
    assert bool(lab.cloud.calls) is bool(nodes)
    assert [event for event in lab.recorded() if event[3] == "ClusterUnhealthy"] == events

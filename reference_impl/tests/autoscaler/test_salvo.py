"""Several scale-ups in one loop (`--salvo-scale-up`, PR-118a)."""

from __future__ import annotations

import pytest

from reference_impl.api import kinds
from reference_impl.autoscaler.requests.request import BEST_EFFORT_ATOMIC

from .laboratory import Laboratory
from .objects import group, pod_object, request


def increases(lab: Laboratory) -> list[tuple[str, int]]:
    return [(name, delta) for method, name, delta in lab.cloud.calls if method == "increase"]


def waiting(lab: Laboratory, *cpus: str) -> None:
    for number, cpu in enumerate(cpus):
        lab.server.put(kinds.PODS, pod_object(f"p{number}", cpu=cpu))


@pytest.mark.parametrize(("salvo", "loops"), [(False, [1, 2]), (True, [2, 2])], ids=["one by one", "salvo"])
def test_pods_and_a_request_are_served_in_one_loop(salvo: bool, loops: list[int]) -> None:
    lab = Laboratory(group(), salvo_scale_up=salvo)
    waiting(lab, "4")
    lab.ask(request(count=4, class_name=BEST_EFFORT_ATOMIC))
    counts = []
    for _ in loops:
        lab.loop(3)
        counts.append(len(increases(lab)))
    assert counts == loops
    assert lab.told("r")[-1] == "Provisioned=True/CapacityIsProvisioned"


def test_nodes_that_come_are_room_for_those_behind() -> None:
    """The request fills what the pod leaves of its node, and needs no other."""
    lab = Laboratory(group(), salvo_scale_up=True)
    waiting(lab, "2")
    lab.ask(request(count=2, class_name=BEST_EFFORT_ATOMIC))
    lab.loop(3)
    assert increases(lab) == [("ng-a", 1)]
    assert lab.told("r")[-1] == "Provisioned=True/CapacityIsFound"


def test_the_maximum_of_a_group_holds_over_a_salvo() -> None:
    lab = Laboratory(group(most=1), salvo_scale_up=True)
    waiting(lab, "4")
    lab.ask(request(count=4, class_name=BEST_EFFORT_ATOMIC))
    lab.loop(3)
    assert increases(lab) == [("ng-a", 1)]
    assert lab.told("r")[-1] == "Provisioned=False/CapacityIsNotFound"


def test_a_used_budget_ends_a_salvo() -> None:
    lab = Laboratory(group(), salvo_scale_up=True, salvo_scale_up_budget=0.0)
    waiting(lab, "4")
    lab.ask(request(count=4, class_name=BEST_EFFORT_ATOMIC))
    lab.loop(3)
    assert increases(lab) == [("ng-a", 1)], "the first is never cut short"


def test_a_refused_group_ends_a_salvo() -> None:
    lab = Laboratory(group(), salvo_scale_up=True)
    lab.cloud.rejecting.add("ng-a")
    waiting(lab, "4")
    lab.ask(request(count=4, class_name=BEST_EFFORT_ATOMIC))
    lab.loop(3)
    assert increases(lab) == [("ng-a", 1)]

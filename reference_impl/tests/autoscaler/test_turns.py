"""One object that is refused again and again keeps no other from its turn (finding N19, PR-090a, X18)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reference_impl.api import kinds
from reference_impl.autoscaler.cloud import Instance, InstanceErrorInfo
from reference_impl.autoscaler.requests.request import BEST_EFFORT_ATOMIC
from reference_impl.autoscaler.requests.turns import RequestOrder

from .laboratory import Laboratory
from .objects import group, request

SCALE_DOWN = {
    "scale_down_unneeded_time": 5.0,
    "scale_down_delay_after_add": 0.0,
    "scale_down_delay_after_failure": 0.0,
}


def test_others_are_answered_while_the_answer_of_one_is_refused() -> None:
    lab = Laboratory(group(), nodes=3)
    lab.server.refuses_answers_of = "a"
    lab.ask(request("a", class_name=BEST_EFFORT_ATOMIC))
    names = ("b", "c", "d")
    for name in names:
        lab.ask(request(name, class_name=BEST_EFFORT_ATOMIC))
    for _ in range(5):
        lab.loop()
    assert [lab.told(name)[-1] for name in names] == ["Provisioned=True/CapacityIsFound"] * 3
    lab.server.refuses_answers_of = ""
    lab.loop()
    assert lab.told("a")[-1] == "Provisioned=True/CapacityIsFound"


def test_new_requests_do_not_starve_the_refused_one() -> None:
    lab = Laboratory(group(), nodes=9)
    lab.server.refuses_answers_of = "a"
    lab.ask(request("a", class_name=BEST_EFFORT_ATOMIC))
    for number in range(12):
        lab.ask(request(f"b{number:02}", class_name=BEST_EFFORT_ATOMIC))
        lab.loop()
    tries = sum(verb == "APPLY" and name == "a" for verb, name, _ in lab.server.writes)
    assert tries >= 3


def test_a_request_waits_for_as_many_as_there_are() -> None:
    turns, (a, b, c) = RequestOrder(lambda _: False), (request(name) for name in "abc")
    assert turns.order([a, b, c], [a.key]) == [b, c, a]
    turns.take(b)
    turns.take(c)
    assert turns.order([a, b, c], []) == [a, b, c]


def test_a_node_that_is_not_deleted_lets_others_go() -> None:
    lab = Laboratory(group(target=3), max_scale_down_parallelism=1, **SCALE_DOWN)
    lab.boot("ng-a")
    lab.cloud.refusing_machines.add("sim://ng-a-0")
    for _ in range(6):
        lab.loop(6)
        lab.remove_nodes()
    assert {call[2][0] for call in lab.cloud.calls} == {"sim://ng-a-1", "sim://ng-a-2"}


def test_a_node_whose_taint_is_refused_takes_no_place() -> None:
    lab = Laboratory(group(target=3), max_bulk_soft_taint_count=1, scale_down_unneeded_time=600.0)
    lab.boot("ng-a")
    lab.server.refuses_nodes = frozenset({"ng-a-0"})
    for _ in range(3):
        lab.loop(1)
    tainted = {node["metadata"]["name"] for node in lab.server.store(kinds.NODES) if node["spec"]["taints"]}
    assert tainted == {"ng-a-1", "ng-a-2"}


@pytest.mark.parametrize("fault", ["delete", "decrease"])
def test_a_group_that_is_not_put_right_ends_no_loop(fault: str) -> None:
    lab = Laboratory(group("ng-a", target=1), nodes=1)
    if fault == "delete":
        lab.cloud.refusing_machines.add("sim://ng-a-0")
        broken = Instance(
            "sim://ng-a-0", "creating", InstanceErrorInfo("quota", "none left", out_of_resources=True)
        )
        lab.cloud.known["ng-a"] = replace(lab.cloud.known["ng-a"], instances=[broken])
    else:
        lab.cloud.refusing_to_decrease.add("ng-a")
        lab.cloud.known["ng-a"] = replace(lab.cloud.known["ng-a"], instances=[])
    lab.loop()
    lab.ask(request())
    lab.loop(901)
    assert lab.told("r")[-1:] == ["Provisioned=True/CapacityIsFound"]

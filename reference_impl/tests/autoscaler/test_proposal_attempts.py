"""The proposal: attempts for atomic requests, their nodes, and how they are taken back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reference_impl.api import kinds

from .laboratory import Laboratory
from .objects import group, make_proposed, pod_object
from .proposal import (
    BACK_OFF,
    EXPIRED,
    PROVISIONED,
    failing,
    growth,
    laboratory,
    sizes,
)


def test_an_atomic_request_is_provisioned_when_its_last_node_is_ready() -> None:
    """PR-206, CV-29: nothing is said before."""
    lab = laboratory()
    lab.ask(make_proposed(count=10))
    assert lab.loop()
    assert lab.cloud.calls == [("increase", "ng-a", 3)]
    lab.boot("ng-a", but=["sim://ng-a-2"])
    lab.loop(60)
    assert lab.told("r") == []
    lab.boot("ng-a")
    lab.loop(10)
    assert lab.told("r") == [PROVISIONED]
    assert lab.server.writes == [("PUT", "r", [PROVISIONED])]


def test_an_atomic_request_that_fits_is_provisioned_at_once() -> None:
    """PR-231c."""
    lab = laboratory(nodes=3)
    lab.ask(make_proposed(count=12))
    lab.loop()
    assert (lab.told("r"), lab.cloud.calls) == ([PROVISIONED], [])


def test_only_what_is_missing_is_added() -> None:
    """PR-231b."""
    lab = laboratory(nodes=2)
    lab.ask(make_proposed(count=10))
    lab.loop()
    assert growth(lab) == [1]


def test_nodes_on_their_way_belong_to_their_request() -> None:
    """PR-201, PR-206: a request is never answered by nodes that another waits for."""
    lab = laboratory()
    lab.ask(make_proposed("a", count=2))
    lab.loop()
    lab.ask(make_proposed("b", count=2))
    lab.loop(1)
    assert growth(lab) == [1, 1]
    lab.boot("ng-a", but=["sim://ng-a-1"])
    lab.loop(60)
    assert (lab.told("a"), lab.told("b")) == ([PROVISIONED], [])
    lab.boot("ng-a")
    lab.loop(10)
    assert lab.told("b") == [PROVISIONED]


def test_one_group_takes_all() -> None:
    """PR-204, DA-20: nodes are not shared even among groups that are alike."""
    lab = Laboratory(group(), group("ng-b"), rules="aep", balance_similar_node_groups=True)
    lab.ask(make_proposed(count=16))
    lab.loop()
    assert lab.cloud.calls == [("increase", "ng-a", 4)]


def test_a_refused_increase_leaves_nothing_and_is_tried_again() -> None:
    """CV-31, PR-231f: 60, 120, 240, 480, 600, 600 s between the attempts; the group is not backed off."""
    lab = laboratory()
    lab.cloud.rejecting.add("ng-a")
    lab.ask(make_proposed(count=10))
    called = []
    for second in range(2200):
        before = len(lab.cloud.calls)
        lab.loop(0.5 if second == 0 else 1)
        called += [second] * (len(lab.cloud.calls) - before)
    assert called == [0, 60, 180, 420, 900, 1500, 2100]
    assert lab.told("r") == [BACK_OFF]
    assert lab.message("r", "Provisioned").startswith("Attempt 7 failed: rpc error: code = ResourceExhausted")


@pytest.mark.parametrize("booted", [False, True])
def test_a_machine_that_fails_takes_the_others_with_it(booted: bool) -> None:
    """CV-30, PR-231e, PR-361, PR-362: whether the others are there already or not."""
    lab = laboratory()
    lab.ask(make_proposed(count=12))
    lab.loop()
    if booted:
        lab.boot("ng-a", but=["sim://ng-a-1"])
        lab.loop(30)
    failing(lab, 1)
    lab.loop(10)
    assert sizes(lab) == (0, 0)
    assert lab.cloud.calls[-1] == ("delete", "ng-a", [f"sim://ng-a-{n}" for n in range(3)])
    assert lab.told("r") == [BACK_OFF]
    assert "Attempt 1 failed: sim://ng-a-1 does not come: no machines left" in lab.message("r", "Provisioned")


def test_after_a_roll_back_the_next_attempt_succeeds() -> None:
    """PR-209: the delay counts from the end of the roll-back; PR-231e: the group is not held back."""
    lab = laboratory()
    lab.ask(make_proposed(count=12))
    lab.loop()
    failing(lab, 0)
    lab.loop(30.5)
    lab.remove_nodes()
    lab.loop(59)
    assert growth(lab) == [3]
    lab.loop(1)
    assert growth(lab) == [3, 3]
    lab.boot("ng-a")
    lab.loop(10)
    assert lab.told("r") == [PROVISIONED]


def test_machines_that_never_come_are_given_up() -> None:
    """PR-231g, PR-363…365: what has come by the end of the time to provision goes too."""
    lab = laboratory()
    lab.ask(make_proposed(count=12))
    lab.loop()
    lab.boot("ng-a", but=["sim://ng-a-2"])
    lab.loop(900)
    assert lab.told("r") == []
    lab.loop(1)
    assert (lab.told("r"), sizes(lab)) == ([BACK_OFF], (0, 0))
    assert "only 2 of 3 nodes became ready in time" in lab.message("r", "Provisioned")


def test_machines_that_are_counted_and_not_listed_are_given_up() -> None:
    """N7: the size of the group goes back, by the nodes that never had a machine."""
    lab = laboratory()
    lab.ask(make_proposed(count=12))
    lab.loop()
    lab.cloud.known["ng-a"] = replace(lab.cloud.known["ng-a"], instances=[])
    lab.loop(901)
    assert (lab.cloud.calls[1:], sizes(lab)) == ([("decrease", "ng-a", 3)], (0, 0))
    assert lab.told("r") == [BACK_OFF]


def test_a_machine_that_vanishes_ends_the_attempt() -> None:
    lab = laboratory()
    lab.ask(make_proposed(count=12))
    lab.loop()
    lab.loop(1)
    group = lab.cloud.known["ng-a"]
    lab.cloud.known["ng-a"] = replace(group, target=2, instances=group.instances[1:])
    lab.loop(1)
    assert sizes(lab) == (0, 0)
    assert "sim://ng-a-0 is gone" in lab.message("r", "Provisioned")


def test_a_roll_back_that_fails_is_tried_again_before_anything_is_said() -> None:
    lab = laboratory()
    lab.ask(make_proposed(count=4))
    lab.loop()
    failing(lab, 0)
    lab.cloud.refusing_to_delete = True
    lab.loop(10)
    assert lab.told("r") == []
    lab.cloud.refusing_to_delete = False
    lab.cloud.known["ng-a"] = replace(lab.cloud.known["ng-a"], target=0, instances=[])
    lab.loop(10)
    assert (lab.told("r"), sizes(lab)) == ([BACK_OFF], (0, 0))
    assert "no machines left" in lab.message("r", "Provisioned"), "the first cause is the one that is told"


def test_nodes_of_a_running_attempt_are_guarded_and_then_not() -> None:
    """CV-33, PR-210, PR-211, PR-374: their time counts from the answer."""
    lab = laboratory(scale_down_unneeded_time=60.0, max_node_provision_time=1000.0)
    lab.ask(make_proposed(count=8))
    lab.loop()
    lab.boot("ng-a", but=["sim://ng-a-1"])
    for _ in range(20):
        lab.loop(20)
    assert sizes(lab) == (2, 2)
    lab.boot("ng-a")
    lab.loop(1)
    assert lab.told("r") == [PROVISIONED]
    lab.loop(60)
    assert sizes(lab) == (2, 2)
    lab.loop(1)
    assert sizes(lab) == (0, 0)


def test_a_restart_forgets_the_attempt() -> None:
    """PR-318: its nodes are ordinary ones, which a new attempt may find."""
    lab = laboratory()
    lab.ask(make_proposed(count=8))
    lab.loop()
    lab.restart()
    lab.boot("ng-a")
    lab.loop(30)
    assert (lab.told("r"), growth(lab)) == ([PROVISIONED], [2])


def test_a_roll_back_leaves_the_nodes_that_the_group_had() -> None:
    """PR-205: only the machines of this attempt go."""
    lab = laboratory()
    lab.cloud.known["ng-a"] = group(target=2)
    lab.boot("ng-a")
    for index in range(2):
        lab.server.put(kinds.PODS, pod_object(f"busy{index}", node=f"ng-a-{index}", cpu="4"))
    lab.ask(make_proposed(count=8))
    lab.loop()
    lab.loop(1)
    failing(lab, 3)
    lab.loop(1)
    assert lab.cloud.calls[-1] == ("delete", "ng-a", ["sim://ng-a-2", "sim://ng-a-3"])
    assert sizes(lab) == (2, 2)


def test_an_attempt_takes_back_nothing_of_another() -> None:
    """Two requests wait for machines of one group: the failure of one is not that of the other."""
    lab = laboratory()
    lab.ask(make_proposed("a", count=4))
    lab.loop()
    lab.ask(make_proposed("b", count=4))
    lab.loop(1)
    lab.loop(1)
    failing(lab, 0)
    lab.loop(1)
    assert lab.cloud.calls[-1] == ("delete", "ng-a", ["sim://ng-a-0"])
    lab.boot("ng-a")
    lab.loop(1)
    assert (lab.told("a"), lab.told("b")) == ([BACK_OFF], [PROVISIONED])


def test_ready_nodes_of_a_running_attempt_are_no_room() -> None:
    """PR-201, PR-206: they may still be taken back."""
    lab = laboratory()
    lab.ask(make_proposed("a", count=8))
    lab.loop()
    lab.boot("ng-a", but=["sim://ng-a-1"])
    lab.loop(1)
    lab.ask(make_proposed("b", count=4))
    lab.loop(1)
    assert growth(lab) == [2, 1]


def test_the_end_is_told_when_nothing_of_the_attempt_is_left() -> None:
    """PR-208: rolled back first, also where that takes several loops."""
    lab = laboratory()
    lab.ask(make_proposed(count=4, parameters={"ValidUntilSeconds": "90"}))
    lab.loop()
    lab.cloud.refusing_to_delete = True
    lab.loop(90)
    assert lab.told("r") == []
    lab.cloud.refusing_to_delete = False
    lab.loop(10)
    assert (lab.told("r"), sizes(lab)) == ([EXPIRED], (0, 0))

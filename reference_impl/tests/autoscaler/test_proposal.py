"""Requests of the proposal (PR-200…221, CV-28…33), on a clock that is moved by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from reference_impl.api import kinds
from reference_impl.api.resource import Json, Key
from reference_impl.autoscaler.cloud import InstanceError
from reference_impl.autoscaler.proposal.requests import ATOMIC_SCALE_UP, CHECK_CAPACITY, RESOURCE

from .laboratory import Laboratory
from .objects import group, pod_object, proposed

AVAILABLE = "CapacityAvailable=True/CapacityFound"
NOT_AVAILABLE = "CapacityAvailable=False/CapacityNotFound"
PROVISIONED = "Provisioned=True/Provisioned"
BACK_OFF = "Provisioned=False/BackOff"
EXPIRED = "Failed=True/ValidUntilExpired"
INVALID = "Failed=True/InvalidParameter"
OLD_KEY = "cluster-autoscaler.kubernetes.io/consume-provisioning-request"
NEW_KEY = "autoscaling.x-k8s.io/consume-provisioning-request"
WEEK = 7 * 24 * 3600


def laboratory(nodes: int = 0, **flags: Json) -> Laboratory:
    return Laboratory(group(), nodes=nodes, rules="aep", **flags)


def failing(lab: Laboratory, index: int, name: str = "ng-a") -> None:
    """Let a machine of a group end in an error."""
    known = lab.cloud.known[name]
    instances = list(known.instances)
    instances[index] = replace(instances[index], error=InstanceError("STOCKOUT", "no machines left", True))
    lab.cloud.known[name] = replace(known, instances=instances)


def sizes(lab: Laboratory) -> tuple[int, int]:
    """Return the target of the group and how many machines it has."""
    known = lab.cloud.known["ng-a"]
    return known.target, len(known.instances)


def growth(lab: Laboratory) -> Sequence[int]:
    return [delta for verb, _, delta in lab.cloud.calls if verb == "increase"]


def test_a_check_is_answered_by_one_write() -> None:
    """PR-202, DA-07: nothing is accepted before."""
    lab = laboratory(nodes=3)
    lab.ask(proposed(count=12, class_name=CHECK_CAPACITY))
    lab.loop()
    assert lab.server.writes == [("PUT", "r", [AVAILABLE])]
    assert lab.cloud.calls == []


def test_a_check_is_made_once() -> None:
    """PR-230c, CV-28: False is the last answer, whatever comes later."""
    lab = laboratory(nodes=3)
    lab.ask(proposed(count=13, class_name=CHECK_CAPACITY))
    lab.loop()
    lab.add_node("fourth")
    for _ in range(20):
        lab.loop(60)
    assert lab.server.writes == [("PUT", "r", [NOT_AVAILABLE])]


def test_checks_know_nothing_of_each_other() -> None:
    """PR-201, PR-230d: both are told of the same room."""
    lab = laboratory(nodes=3)
    for name in ("a", "b"):
        lab.ask(proposed(name, count=8, class_name=CHECK_CAPACITY))
    lab.loop()
    lab.loop()
    assert lab.told("a") == lab.told("b") == [AVAILABLE]


def test_what_was_found_is_not_kept() -> None:
    """PR-230e: the nodes go when they were not needed for long enough."""
    lab = laboratory()
    lab.cloud.known["ng-a"] = group(target=1)
    lab.add_node("one", "sim://ng-a-0")
    lab.ask(proposed(class_name=CHECK_CAPACITY))
    lab.loop()
    lab.loop(600)
    assert sizes(lab) == (1, 1)
    lab.loop(1)
    assert sizes(lab) == (0, 0)


def test_an_atomic_request_is_provisioned_when_its_last_node_is_ready() -> None:
    """PR-206, CV-29: nothing is said before."""
    lab = laboratory()
    lab.ask(proposed(count=10))
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
    lab.ask(proposed(count=12))
    lab.loop()
    assert (lab.told("r"), lab.cloud.calls) == ([PROVISIONED], [])


def test_only_what_is_missing_is_added() -> None:
    """PR-231b."""
    lab = laboratory(nodes=2)
    lab.ask(proposed(count=10))
    lab.loop()
    assert growth(lab) == [1]


def test_nodes_on_their_way_belong_to_their_request() -> None:
    """PR-201, PR-206: a request is never answered by nodes that another waits for."""
    lab = laboratory()
    lab.ask(proposed("a", count=2))
    lab.loop()
    lab.ask(proposed("b", count=2))
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
    lab.ask(proposed(count=16))
    lab.loop()
    assert lab.cloud.calls == [("increase", "ng-a", 4)]


def test_a_refused_increase_leaves_nothing_and_is_tried_again() -> None:
    """CV-31, PR-231f: 60, 120, 240, 480, 600, 600 s between the attempts; the group itself is not held back."""
    lab = laboratory()
    lab.cloud.rejecting.add("ng-a")
    lab.ask(proposed(count=10))
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
    lab.ask(proposed(count=12))
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
    lab.ask(proposed(count=12))
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
    lab.ask(proposed(count=12))
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
    lab.ask(proposed(count=12))
    lab.loop()
    lab.cloud.known["ng-a"] = replace(lab.cloud.known["ng-a"], instances=[])
    lab.loop(901)
    assert (lab.cloud.calls[1:], sizes(lab)) == ([("decrease", "ng-a", 3)], (0, 0))
    assert lab.told("r") == [BACK_OFF]


def test_a_machine_that_vanishes_ends_the_attempt() -> None:
    lab = laboratory()
    lab.ask(proposed(count=12))
    lab.loop()
    lab.loop(1)
    known = lab.cloud.known["ng-a"]
    lab.cloud.known["ng-a"] = replace(known, target=2, instances=known.instances[1:])
    lab.loop(1)
    assert sizes(lab) == (0, 0)
    assert "sim://ng-a-0 is gone" in lab.message("r", "Provisioned")


def test_a_roll_back_that_fails_is_tried_again_before_anything_is_said() -> None:
    lab = laboratory()
    lab.ask(proposed(count=4))
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


@pytest.mark.parametrize(
    "value",
    ["", " 90", "90 ", "+90", "-1", "1.5", "90s", "2h", "007", "2147483648", "99999999999", "banana", "٣"],
)
def test_an_invalid_deadline_fails_a_request_before_any_attempt(value: str) -> None:
    """CV-32, PR-207."""
    lab = laboratory()
    lab.ask(proposed(count=10, parameters={"ValidUntilSeconds": value}))
    lab.loop()
    lab.loop(100)
    assert (lab.told("r"), lab.cloud.calls) == ([INVALID], [])
    assert lab.message("r", "Failed").startswith(f"Parameter ValidUntilSeconds: {value!r} is not")


def test_a_deadline_is_nothing_to_a_check() -> None:
    lab = laboratory(nodes=1)
    lab.ask(proposed(class_name=CHECK_CAPACITY, parameters={"ValidUntilSeconds": "banana"}))
    lab.loop()
    assert lab.told("r") == [AVAILABLE]


def test_a_deadline_ends_the_tries() -> None:
    """PR-208, PR-231i: attempts at 0 and 60 s, failed in second 90."""
    lab = laboratory()
    lab.cloud.rejecting.add("ng-a")
    lab.ask(proposed(count=10, parameters={"ValidUntilSeconds": "90"}))
    ended = []
    for second in range(200):
        lab.loop(0.5 if second == 0 else 1)
        if EXPIRED in lab.told("r"):
            ended.append(second)
    assert (len(growth(lab)), ended[0]) == (2, 90)


def test_a_deadline_takes_a_running_attempt_back() -> None:
    """PR-208."""
    lab = laboratory()
    lab.ask(proposed(count=10, parameters={"ValidUntilSeconds": "90"}))
    lab.loop()
    lab.boot("ng-a", but=["sim://ng-a-2"])
    lab.loop(89)
    assert (lab.told("r"), sizes(lab)) == ([], (3, 3))
    lab.loop(1)
    assert (lab.told("r"), sizes(lab)) == ([EXPIRED], (0, 0))


@pytest.mark.parametrize("rejects", [True, False])
def test_zero_seconds_are_one_attempt(rejects: bool) -> None:
    """PR-208: which is not cut short."""
    lab = laboratory()
    lab.ask(proposed(count=4, parameters={"ValidUntilSeconds": "0"}))
    if rejects:
        lab.cloud.rejecting.add("ng-a")
    lab.loop(1)
    lab.loop(60)
    lab.boot("ng-a")
    lab.loop(60)
    lab.loop(600)
    assert lab.told("r") == ([EXPIRED] if rejects else [PROVISIONED])
    assert growth(lab) == [1]


def test_a_deadline_may_be_as_long_as_a_number_is() -> None:
    lab = laboratory()
    lab.ask(proposed(count=4, parameters={"ValidUntilSeconds": "2147483647"}))
    lab.loop()
    assert growth(lab) == [1]


def test_nodes_of_a_running_attempt_are_guarded_and_then_not() -> None:
    """CV-33, PR-210, PR-211, PR-374: their time counts from the answer."""
    lab = laboratory(scale_down_unneeded_time=60.0, max_node_provision_time=1000.0)
    lab.ask(proposed(count=8))
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


def test_golden_timeline_of_capacity_that_is_not_used() -> None:
    """GT-4: loops of 10 s, nodes ready at 65; provisioned at 70, deleted at 680."""
    lab = laboratory()
    lab.ask(proposed(count=4))
    lab.loop()
    provisioned = deleted = 0
    for second in range(10, 700, 10):
        if second == 70:
            lab.boot("ng-a")
        lab.loop(10)
        provisioned = provisioned or second * (lab.told("r") == [PROVISIONED])
        deleted = deleted or second * (sizes(lab) == (0, 0))
    assert (provisioned, deleted) == (70, 680)


def test_a_deleted_request_leaves_its_nodes_to_themselves() -> None:
    """PR-231h, CV-22: nothing is rolled back, and nothing is guarded."""
    lab = laboratory(scale_down_unneeded_time=60.0)
    lab.ask(proposed(count=8))
    lab.loop()
    lab.server.store(RESOURCE).put(Key("ns", "r"), None)
    lab.boot("ng-a")
    lab.loop(10)
    assert sizes(lab) == (2, 2)
    lab.loop(61)
    assert sizes(lab) == (0, 0)
    assert lab.memory.attempts.running == ()


def test_a_restart_forgets_the_attempt() -> None:
    """PR-318: its nodes are ordinary ones, which a new attempt may find."""
    lab = laboratory()
    lab.ask(proposed(count=8))
    lab.loop()
    lab.restart()
    lab.boot("ng-a")
    lab.loop(30)
    assert (lab.told("r"), growth(lab)) == ([PROVISIONED], [2])


@pytest.mark.parametrize("class_name", [CHECK_CAPACITY, ATOMIC_SCALE_UP])
def test_a_missing_template_fails_both_classes(class_name: str) -> None:
    """PR-203, PR-230f."""
    lab = laboratory(nodes=1)
    asked = proposed(class_name=class_name)
    asked.object["spec"]["podSets"][0]["podTemplateRef"]["name"] = "other"
    lab.ask(asked)
    lab.loop()
    assert lab.told("r") == ["Failed=True/FailedToCreatePods"]


def test_classes_of_others_are_left_alone() -> None:
    lab = laboratory(nodes=1)
    for name in ("check-capacity.autoscaling.x-k8s.io", "queued-provisioning.gke.io"):
        lab.ask(proposed(name, class_name=name))
    lab.loop()
    assert lab.server.writes == []


@pytest.mark.parametrize(("key", "consumes"), [(OLD_KEY, True), (NEW_KEY, False)])
def test_one_annotation_marks_the_pods_that_consume(key: str, consumes: bool) -> None:
    """PR-212, PR-214, PR-215: whether the request is there or not."""
    lab = laboratory()
    lab.server.put(kinds.PODS, pod_object("c", annotations={key: "missing"}))
    lab.loop(10)
    assert growth(lab) == ([] if consumes else [1])


def test_pods_and_their_request_hear_that_others_took_the_room() -> None:
    """PR-213."""
    lab = laboratory(nodes=1)
    lab.ask(proposed(class_name=CHECK_CAPACITY))
    lab.loop()
    for index in range(4):
        lab.server.put(kinds.PODS, pod_object(f"other{index}", node="free-0"))
    lab.server.put(kinds.PODS, pod_object("c", annotations={OLD_KEY: "r"}))
    lab.loop(10)
    lab.loop(10)
    assert lab.recorded() == [
        ("Pod", "c", "Normal", "ProvisioningRequestConsumed"),
        ("ProvisioningRequest", "r", "Warning", "CapacityConsumedByOthers"),
    ]
    assert lab.cloud.calls == []


def test_consumers_that_come_with_their_request_wait_for_its_nodes() -> None:
    """PR-217, PR-231k: no more nodes than the request asks for, at any time."""
    lab = laboratory()
    lab.ask(proposed(count=10))
    for index in range(10):
        lab.server.put(kinds.PODS, pod_object(f"c{index}", annotations={OLD_KEY: "r"}))
    for _ in range(6):
        lab.loop(10)
    lab.boot("ng-a")
    lab.loop(10)
    lab.loop(10)
    assert (lab.told("r"), growth(lab)) == ([PROVISIONED], [3])


@pytest.mark.parametrize(
    ("count", "class_name", "told"),
    [(1, CHECK_CAPACITY, AVAILABLE), (99, CHECK_CAPACITY, NOT_AVAILABLE), (1, ATOMIC_SCALE_UP, PROVISIONED)],
)
def test_an_answered_request_is_deleted_after_a_week(count: int, class_name: str, told: str) -> None:
    """PR-218."""
    lab = laboratory(nodes=1)
    lab.ask(proposed(count=count, class_name=class_name))
    lab.loop()
    assert lab.told("r") == [told]
    lab.loop(WEEK - 1)
    assert lab.has("r")
    lab.loop(2)
    assert not lab.has("r")


def test_a_request_that_is_still_tried_is_not_deleted() -> None:
    """DA-18: there is no end but that of ValidUntilSeconds, and an attempt that failed is no answer."""
    lab = laboratory()
    lab.ask(proposed(count=1000))
    lab.loop()
    lab.loop(WEEK)
    lab.loop(WEEK)
    assert lab.told("r") == [BACK_OFF]


def test_what_is_remembered_of_deleted_requests_goes() -> None:
    lab = laboratory()
    for index in range(3):
        lab.ask(proposed(f"r{index}", count=1000))
        lab.loop(1)
    assert not lab.memory.attempts.is_empty
    for index in range(3):
        lab.server.store(RESOURCE).put(Key("ns", f"r{index}"), None)
    lab.loop(1)
    assert lab.memory.attempts.is_empty


def test_a_roll_back_leaves_the_nodes_that_the_group_had() -> None:
    """PR-205: only the machines of this attempt go."""
    lab = laboratory()
    lab.cloud.known["ng-a"] = group(target=2)
    lab.boot("ng-a")
    for index in range(2):
        lab.server.put(kinds.PODS, pod_object(f"busy{index}", node=f"ng-a-{index}", cpu="4"))
    lab.ask(proposed(count=8))
    lab.loop()
    lab.loop(1)
    failing(lab, 3)
    lab.loop(1)
    assert lab.cloud.calls[-1] == ("delete", "ng-a", ["sim://ng-a-2", "sim://ng-a-3"])
    assert sizes(lab) == (2, 2)


def test_an_attempt_takes_back_nothing_of_another() -> None:
    """Two requests wait for machines of one group: the failure of one is not that of the other."""
    lab = laboratory()
    lab.ask(proposed("a", count=4))
    lab.loop()
    lab.ask(proposed("b", count=4))
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
    lab.ask(proposed("a", count=8))
    lab.loop()
    lab.boot("ng-a", but=["sim://ng-a-1"])
    lab.loop(1)
    lab.ask(proposed("b", count=4))
    lab.loop(1)
    assert growth(lab) == [2, 1]


def test_the_end_is_told_when_nothing_of_the_attempt_is_left() -> None:
    """PR-208: rolled back first, also where that takes several loops."""
    lab = laboratory()
    lab.ask(proposed(count=4, parameters={"ValidUntilSeconds": "90"}))
    lab.loop()
    lab.cloud.refusing_to_delete = True
    lab.loop(90)
    assert lab.told("r") == []
    lab.cloud.refusing_to_delete = False
    lab.loop(10)
    assert (lab.told("r"), sizes(lab)) == ([EXPIRED], (0, 0))


def test_the_week_counts_from_the_last_answer() -> None:
    """PR-218: an attempt that failed before was none."""
    lab = laboratory()
    lab.cloud.rejecting.add("ng-a")
    day = 24 * 3600
    lab.ask(proposed(count=4, parameters={"ValidUntilSeconds": str(6 * day)}))
    lab.loop()
    lab.loop(6 * day)
    assert lab.told("r") == [BACK_OFF, EXPIRED]
    lab.loop(2 * day)
    assert lab.has("r")
    lab.loop(5 * day + 1)
    assert not lab.has("r")

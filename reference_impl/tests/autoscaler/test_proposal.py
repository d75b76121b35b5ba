"""Requests of the proposal (PR-200…221, CV-28…33), on a clock that is moved by hand."""

from __future__ import annotations

import pytest

from reference_impl.api import kinds
from reference_impl.api.resource import Key
from reference_impl.autoscaler.proposal.requests import ATOMIC_SCALE_UP, CHECK_CAPACITY, RESOURCE

from .objects import group, make_proposed, pod_object
from .proposal import (
    AVAILABLE,
    BACK_OFF,
    EXPIRED,
    NEW_KEY,
    NOT_AVAILABLE,
    OLD_KEY,
    PROVISIONED,
    WEEK,
    growth,
    laboratory,
    sizes,
)


def test_a_check_is_answered_by_one_write() -> None:
    """PR-202, DA-07: nothing is accepted before."""
    lab = laboratory(nodes=3)
    lab.ask(make_proposed(count=12, class_name=CHECK_CAPACITY))
    lab.loop()
    assert lab.server.writes == [("PUT", "r", [AVAILABLE])]
    assert lab.cloud.calls == []


def test_a_check_is_made_once() -> None:
    """PR-230c, CV-28: False is the last answer, whatever comes later."""
    lab = laboratory(nodes=3)
    lab.ask(make_proposed(count=13, class_name=CHECK_CAPACITY))
    lab.loop()
    lab.add_node("fourth")
    for _ in range(20):
        lab.loop(60)
    assert lab.server.writes == [("PUT", "r", [NOT_AVAILABLE])]


def test_checks_know_nothing_of_each_other() -> None:
    """PR-201, PR-230d: both are told of the same room."""
    lab = laboratory(nodes=3)
    for name in ("a", "b"):
        lab.ask(make_proposed(name, count=8, class_name=CHECK_CAPACITY))
    lab.loop()
    lab.loop()
    assert lab.told("a") == lab.told("b") == [AVAILABLE]


def test_what_was_found_is_not_kept() -> None:
    """PR-230e: the nodes go when they were not needed for long enough."""
    lab = laboratory()
    lab.cloud.known["ng-a"] = group(target=1)
    lab.add_node("one", "sim://ng-a-0")
    lab.ask(make_proposed(class_name=CHECK_CAPACITY))
    lab.loop()
    lab.loop(600)
    assert sizes(lab) == (1, 1)
    lab.loop(1)
    assert sizes(lab) == (0, 0)


def test_golden_timeline_of_capacity_that_is_not_used() -> None:
    """GT-4: loops of 10 s, nodes ready at 65; provisioned at 70, deleted at 680."""
    lab = laboratory()
    lab.ask(make_proposed(count=4))
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
    lab.ask(make_proposed(count=8))
    lab.loop()
    lab.server.store(RESOURCE).put(Key("ns", "r"), None)
    lab.boot("ng-a")
    lab.loop(10)
    assert sizes(lab) == (2, 2)
    lab.loop(61)
    assert sizes(lab) == (0, 0)
    assert lab.autoscaler_state.attempts.running == ()


@pytest.mark.parametrize("class_name", [CHECK_CAPACITY, ATOMIC_SCALE_UP])
def test_a_missing_template_fails_both_classes(class_name: str) -> None:
    """PR-203, PR-230f."""
    lab = laboratory(nodes=1)
    proposed_request = make_proposed(class_name=class_name)
    proposed_request.object["spec"]["podSets"][0]["podTemplateRef"]["name"] = "other"
    lab.ask(proposed_request)
    lab.loop()
    assert lab.told("r") == ["Failed=True/FailedToCreatePods"]


def test_classes_of_others_are_left_alone() -> None:
    lab = laboratory(nodes=1)
    for name in ("check-capacity.autoscaling.x-k8s.io", "queued-provisioning.gke.io"):
        lab.ask(make_proposed(name, class_name=name))
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
    lab.ask(make_proposed(class_name=CHECK_CAPACITY))
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
    lab.ask(make_proposed(count=10))
    for index in range(10):
        lab.server.put(kinds.PODS, pod_object(f"c{index}", annotations={OLD_KEY: "r"}))
    for _ in range(6):
        lab.loop(10)
    lab.boot("ng-a")
    lab.loop(10)
    lab.loop(10)
    assert (lab.told("r"), growth(lab)) == ([PROVISIONED], [3])


@pytest.mark.parametrize(
    ("count", "class_name", "expected"),
    [(1, CHECK_CAPACITY, AVAILABLE), (99, CHECK_CAPACITY, NOT_AVAILABLE), (1, ATOMIC_SCALE_UP, PROVISIONED)],
)
def test_an_answered_request_is_deleted_after_a_week(count: int, class_name: str, expected: str) -> None:
    """PR-218."""
    lab = laboratory(nodes=1)
    lab.ask(make_proposed(count=count, class_name=class_name))
    lab.loop()
    assert lab.told("r") == [expected]
    lab.loop(WEEK - 1)
    assert lab.has("r")
    lab.loop(2)
    assert not lab.has("r")


def test_a_request_that_is_still_tried_is_not_deleted() -> None:
    """DA-18: there is no end but that of ValidUntilSeconds, and an attempt that failed is no answer."""
    lab = laboratory()
    lab.ask(make_proposed(count=1000))
    lab.loop()
    lab.loop(WEEK)
    lab.loop(WEEK)
    assert lab.told("r") == [BACK_OFF]


def test_what_is_remembered_of_deleted_requests_goes() -> None:
    lab = laboratory()
    for index in range(3):
        lab.ask(make_proposed(f"r{index}", count=1000))
        lab.loop(1)
    assert not lab.autoscaler_state.attempts.is_empty
    for index in range(3):
        lab.server.store(RESOURCE).put(Key("ns", f"r{index}"), None)
    lab.loop(1)
    assert lab.autoscaler_state.attempts.is_empty


def test_the_week_counts_from_the_last_answer() -> None:
    """PR-218: an attempt that failed before was none."""
    lab = laboratory()
    lab.cloud.rejecting.add("ng-a")
    day = 24 * 3600
    lab.ask(make_proposed(count=4, parameters={"ValidUntilSeconds": str(6 * day)}))
    lab.loop()
    lab.loop(6 * day)
    assert lab.told("r") == [BACK_OFF, EXPIRED]
    lab.loop(2 * day)
    assert lab.has("r")
    lab.loop(5 * day + 1)
    assert not lab.has("r")

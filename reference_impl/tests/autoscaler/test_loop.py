"""Requests from their first loop to their end (PR-092…099, A9), on a clock that is moved by hand."""

from __future__ import annotations

import pytest

from reference_impl.api import kinds
from reference_impl.api.resource import Key
from reference_impl.autoscaler.requests.request import BEST_EFFORT_ATOMIC

from .laboratory import Laboratory
from .objects import group, request

ACCEPTED = "Accepted=True/Accepted"
FOUND = "Provisioned=True/CapacityIsFound"
SCALED_UP = "Provisioned=True/CapacityIsProvisioned"
NOT_FOUND = "Provisioned=False/CapacityIsNotFound"


def test_room_is_found_and_no_group_grows() -> None:
    """CV-01, PR-126: accepted and answered by two writes of one loop."""
    lab = Laboratory(group(), nodes=3)
    lab.ask(request(count=12))
    assert lab.loop()
    assert lab.server.writes == [("PUT", "r", [ACCEPTED]), ("PUT", "r", [ACCEPTED, FOUND])]
    assert lab.cloud.calls == []


def test_no_room_is_tried_again_and_found_later() -> None:
    """CV-02, CV-04."""
    lab = Laboratory(group(), nodes=3)
    lab.ask(request(count=13))
    lab.loop()
    assert lab.told("r") == [ACCEPTED, NOT_FOUND]
    lab.add_node("fourth")
    assert not lab.loop(60)
    assert lab.loop(1)
    assert lab.told("r") == [ACCEPTED, FOUND]


@pytest.mark.parametrize(
    ("value", "expected"),
    [("true", "Failed=True/CapacityIsNotFound"), ("yes", NOT_FOUND), ("false", NOT_FOUND)],
)
def test_without_a_retry(value: str, expected: str) -> None:
    """CV-05, CV-06."""
    lab = Laboratory(group())
    lab.ask(request(parameters={"noRetry": value}))
    lab.loop()
    assert lab.told("r") == [ACCEPTED, expected]


def test_what_was_found_is_booked_until_its_time_is_over() -> None:
    """PR-230d, CV-13: of two requests for the same room the second waits for the end of the first."""
    lab = Laboratory(group(), nodes=3, scale_down_enabled=False)
    lab.ask(request("a", count=8))
    lab.ask(request("b", count=8))
    lab.loop()
    lab.loop()
    assert (lab.told("a"), lab.told("b")) == ([ACCEPTED, FOUND], [ACCEPTED, NOT_FOUND])
    for _ in range(10):
        lab.loop(60)
    assert lab.told("a") == [ACCEPTED, FOUND], "exactly 600 s: still booked"
    lab.loop(0.5)
    assert lab.told("a") == [ACCEPTED, FOUND, "BookingExpired=True/CapacityReservationTimeExpired"]
    lab.loop(600)
    assert lab.told("b") == [ACCEPTED, FOUND]


def test_a_group_grows_for_an_atomic_request() -> None:
    """CV-10, PR-153: true as soon as the cloud has taken the order; by apply, without a generation."""
    lab = Laboratory(group())
    lab.ask(request(count=10, class_name=BEST_EFFORT_ATOMIC))
    lab.loop()
    assert lab.cloud.calls == [("increase", "ng-a", 3)]
    assert lab.server.writes == [("PUT", "r", [ACCEPTED]), ("APPLY", "r", [SCALED_UP])]
    assert (
        "observedGeneration"
        not in lab.server.store(kinds.PROVISIONING_REQUESTS).get(Key("ns", "r"))["status"]["conditions"][1]
    )


def test_an_atomic_request_that_fits_needs_no_nodes() -> None:
    """CV-09."""
    lab = Laboratory(group(), nodes=1)
    lab.ask(request(count=4, class_name=BEST_EFFORT_ATOMIC))
    lab.loop()
    assert (lab.told("r"), lab.cloud.calls) == ([ACCEPTED, FOUND], [])


def test_nodes_on_their_way_are_room_that_is_taken() -> None:
    """PR-114: the second request finds what the first booked, and has more nodes added."""
    lab = Laboratory(group())
    lab.ask(request("a", count=4, class_name=BEST_EFFORT_ATOMIC))
    lab.loop()
    lab.ask(request("b", count=4, class_name=BEST_EFFORT_ATOMIC))
    lab.loop(1)
    assert lab.cloud.calls == [("increase", "ng-a", 1), ("increase", "ng-a", 1)]


def test_a_refused_increase_leaves_its_group_alone() -> None:
    """CV-11, PR-172, GT-7: the next real call comes with the first attempt after the time of the group."""
    lab = Laboratory(group(), initial_node_group_backoff_duration=300.0)
    lab.cloud.rejecting.add("ng-a")
    lab.ask(request(count=10, class_name=BEST_EFFORT_ATOMIC))
    called = []
    for second in range(1, 1600):
        before = len(lab.cloud.calls)
        lab.loop(1)
        called += [second - 1] * (len(lab.cloud.calls) - before)
    assert lab.told("r") == [ACCEPTED, NOT_FOUND]
    assert [round(moment, -1) for moment in called] == [0, 420, 1500]


def test_missing_templates_fail_a_request_at_once_and_for_good() -> None:
    """CV-07, finding N16."""
    lab = Laboratory(group(), nodes=1)
    capacity_request = request()
    capacity_request.object["spec"]["podSets"][0]["podTemplateRef"]["name"] = "other"
    lab.ask(capacity_request)
    lab.loop()
    assert lab.told("r") == ["Failed=True/FailedToCreatePods"]


def test_a_template_that_goes_ends_its_booking() -> None:
    """CV-08."""
    lab = Laboratory(group(), nodes=1, scale_down_enabled=False)
    lab.ask(request())
    lab.loop()
    lab.server.store(kinds.POD_TEMPLATES).put(Key("ns", "t"), None)
    lab.loop(1)
    assert lab.told("r") == [ACCEPTED, FOUND, "Failed=True/FailedToBookCapacity"]


def test_a_result_that_is_refused_counts_for_the_program() -> None:
    """PR-090a: the room is booked, and the result comes with the end of the booking, by one write."""
    lab = Laboratory(group(), nodes=1, scale_down_enabled=False)
    lab.ask(request("a", count=4))
    lab.server.refuses = 422
    lab.loop()
    lab.server.refuses = 0
    assert lab.told("a") == []
    lab.loop(1)
    assert lab.told("a") == [ACCEPTED, FOUND], "accepted was refused, so it is picked again"


def test_a_batch_answers_each_beside_those_before() -> None:
    """PR-128, PR-129: accepted and the answer are one write."""
    lab = Laboratory(group(), nodes=2, check_capacity_batch_processing=True, scale_down_enabled=False)
    for name in ("a", "b", "c"):
        lab.ask(request(name, count=5 if name != "c" else 3))
    lab.loop()
    assert lab.server.writes == [
        ("PUT", "a", [ACCEPTED, FOUND]),
        ("PUT", "b", [ACCEPTED, NOT_FOUND]),
        ("PUT", "c", [ACCEPTED, FOUND]),
    ]


def test_a_lone_request_in_batches_waits_for_the_longest_delay() -> None:
    """PR-124d, GT-2 as it was seen (finding X3)."""
    lab = Laboratory(group(), check_capacity_batch_processing=True)
    lab.ask(request())
    tried = []
    for second in range(1300):
        before = len(lab.server.writes)
        lab.loop(1 if second else 0.4)
        tried += [second] * (len(lab.server.writes) - before)
    assert tried == [0, 600, 1200]


def test_unused_nodes_go_when_they_were_not_needed_for_long_enough() -> None:
    """PR-194, GT-5: not within the time after a scale-up, nor before the node was unneeded for its time."""
    lab = Laboratory(group())
    lab.ask(request(count=4, class_name=BEST_EFFORT_ATOMIC))
    lab.loop()
    lab.add_node("ng-a-0", "sim://ng-a-0")
    lab.server.store(kinds.PROVISIONING_REQUESTS).put(Key("ns", "r"), None)
    lab.loop(190)
    assert not lab.loop(600)
    assert lab.loop(1)
    assert lab.cloud.calls[-1] == ("delete", "ng-a", ["sim://ng-a-0"])


def test_a_booked_node_stays() -> None:
    """PR-382, PR-372."""
    lab = Laboratory(group(), scale_down_unneeded_time=5.0, scale_down_delay_after_add=0.0)
    lab.ask(request(count=4, class_name=BEST_EFFORT_ATOMIC))
    lab.loop()
    lab.add_node("ng-a-0", "sim://ng-a-0")
    for _ in range(20):
        lab.loop(10)
    assert lab.cloud.calls == [("increase", "ng-a", 1)]


def test_nothing_is_remembered_of_pods_and_nodes_that_are_gone() -> None:
    lab = Laboratory(group(), nodes=1)
    lab.ask(request(count=4))
    lab.loop()
    lab.loop(1)
    remembered = len(lab.autoscaler_state.hints)
    lab.server.store(kinds.PROVISIONING_REQUESTS).put(Key("ns", "r"), None)
    lab.loop(1)
    assert (remembered, lab.autoscaler_state.hints) == (4, {})


@pytest.mark.parametrize(
    ("refuses", "pauses"), [(0, [0.0, 10.0]), (500, [0.0, 1.0, 1.0])], ids=["writes taken", "writes refused"]
)
def test_a_loop_that_changes_nothing_is_not_followed_at_once(refuses: int, pauses: list[float]) -> None:
    """PR-106, PR-304: while every write is refused the request stays due,
    and the loop would repeat itself without end.
    """
    lab = Laboratory(group(), nodes=3)
    lab.server.refuses = refuses
    lab.ask(request(count=12))
    assert [lab.pause() for _ in pauses] == pauses

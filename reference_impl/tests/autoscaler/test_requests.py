"""Requests: which are served, when they are tried again, when they end, what their pods are."""

from __future__ import annotations

from collections import Counter

import pytest

from reference_impl.api import instants
from reference_impl.api.resource import Json, Key, key_of
from reference_impl.autoscaler.requests import conditions
from reference_impl.autoscaler.requests.expiry import (
    NEVER,
    RequestExpiry,
    deletion_time,
    find_expiry,
    limit_expirations,
)
from reference_impl.autoscaler.requests.pods import NoPodsError, RequestPods, keep_pod_spec, pod_annotations
from reference_impl.autoscaler.requests.request import BEST_EFFORT_ATOMIC, CHECK_CAPACITY, ProvisioningRequest
from reference_impl.autoscaler.requests.retries import RequestBackoff
from reference_impl.autoscaler.requests.routing import ROUTING
from reference_impl.runtime.store import Store

from .objects import START, condition, request, template

ROUTES = {
    "PR-109a": ("", BEST_EFFORT_ATOMIC, None, True),
    "PR-109b": ("x", BEST_EFFORT_ATOMIC, None, False),
    "PR-109c": ("", CHECK_CAPACITY, None, True),
    "PR-109d": ("", CHECK_CAPACITY, "y", False),
    "PR-109e": ("x", CHECK_CAPACITY, "x", True),
    "PR-109f": ("x", CHECK_CAPACITY, "y", False),
    "PR-109g": ("x-", "x-" + CHECK_CAPACITY, None, True),
    "X17": ("x-", "x-" + CHECK_CAPACITY, "x-", False),
    "PR-109h": ("", "queued-provisioning.gke.io", None, False),
}


@pytest.mark.parametrize("row", ROUTES)
def test_which_instance_serves_a_request(row: str) -> None:
    instance, class_name, named, served = ROUTES[row]
    parameters = {"processorInstance": named} if named else None
    assert ROUTING.is_served(request(class_name=class_name, parameters=parameters), instance) is served


def attempts(retries: RequestBackoff, seconds: int) -> list[int]:
    """Try a request once a second, 0.4 s after the full one,
    and note when it is tried; it never finds capacity.
    """
    tried, current = [], request()
    for second in range(seconds):
        if retries.is_due(current, START + second + 0.4):
            tried.append(second)
            current = ProvisioningRequest(
                conditions.with_conditions(current, [conditions.NOT_FOUND], START + second + 0.4)
            )
    return tried


def test_the_delay_doubles_up_to_its_limit() -> None:
    """GT-1 as the real one was seen to do it (finding X2)."""
    assert attempts(RequestBackoff(60, 600, 1000), 2200) == [0, 60, 180, 420, 900, 1500, 2100]
    assert attempts(RequestBackoff(5, 40, 1000), 130) == [0, 5, 15, 35, 75, 115]


def test_each_request_has_its_own_delay_and_the_oldest_is_forgotten() -> None:
    first, other = (request(name, conditions=[condition("Provisioned", "False")]) for name in ("a", "b"))
    retries = RequestBackoff(60, 600, 1)
    assert retries.is_due(first, START + 61)
    assert not retries.is_due(first, START + 100), "its delay is 120 now"
    assert retries.is_due(other, START + 61)
    assert retries.is_due(first, START + 100), "forgotten, so 60 again"


@pytest.mark.parametrize(
    ("kind", "status"), [("Provisioned", "True"), ("Provisioned", "Unknown"), ("Failed", "True")]
)
def test_what_has_its_answer_is_not_tried(kind: str, status: str) -> None:
    assert not RequestBackoff(60, 600, 1000).is_due(
        request(conditions=[condition(kind, status)]), START + 1e6
    )


def test_a_booking_ends_in_its_600th_second_and_not_before() -> None:
    """The stored time is cut to the second, the present is not (finding X1)."""
    booked = request(conditions=[condition("Provisioned")])
    assert find_expiry(booked) == RequestExpiry(START + 600, conditions.BOOKING_OVER)


def test_a_request_fails_after_seven_days_and_is_deleted_seven_days_after_its_answer() -> None:
    week = 7 * 24 * 3600
    waiting = request(conditions=[condition("Accepted")])
    assert find_expiry(waiting) == RequestExpiry(START + week, conditions.EXPIRED)
    for kind, status in (("Provisioned", "False"), ("Failed", "False"), ("Provisioned", "Unknown")):
        old = request(class_name="of.others", conditions=[condition(kind, status)])
        assert deletion_time(old) == START + week, (kind, status)
    answered = request(
        conditions=[condition(kind) for kind in ("Accepted", "BookingExpired", "CapacityRevoked")]
    )
    assert deletion_time(answered) == NEVER


def test_one_loop_ends_a_bounded_number() -> None:
    """PR-140: 20 bookings; requests while both together are fewer than 20, in the order of the list."""
    booked = [request(f"b{n}", conditions=[condition("Provisioned")]) for n in range(21)]
    late = [request(f"f{n}", created="2025-12-01T00:00:00Z") for n in range(20)]
    counts = [
        Counter(
            expired.type
            for _, expired in limit_expirations(
                [(candidate, find_expiry(candidate).condition) for candidate in all_over]
            )
        )
        for all_over in (booked, late + booked, booked + late)
    ]
    assert counts == [{"BookingExpired": 20}, {"BookingExpired": 20, "Failed": 20}, {"BookingExpired": 20}]


def store_of(*objects: Json) -> Store:
    store = Store()
    for obj in objects:
        store.put(key_of(obj), obj)
    return store


def test_pods_are_made_from_templates() -> None:
    pods = RequestPods(store_of(template("500m")), keep_pod_spec, pod_annotations)(request(count=3))
    assert [(pod.name, pod.uid, pod.shape.requests["cpu"]) for pod in pods] == [
        (f"r-0-{n}", f"ns/r-0-{n}", 500) for n in range(3)
    ]
    assert pods[0].annotations == {
        "autoscaling.x-k8s.io/consume-provisioning-request": "r",
        "autoscaling.x-k8s.io/provisioning-class-name": CHECK_CAPACITY,
    }


def test_missing_templates_are_named_as_often_as_they_are_used() -> None:
    capacity_request = request()
    capacity_request.object["spec"]["podSets"] = [
        {"podTemplateRef": {"name": name}, "count": 1} for name in ("t", "x-b", "x-b")
    ]
    with pytest.raises(NoPodsError) as error:
        RequestPods(store_of(template()), keep_pod_spec, pod_annotations)(capacity_request)
    assert str(error.value) == (
        "missing pod templates, 3 pod templates were referenced, 2 templates were missing: x-b,x-b"
    )


def test_conditions_keep_their_place_and_take_the_present() -> None:
    before = request(conditions=[condition("Custom"), condition("Accepted")])
    after = conditions.with_conditions(before, [conditions.IS_ACCEPTED, conditions.FOUND], START + 5.9)
    answered = [
        (condition["type"], condition["lastTransitionTime"]) for condition in after["status"]["conditions"]
    ]
    later = instants.render(START + 5)
    assert answered == [("Custom", "2026-01-01T00:00:00Z"), ("Accepted", later), ("Provisioned", later)]
    assert "observedGeneration" not in conditions.render(conditions.FOUND, before, START, observed=False)


def test_a_template_that_changes_is_read_again() -> None:
    there = store_of(template("500m"))
    pods = RequestPods(there, keep_pod_spec, pod_annotations)
    before, second = pods(request(count=2)), pods(request("other"))
    assert before[0].shape is before[1].shape is second[0].shape, "read once"
    there.put(Key("ns", "t"), template("2"))
    assert [pod.shape.requests["cpu"] for pod in pods(request())] == [2000]

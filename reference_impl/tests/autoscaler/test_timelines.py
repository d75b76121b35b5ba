"""Golden timelines of Part F, corrected by the findings (X1…X3):
a loop every ten seconds, 0.4 s after the full one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from reference_impl.api.resource import Key
from reference_impl.autoscaler.requests.request import BEST_EFFORT_ATOMIC

from .laboratory import Laboratory
from .objects import group, make_proposed, request

PHASE = 0.4
WEEK = 7 * 24 * 3600
Doing = Mapping[int, Callable[[], None]]


def attempts(lab: Laboratory, name: str, until: int, step: int = 10, do: Doing | None = None) -> list[int]:
    """Loop, and return the seconds of the loops that wrote an answer about a request."""
    moments = []
    lab.clock.time += PHASE
    for second in range(0, until, step):
        if do and second in do:
            do[second]()
        before = len(lab.server.writes)
        lab.loop(0 if second == 0 else step)
        if any(written == name for _, written, _ in lab.server.writes[before:]):
            moments.append(second)
    return moments


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ("ca-1.31", [0, 10, 610, 1210, 1810]),
        ("ca-1.32", [0, 10, 70, 190, 430, 910, 1510]),
        ("ca-1.36", [0, 60, 180, 420, 900, 1500]),
        ("aep", [0, 60, 180, 420, 900, 1500]),
    ],
)
def test_capacity_that_is_never_there(rules: str, expected: list[int]) -> None:
    """GT-1, by release: before 1.33 a request that is two
    seconds old is not tried in its first loop (finding N4).
    """
    lab = Laboratory(group(most=1), rules=rules)
    capacity_request = (
        request(count=1000, class_name=BEST_EFFORT_ATOMIC) if rules != "aep" else make_proposed(count=1000)
    )
    lab.ask(capacity_request)
    assert attempts(lab, "r", 2000) == expected


@pytest.mark.parametrize(
    ("rules", "expected"), [("ca-1.32", [0, 600, 1200, 1800]), ("ca-1.36", [0, 600, 1200, 1800])]
)
def test_one_request_in_batches(rules: str, expected: list[int]) -> None:
    """GT-2, PR-124d: the delay is asked for twice, so that it has grown to its end when the batch asks."""
    lab = Laboratory(group(), rules=rules, check_capacity_batch_processing=True)
    lab.ask(request(count=1000))
    lab.clock.time += 3 if rules == "ca-1.32" else 0
    assert attempts(lab, "r", 1900) == expected


def grown(lab: Laboratory) -> Doing:
    return {70: lambda: lab.boot("ng-a")}


def lose_machine(lab: Laboratory, until: int, do: Doing) -> int:
    """Loop, and return the second of the loop in which the group has no machines any more."""
    lab.clock.time += PHASE
    for second in range(0, until, 10):
        if second in do:
            do[second]()
        lab.loop(0 if second == 0 else 10)
        if second and lab.cloud.known["ng-a"].target == 0:
            return second
    return 0


@pytest.mark.parametrize(
    ("rules", "end"),
    [
        pytest.param("ca-1.36", 1210, id="booked to 600, unneeded from then on"),
        pytest.param("aep", 680, id="ready and unneeded at 70"),
    ],
)
def test_capacity_that_is_not_used(rules: str, end: int) -> None:
    """GT-4."""
    lab = Laboratory(group(), rules=rules)
    lab.ask(make_proposed(count=4) if rules == "aep" else request(count=4, class_name=BEST_EFFORT_ATOMIC))
    assert lose_machine(lab, 1500, grown(lab)) == end


def test_a_request_that_is_cancelled() -> None:
    """GT-5: at 180 s, provisioned at 0: the nodes are unneeded from the next loop on."""
    lab = Laboratory(group())
    lab.ask(request(count=4, class_name=BEST_EFFORT_ATOMIC))
    store = lab.server.store(lab.rules.request_resource)
    do = {**grown(lab), 180: lambda: store.put(Key("ns", "r"), None)}
    assert lose_machine(lab, 1000, do) == 790


def test_a_request_that_is_impossible() -> None:
    """GT-6: it fails after a week, and goes a week after its last attempt."""
    lab = Laboratory(group(most=1))
    lab.ask(request(count=1000, class_name=BEST_EFFORT_ATOMIC))
    lab.clock.time += PHASE
    failed = deleted = last = 0
    for second in range(0, 2 * WEEK + 1200, 600):
        lab.loop(0 if second == 0 else 600)
        if not lab.has("r"):
            deleted = second
            break
        if not failed and "Failed=True/Expired" in lab.told("r"):
            failed = second
        if not failed:
            last = second
    assert (failed, last, deleted) == (WEEK, WEEK - 600, 2 * WEEK - 600)

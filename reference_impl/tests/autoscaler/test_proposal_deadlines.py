"""The proposal: ValidUntilSeconds ends the tries of an atomic request."""

from __future__ import annotations

import pytest

from reference_impl.autoscaler.proposal.requests import CHECK_CAPACITY

from .objects import make_proposed
from .proposal import (
    AVAILABLE,
    EXPIRED,
    INVALID,
    PROVISIONED,
    growth,
    laboratory,
    sizes,
)


@pytest.mark.parametrize(
    "value",
    ["", " 90", "90 ", "+90", "-1", "1.5", "90s", "2h", "007", "2147483648", "99999999999", "banana", "٣"],
)
def test_an_invalid_deadline_fails_a_request_before_any_attempt(value: str) -> None:
    """CV-32, PR-207."""
    lab = laboratory()
    lab.ask(make_proposed(count=10, parameters={"ValidUntilSeconds": value}))
    lab.loop()
    lab.loop(100)
    assert (lab.told("r"), lab.cloud.calls) == ([INVALID], [])
    assert lab.message("r", "Failed").startswith(f"Parameter ValidUntilSeconds: {value!r} is not")


def test_a_deadline_is_nothing_to_a_check() -> None:
    lab = laboratory(nodes=1)
    lab.ask(make_proposed(class_name=CHECK_CAPACITY, parameters={"ValidUntilSeconds": "banana"}))
    lab.loop()
    assert lab.told("r") == [AVAILABLE]


def test_a_deadline_ends_the_tries() -> None:
    """PR-208, PR-231i: attempts at 0 and 60 s, failed in second 90."""
    lab = laboratory()
    lab.cloud.rejecting.add("ng-a")
    lab.ask(make_proposed(count=10, parameters={"ValidUntilSeconds": "90"}))
    ended = []
    for second in range(200):
        lab.loop(0.5 if second == 0 else 1)
        if EXPIRED in lab.told("r"):
            ended.append(second)
    assert (len(growth(lab)), ended[0]) == (2, 90)


def test_a_deadline_takes_a_running_attempt_back() -> None:
    """PR-208."""
    lab = laboratory()
    lab.ask(make_proposed(count=10, parameters={"ValidUntilSeconds": "90"}))
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
    lab.ask(make_proposed(count=4, parameters={"ValidUntilSeconds": "0"}))
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
    lab.ask(make_proposed(count=4, parameters={"ValidUntilSeconds": "2147483647"}))
    lab.loop()
    assert growth(lab) == [1]

"""Conditions of requests of the proposal, with their reasons (PR-202…209)."""

from __future__ import annotations

from typing import Final

from reference_impl.api import instants

from ..requests.conditions import Condition
from ..requests.request import ACCEPTED, FAILED, PROVISIONED

CAPACITY_AVAILABLE: Final = "CapacityAvailable"
ACCEPTED_NOW: Final = Condition(ACCEPTED, True, "Accepted", "The class of the request allows it")
FOUND: Final = Condition(
    CAPACITY_AVAILABLE, True, "CapacityFound", "Capacity is available in the cluster now; it is not reserved"
)
NOT_FOUND: Final = Condition(
    CAPACITY_AVAILABLE, False, "CapacityNotFound", "Capacity is not available in the cluster"
)
READY: Final = Condition(PROVISIONED, True, "Provisioned", "All nodes of the request are ready")
VALID_UNTIL_EXPIRED: Final = Condition(
    FAILED, True, "ValidUntilExpired", "The time in which the request was to be tried is over"
)


def back_off(attempt: int, problem: str, next_time: float) -> Condition:
    """Say that an attempt failed, why, and when the next one comes (PR-209)."""
    message = f"Attempt {attempt} failed: {problem}; the next one is at {instants.render(next_time)}"
    return Condition(PROVISIONED, False, "BackOff", message)


def invalid(key: str, value: str, expected: str) -> Condition:
    """Say that a parameter cannot be used (PR-207)."""
    return Condition(FAILED, True, "InvalidParameter", f"Parameter {key}: {value!r} is not {expected}")

"""Conditions of requests of the proposal, with their reasons (PR-202…209)."""

from __future__ import annotations

from typing import Final

from reference_impl.api import instants

from ..requests.conditions import RequestCondition
from ..requests.request import ACCEPTED, FAILED, PROVISIONED

CAPACITY_AVAILABLE: Final = "CapacityAvailable"
ACCEPTED_NOW: Final = RequestCondition(ACCEPTED, True, "Accepted", "The class of the request allows it")
FOUND: Final = RequestCondition(
    CAPACITY_AVAILABLE, True, "CapacityFound", "Capacity is available in the cluster now; it is not reserved"
)
NOT_FOUND: Final = RequestCondition(
    CAPACITY_AVAILABLE, False, "CapacityNotFound", "Capacity is not available in the cluster"
)
READY: Final = RequestCondition(PROVISIONED, True, "Provisioned", "All nodes of the request are ready")
VALID_UNTIL_EXPIRED: Final = RequestCondition(
    FAILED, True, "ValidUntilExpired", "The time in which the request was to be tried is over"
)


def back_off(attempt: int, problem: str, next_time: float) -> RequestCondition:
    """Say that an attempt failed, why, and when the next one comes (PR-209)."""
    message = f"Attempt {attempt} failed: {problem}; the next one is at {instants.render(next_time)}"
    return RequestCondition(PROVISIONED, False, "BackOff", message)


def invalid(key: str, value: str, expected: str) -> RequestCondition:
    """Say that a parameter cannot be used (PR-207)."""
    return RequestCondition(FAILED, True, "InvalidParameter", f"Parameter {key}: {value!r} is not {expected}")

"""What ends by time: bookings, requests that never found capacity,
and requests that were answered long ago (PR-140…146).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from .conditions import BOOKING_OVER, EXPIRED, RequestCondition
from .request import BOOKING_EXPIRED, FAILED, PROVISIONED, ProvisioningRequest

BOOKING_SECONDS: Final = 600.0
REQUEST_SECONDS: Final = 7 * 24 * 3600.0
ANSWERED_SECONDS: Final = 7 * 24 * 3600.0
MOST_UPDATES: Final = 20

NEVER: Final = float("inf")


@dataclass(frozen=True, slots=True)
class RequestExpiry:
    """How a request ends if nothing changes it."""

    after: float
    """It is over when this moment lies in the past."""
    condition: RequestCondition


def find_expiry(request: ProvisioningRequest) -> RequestExpiry | None:
    """Return how a booking ends, or a request that has not found capacity;
    None for what has ended (PR-141, PR-142).
    """
    if request.is_true(BOOKING_EXPIRED) or request.is_true(FAILED):
        return None
    if not request.is_true(PROVISIONED):
        # From its creation, not from its last try: retries do not prolong a request.
        return RequestExpiry(request.created + REQUEST_SECONDS, EXPIRED)
    since = request.since(PROVISIONED)
    return None if since is None else RequestExpiry(since + BOOKING_SECONDS, BOOKING_OVER)


def limit_expirations(
    over: Iterable[tuple[ProvisioningRequest, RequestCondition]],
) -> Sequence[tuple[ProvisioningRequest, RequestCondition]]:
    """Return the writes for expired bookings and requests, in this order (PR-143).

    There are at most 20 bookings, and with them 20 in all as far as the order of the list allows (PR-140).
    """
    bookings: list[tuple[ProvisioningRequest, RequestCondition]] = []
    failed: list[tuple[ProvisioningRequest, RequestCondition]] = []
    for attempt in over:
        # The real one stops at 20 bookings, and takes failures only as long as both
        # together stay below: what comes later in the list waits for the next loop
        # (PR-140).
        if len(bookings) >= MOST_UPDATES:
            break
        if attempt[1] is BOOKING_OVER:
            bookings.append(attempt)
        elif len(failed) < MOST_UPDATES - len(bookings):
            failed.append(attempt)
    return bookings + failed


def deletion_time(request: ProvisioningRequest) -> float:
    """Return the moment after which an answer is so old that the request is deleted, whatever its class and
    its status (PR-145, PR-146).
    """
    times = (request.since(PROVISIONED), request.since(FAILED))
    return min((since for since in times if since is not None), default=NEVER) + ANSWERED_SECONDS


def never_delete(_request: ProvisioningRequest) -> float:
    """Delete no request: before 1.32 (finding S5)."""
    return NEVER

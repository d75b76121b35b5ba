"""What ends by time: bookings, requests that never found capacity, and requests that were answered long ago (PR-140…146)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from .conditions import BOOKING_OVER, EXPIRED, Condition
from .request import BOOKING_EXPIRED, FAILED, PROVISIONED, Request

BOOKING_SECONDS: Final = 600.0
REQUEST_SECONDS: Final = 7 * 24 * 3600.0
ANSWERED_SECONDS: Final = 7 * 24 * 3600.0
MOST_UPDATES: Final = 20

Ending = tuple[Request, Condition]
"""A request with the condition that ends it."""


def ended(requests: Iterable[Request], served: Callable[[Request], bool], now: float) -> Sequence[Ending]:
    """Return what is over, in the order in which it is written: bookings before requests (PR-143).

    There are at most 20 bookings, and with them 20 in all as far as the order of the list allows (PR-140).
    """
    bookings: list[Ending] = []
    failed: list[Ending] = []
    for each in requests:
        if len(bookings) >= MOST_UPDATES:
            break
        if not served(each) or each.is_true(BOOKING_EXPIRED) or each.is_true(FAILED):
            continue
        if each.is_true(PROVISIONED):
            if is_over(each.since(PROVISIONED), BOOKING_SECONDS, now):
                bookings.append((each, BOOKING_OVER))
        elif is_over(each.created, REQUEST_SECONDS, now) and len(failed) < MOST_UPDATES - len(bookings):
            failed.append((each, EXPIRED))
    return bookings + failed


def answered_long_ago(request: Request, now: float) -> bool:
    """Tell whether an answer is so old that the request is deleted, whatever its class and its status (PR-145, PR-146)."""
    times = (request.since(PROVISIONED), request.since(FAILED))
    return any(is_over(since, ANSWERED_SECONDS, now) for since in times)


def kept(_request: Request, _now: float) -> bool:
    """Delete no request: before 1.32 (finding S5)."""
    return False


def is_over(since: float | None, seconds: float, now: float) -> bool:
    """Tell whether more than a time has passed since a moment, False without one."""
    return since is not None and since + seconds < now

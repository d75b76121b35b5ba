"""What ends by time: bookings, requests that never found capacity, and requests that were answered long ago (PR-140…146)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from .request import BOOKING_EXPIRED, FAILED, PROVISIONED, Request

BOOKING_SECONDS: Final = 600.0
REQUEST_SECONDS: Final = 7 * 24 * 3600.0
ANSWERED_SECONDS: Final = 7 * 24 * 3600.0
MOST_UPDATES: Final = 20


@dataclass(frozen=True, slots=True)
class Ended:
    """What one loop has to end, in the order in which it is written."""

    bookings: tuple[Request, ...]
    requests: tuple[Request, ...]
    deletions: tuple[Request, ...]


def ended(requests: Iterable[Request], served: Callable[[Request], bool], now: float) -> Ended:
    """Return what is over. Updates are at most 20 bookings, and with them 20 in all as far as the order of the list allows (PR-140)."""
    bookings: list[Request] = []
    failed: list[Request] = []
    all_of_them = tuple(requests)
    for each in all_of_them:
        if len(bookings) >= MOST_UPDATES:
            break
        if not served(each) or each.is_true(BOOKING_EXPIRED) or each.is_true(FAILED):
            continue
        if each.is_true(PROVISIONED):
            if _is_over(each.since(PROVISIONED), BOOKING_SECONDS, now):
                bookings.append(each)
        elif _is_over(each.created, REQUEST_SECONDS, now) and len(failed) < MOST_UPDATES - len(bookings):
            failed.append(each)
    return Ended(tuple(bookings), tuple(failed), tuple(each for each in all_of_them if _is_old(each, now)))


def _is_old(request: Request, now: float) -> bool:
    """Tell whether an answer is so old that the request is deleted, whatever its class and its status (PR-145, PR-146)."""
    times = (request.since(PROVISIONED), request.since(FAILED))
    return any(_is_over(since, ANSWERED_SECONDS, now) for since in times)


def _is_over(since: float | None, seconds: float, now: float) -> bool:
    return since is not None and since + seconds < now

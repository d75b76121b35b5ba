"""Until when an atomic request of the proposal is tried: ValidUntilSeconds (PR-207, PR-208)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from ..requests.conditions import Condition
from ..requests.expiry import Ending
from ..requests.request import PROVISIONED, Request
from .conditions import VALID_UNTIL_EXPIRED, invalid
from .requests import ROUTING, is_answered

VALID_UNTIL: Final = "ValidUntilSeconds"
LARGEST: Final = 2**31 - 1
_SECONDS: Final = re.compile(r"0|[1-9][0-9]{0,9}", re.ASCII)


def valid_seconds(request: Request) -> int | None:
    """Return for how long after its creation an atomic request is tried, None for ever. Raises ValueError for no number of seconds."""
    text = request.parameters.get(VALID_UNTIL)
    if text is None or not ROUTING.is_atomic(request, ""):
        return None
    if not _SECONDS.fullmatch(text) or int(text) > LARGEST:
        raise ValueError(text)
    return int(text)


def objection(request: Request) -> Condition | None:
    """Say why a request is not even tried."""
    try:
        valid_seconds(request)
    except ValueError as error:
        return invalid(VALID_UNTIL, str(error), f"a whole number of seconds from 0 to {LARGEST}")
    return None


def is_overdue(request: Request, now: float) -> bool:
    """Tell whether the time of a request is over; with 0 seconds it is once an attempt has been made."""
    if objection(request) is not None:
        return False
    seconds = valid_seconds(request)
    if seconds == 0:
        return request.condition(PROVISIONED) is not None
    return seconds is not None and now >= request.created + seconds


def allows_another(request: Request, now: float) -> bool:
    """Tell whether a request may be tried again after an attempt that failed."""
    return valid_seconds(request) != 0 and not is_overdue(request, now)


def ended(requests: Iterable[Request], served: Callable[[Request], bool], now: float) -> Sequence[Ending]:
    """Return the requests whose time is over with the condition that says so."""
    return [
        (each, VALID_UNTIL_EXPIRED)
        for each in requests
        if served(each) and not is_answered(each) and is_overdue(each, now)
    ]

"""ValidUntilSeconds: how long an atomic request of the proposal is tried (PR-207, PR-208)."""

from __future__ import annotations

import re
from math import inf, nextafter
from typing import Final

from ..requests.conditions import RequestCondition
from ..requests.expiry import NEVER, RequestExpiry
from ..requests.request import PROVISIONED, ProvisioningRequest
from .conditions import VALID_UNTIL_EXPIRED, invalid
from .requests import ROUTING, is_answered

VALID_UNTIL: Final = "ValidUntilSeconds"
LARGEST: Final = 2**31 - 1
_SECONDS: Final = re.compile(r"0|[1-9][0-9]{0,9}", re.ASCII)


def valid_seconds(request: ProvisioningRequest) -> int | None:
    """Return for how long after its creation an atomic request is tried, None for ever.

    Raises ValueError for no number of seconds.
    """
    text = request.parameters.get(VALID_UNTIL)
    if text is None or not ROUTING.is_atomic(request, ""):
        return None
    if not _SECONDS.fullmatch(text) or int(text) > LARGEST:
        raise ValueError(text)
    return int(text)


def validate_request(request: ProvisioningRequest) -> RequestCondition | None:
    """Return the condition of a request with an invalid ValidUntilSeconds."""
    try:
        valid_seconds(request)
    except ValueError as error:
        return invalid(VALID_UNTIL, str(error), f"a whole number of seconds from 0 to {LARGEST}")
    return None


def overdue_after(request: ProvisioningRequest) -> float:
    """Return the moment after which the time of a request is over;
    with 0 seconds it is once an attempt has been made.
    """
    if validate_request(request) is not None:
        return NEVER
    seconds = valid_seconds(request)
    if seconds == 0:
        return NEVER if request.condition(PROVISIONED) is None else -inf
    # A deadline is over when it is reached, a booking only afterwards (PR-207).
    return NEVER if seconds is None else nextafter(request.created + seconds, -inf)


def is_overdue(request: ProvisioningRequest, current_time: float) -> bool:
    """Tell whether the time of a request is over."""
    return overdue_after(request) < current_time


def allows_another(request: ProvisioningRequest, current_time: float) -> bool:
    """Tell whether a request may be tried again after an attempt that failed."""
    return valid_seconds(request) != 0 and not is_overdue(request, current_time)


def find_expiry(request: ProvisioningRequest) -> RequestExpiry | None:
    """Return when the time of a request is over that has no answer."""
    return None if is_answered(request) else RequestExpiry(overdue_after(request), VALID_UNTIL_EXPIRED)

"""Says that an attempt failed, and when the next one comes (PR-208, PR-209)."""

from __future__ import annotations

from typing import Protocol

from reference_impl.runtime.clock import Clock

from ..requests.attempts import ScaleUpAttempts
from ..requests.request import ProvisioningRequest
from ..requests.request_cache import RequestCache
from ..requests.retries import RequestBackoff
from . import conditions
from .deadline import allows_another


class FailureReporter(Protocol):
    """The parts that a report of failed attempts needs."""

    @property
    def clock(self) -> Clock:
        """Return the clock."""

    @property
    def requests(self) -> RequestCache:
        """Return the requests."""

    @property
    def retries(self) -> RequestBackoff:
        """Return the delays of requests."""

    @property
    def attempts(self) -> ScaleUpAttempts:
        """Return the attempts."""


async def fail(teller: FailureReporter, request: ProvisioningRequest, problem: str) -> None:
    """Write that an attempt is over and nothing of it is left, or that it was the last one."""
    current_time = teller.clock.now()
    if not allows_another(request, current_time):
        await teller.requests.put_status(request, conditions.VALID_UNTIL_EXPIRED)
        return
    number, delay = teller.attempts.number(request), teller.retries.delay(request)
    await teller.requests.put_status(request, conditions.back_off(number, problem, current_time + delay))

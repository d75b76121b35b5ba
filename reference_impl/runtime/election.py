"""The times of leader election, by the names that Kueue's Configuration gives them (AC-375)."""

from __future__ import annotations

import math
from dataclasses import dataclass

# client-go spreads retries by a fifth, and wants a deadline that leaves room for one.
JITTER = 1.2


@dataclass(frozen=True, slots=True, kw_only=True)
class Election:
    """Seconds.

    A leader writes until `renew_deadline` after its last renewal, another waits for `lease_duration`.

    What lies between the two is the time that a write may be under way. Raises ValueError.
    """

    lease_duration: float = 15.0
    renew_deadline: float = 10.0
    retry_period: float = 2.0

    def __post_init__(self) -> None:
        if self.lease_duration < 1:
            raise ValueError(f"leaseDuration {self.lease_duration:g}s must be at least 1s")
        if self.lease_duration <= self.renew_deadline:
            raise ValueError(
                f"leaseDuration {self.lease_duration:g}s must be greater than renewDeadline {self.renew_deadline:g}s"
            )
        if self.retry_period <= 0:
            raise ValueError(f"retryPeriod {self.retry_period:g}s must be greater than 0s")
        if self.renew_deadline <= self.retry_period * JITTER:
            raise ValueError(
                f"renewDeadline {self.renew_deadline:g}s must be greater than retryPeriod "
                f"{self.retry_period:g}s times {JITTER:g}"
            )

    @property
    def lease_seconds(self) -> int:
        """The spec of a Lease, in whole seconds."""
        return math.ceil(self.lease_duration)

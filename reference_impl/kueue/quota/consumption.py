"""The usage of LocalQueues, which decays by a half-life, and penalties for new reservations (KEP-4136).

A penalty counts from the moment of a reservation; with the admission it becomes part of what was used. A
reservation that is lost before keeps its penalty until the Workload has another one, or goes. Pure: times are
arguments, in seconds; amounts are in billionths of whole units, and what is finer is cut off, so that what
was added can be taken back.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from ...api.quantity import NANO
from ..sharing import AdmissionFairSharing
from .resources import Usage

Amounts = Mapping[str, int]
"""Amounts by resource, over all flavors, in billionths."""


@dataclass(frozen=True, slots=True)
class Consumed:
    """What one LocalQueue has used until a moment."""

    amounts: Amounts
    at: float


@dataclass(frozen=True, slots=True)
class EntryPenalty:
    """What a reservation costs its LocalQueue until it is admitted."""

    local_queue: str
    amounts: Amounts


@dataclass(slots=True)
class Consumption:
    """Keeps what every LocalQueue (`namespace/name`) has used, and the penalties that are not settled yet."""

    settings: AdmissionFairSharing
    _weights: dict[str, Fraction] = field(default_factory=dict)
    _consumed: dict[str, Consumed] = field(default_factory=dict)
    _penalties: dict[str, EntryPenalty] = field(default_factory=dict)
    _pending: dict[str, Amounts] = field(default_factory=dict)

    def know(self, local_queue: str, weight: Fraction) -> None:
        """Take note of a LocalQueue and of how much it weighs."""
        self._weights[local_queue] = weight

    def forget(self, local_queue: str) -> None:
        """Forget a LocalQueue that is gone."""
        for table in (self._weights, self._consumed, self._pending):
            table.pop(local_queue, None)

    def usage(self, local_queue: str) -> float:
        """Return by what LocalQueues are ordered; one that weighs nothing has used more than any other.

        Raises LookupError.
        """
        weight = self._weights[local_queue]
        # A weight of zero comes last, without a division.
        if not weight:
            return math.inf
        consumed = self._consumed.get(local_queue)
        amounts = add(consumed.amounts if consumed else {}, self._pending.get(local_queue, {}))
        weights = self.settings.resource_weights
        weighted = (value * weights.get(name, 1.0) for name, value in amounts.items())
        return math.fsum(weighted) / NANO / float(weight)

    # -- penalties

    def charge(self, workload: str, local_queue: str, usage: Usage) -> None:
        """Let a reservation cost something; a new one of the same Workload replaces the old one's cost."""
        self.drop(workload)
        rate = memory_share(self.settings.sampling_interval, self.settings.half_life)
        penalty = EntryPenalty(local_queue, scale(in_nano(usage), rate))
        self._penalties[workload] = penalty
        self._pending[local_queue] = add(self._pending.get(local_queue, {}), penalty.amounts)

    def drop(self, workload: str) -> EntryPenalty | None:
        """Take back what an unsettled reservation costs, if there is one:
        it was not written, or its Workload is gone.
        """
        penalty = self._penalties.pop(workload, None)
        if penalty is not None:
            less = {name: -value for name, value in penalty.amounts.items()}
            self._pending[penalty.local_queue] = add(self._pending.get(penalty.local_queue, {}), less)
        return penalty

    def admit(self, workload: str, usage: Usage, current_time: float) -> None:
        """Count the cost of a reservation as used, on top of a sample: its Workload is admitted.

        Does nothing for one that costs nothing.
        """
        penalty = self.drop(workload)
        if penalty is not None:
            sampled = self.sample(penalty.local_queue, usage, current_time)
            amounts = add(sampled.amounts, penalty.amounts)
            self._consumed[penalty.local_queue] = replace(sampled, amounts=amounts)

    # -- samples

    def consumption_of(self, local_queue: str) -> Consumed | None:
        """Return what a LocalQueue has used as of its last
        sample and settlement, None before the first sample.
        """
        return self._consumed.get(local_queue)

    def restore(self, local_queue: str, amounts: Amounts, current_time: float) -> None:
        """Go on with what was told before, as if nothing had passed since, unless more is known already."""
        self._consumed.setdefault(local_queue, Consumed(amounts, current_time))

    def due(self, local_queue: str) -> float | None:
        """Return when the next sample is to be taken, None for at once."""
        consumption = self._consumed.get(local_queue)
        return None if consumption is None else consumption.at + self.settings.sampling_interval

    def sample(self, local_queue: str, usage: Usage, current_time: float) -> Consumed:
        """Update the decayed usage with the current one, by the time that has passed."""
        consumption = self._consumed.get(local_queue) or Consumed({}, current_time)
        rate = memory_share(current_time - consumption.at, self.settings.half_life)
        amounts: Amounts = {}
        if self.settings.half_life:
            # Exponential decay by the time that has passed: samples may come at any
            # distance.
            amounts = add(scale(consumption.amounts, 1 - rate), scale(in_nano(usage), rate))
        self._consumed[local_queue] = consumed = Consumed(amounts, current_time)
        return consumed


def memory_share(seconds: float, half_life: float) -> float:
    """Return which part of a constant use is remembered after some time; nothing without a half-life."""
    return 1 - 0.5 ** (max(0.0, seconds) / half_life) if half_life else 0.0


def in_nano(usage: Usage) -> Amounts:
    """Sum amounts over flavors; cpu is counted in thousandths, everything else in whole units."""
    total: defaultdict[str, int] = defaultdict(int)
    for fr, value in usage.items():
        total[fr.resource] += value * (NANO // 1000 if fr.resource == "cpu" else NANO)
    return total


def scale(amounts: Amounts, rate: float) -> Amounts:
    """Multiply every amount."""
    # Cut to integers: floats would not give back exactly what was added.
    return {name: int(value * rate) for name, value in amounts.items()}


def add(amounts: Amounts, other: Amounts) -> Amounts:
    """Add amounts, resource by resource."""
    total = defaultdict(int, amounts)
    for name, value in other.items():
        total[name] += value
    return total

"""When a queue has to give so that another one may borrow: the strategies of fair sharing (KEP-1714,
Q-272).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from ...quota.shares import Degree

Strategy = Callable[[Degree, Degree, Degree], bool]


def to_final_share(preemptor: Degree, _before: Degree, after: Degree) -> bool:
    """The preemptor's side has no more than the other side is left with (S2-a)."""
    return preemptor <= after


def to_initial_share(preemptor: Degree, before: Degree, _after: Degree) -> bool:
    """The preemptor's side has less than the other side had before (S2-b)."""
    return preemptor < before


STRATEGIES: Mapping[str, Strategy] = MappingProxyType(
    {"LessThanOrEqualToFinalShare": to_final_share, "LessThanInitialShare": to_initial_share}
)
"""The values of `fairSharing.preemptionStrategies`: share of the preemptor's side with it, share of the other
side before and after.
"""

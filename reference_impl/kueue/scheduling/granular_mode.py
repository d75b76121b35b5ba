"""How well a flavor suits: grades, which is preferred, and when the search may stop (Q-170…Q-172)."""

from __future__ import annotations

from enum import IntEnum, auto
from typing import NamedTuple

from ..quota.cluster_queue import Fungibility


class PreemptionMode(IntEnum):
    """The ways to use a flavor, worst first."""

    NO_FIT = auto()
    NO_PREEMPTION_CANDIDATES = auto()
    PREEMPT = auto()
    RECLAIM = auto()
    FIT = auto()

    @property
    def is_simulated(self) -> bool:
        """Whether a preemption was looked for."""
        return PreemptionMode.NO_FIT < self < PreemptionMode.FIT


class GranularMode(NamedTuple):
    """A mode and how far it borrows; 0 is not at all."""

    mode: PreemptionMode
    borrowing_level: int = 0


NO_FIT = GranularMode(PreemptionMode.NO_FIT)
BEST = GranularMode(PreemptionMode.FIT)


def is_preferred(grade: GranularMode, other: GranularMode, policy: Fungibility) -> bool:
    """Tell whether one grade is better than another (Q-170)."""
    for worst in (PreemptionMode.NO_FIT, PreemptionMode.NO_PREEMPTION_CANDIDATES):
        # Whether a flavor is possible at all comes before every preference of the
        # ClusterQueue.
        if (grade.mode <= worst) != (other.mode <= worst):
            return grade.mode > worst
    if grade.mode is PreemptionMode.NO_FIT:
        return False
    return _key(grade, policy) > _key(other, policy)


def worst_by_preference(grades: list[GranularMode], policy: Fungibility) -> GranularMode:
    """The grade of a flavor is the worst of its resources (Q-154)."""
    worst = BEST
    for grade in grades:
        # Kueue compares with the preference of the ClusterQueue here too. With it,
        # "fits by borrowing" may count as worse than "fits by preemption", and the
        # flavor is taken for a fit (QC-07).
        if is_preferred(worst, grade, policy):
            worst = grade
    return worst


def worst_of_all(grades: list[GranularMode], _policy: Fungibility) -> GranularMode:
    """The grade of a flavor is the worst mode, and as far as any resource borrows (Q-154, QC-07
    corrected).
    """
    return GranularMode(min(grade.mode for grade in grades), max(grade.borrowing_level for grade in grades))


def should_try_next_flavor(grade: GranularMode, policy: Fungibility) -> bool:
    """Tell whether the search looks at the next flavor as well (Q-172)."""
    return (
        grade.mode <= PreemptionMode.NO_PREEMPTION_CANDIDATES
        or (grade.mode < PreemptionMode.FIT and policy.try_next_to_preempt)
        or (grade.borrowing_level > 0 and policy.try_next_to_borrow)
    )


def _key(grade: GranularMode, policy: Fungibility) -> tuple[int, int]:
    order = (int(grade.mode), -grade.borrowing_level)
    # `preference: PreemptionOverBorrowing` turns the two criteria around.
    return (order[1], order[0]) if policy.prefer_preemption else order

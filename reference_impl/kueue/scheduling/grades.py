"""How well a flavor suits: grades, which is preferred, and when the search may stop (Q-170…Q-172)."""

from __future__ import annotations

from enum import IntEnum, auto
from typing import NamedTuple

from ..quota.cluster_queue import Fungibility


class Mode(IntEnum):
    """The ways to use a flavor, worst first."""

    NO_FIT = auto()
    NO_CANDIDATES = auto()
    PREEMPT = auto()
    RECLAIM = auto()
    FIT = auto()

    @property
    def simulated(self) -> bool:
        """Whether a preemption was looked for."""
        return Mode.NO_FIT < self < Mode.FIT


class Grade(NamedTuple):
    """A mode and how far it borrows; 0 is not at all."""

    mode: Mode
    level: int = 0


NO_FIT = Grade(Mode.NO_FIT)
BEST = Grade(Mode.FIT)


def is_preferred(grade: Grade, other: Grade, policy: Fungibility) -> bool:
    """Tell whether one grade is better than another (Q-170)."""
    for worst in (Mode.NO_FIT, Mode.NO_CANDIDATES):
        if (grade.mode <= worst) != (other.mode <= worst):
            return grade.mode > worst
    if grade.mode is Mode.NO_FIT:
        return False
    return _key(grade, policy) > _key(other, policy)


def least(grades: list[Grade], policy: Fungibility) -> Grade:
    """The grade of a flavor is the worst of its resources (Q-154)."""
    worst = BEST
    for grade in grades:
        if is_preferred(worst, grade, policy):
            worst = grade
    return worst


def worst(grades: list[Grade], _policy: Fungibility) -> Grade:
    """The grade of a flavor is the worst mode, and as far as any resource borrows (Q-154, QC-07 corrected)."""
    return Grade(min(grade.mode for grade in grades), max(grade.level for grade in grades))


def goes_on(grade: Grade, policy: Fungibility) -> bool:
    """Tell whether the search looks at the next flavor as well (Q-172)."""
    return (
        grade.mode <= Mode.NO_CANDIDATES
        or (grade.mode < Mode.FIT and policy.try_next_to_preempt)
        or (grade.level > 0 and policy.try_next_to_borrow)
    )


def _key(grade: Grade, policy: Fungibility) -> tuple[int, int]:
    order = (int(grade.mode), -grade.level)
    return (order[1], order[0]) if policy.prefer_preemption else order

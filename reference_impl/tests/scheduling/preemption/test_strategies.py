"""When a queue has to give so that another one may borrow (KEP-1714, Q-272)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from reference_impl.kueue.quota.shares import Degree
from reference_impl.kueue.scheduling.preemption.fair_search import STRATEGIES

BEFORE, AFTER = Degree(False, Fraction(3)), Degree(False, Fraction(1))


@pytest.mark.parametrize(
    ("strategy", "largest", "first_refused"),
    [("LessThanOrEqualToFinalShare", 1, 2), ("LessThanInitialShare", 2, 3)],
)
def test_up_to_which_share_of_the_preemptor_another_queue_gives_q_272(
    strategy: str, largest: int, first_refused: int
) -> None:
    gives = STRATEGIES[strategy]

    assert gives(Degree(False, Fraction(largest)), BEFORE, AFTER)
    assert not gives(Degree(False, Fraction(first_refused)), BEFORE, AFTER)
    assert not gives(Degree(True, Fraction(0)), BEFORE, AFTER)

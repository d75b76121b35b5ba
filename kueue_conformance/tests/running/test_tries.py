"""When attempts at a request are due, with and without answers that a conflict lost (finding X4)."""

from __future__ import annotations

import pytest

from kueue_conformance.stage.autoscaling.tries import Try, follows, gaps_between

LOST = {"answered": False}


@pytest.mark.parametrize(
    ("tries", "gaps", "held"),
    [
        pytest.param([Try(0), Try(5), Try(15)], [5, 10], True, id="as due"),
        pytest.param([Try(0), Try(6), Try(17)], [5, 10], True, id="a loop later each"),
        pytest.param([Try(0), Try(4), Try(15)], [5, 10], False, id="too early"),
        pytest.param([Try(0), Try(5), Try(20)], [5, 10], False, id="too late"),
        pytest.param([Try(0), Try(5)], [5, 10], False, id="one is missing"),
        pytest.param([Try(0), Try(5), Try(15), Try(35)], [5, 10], False, id="one too many"),
        pytest.param(
            [Try(0), Try(5, **LOST), Try(10)], [5, 10], True, id="after a lost answer from the one before"
        ),
        pytest.param([Try(0), Try(5, **LOST), Try(15)], [5, 10], False, id="after a lost answer too late"),
        pytest.param([Try(0), Try(5, **LOST), Try(10), Try(30)], [5, 10], True, id="time for one more"),
        pytest.param([], [5], False, id="never"),
    ],
)
def test_attempts_follow_their_delays(tries, gaps, held):
    assert follows(tries, gaps, 3) is held


def test_gaps_are_between_neighbours():
    assert gaps_between([Try(1), Try(6), Try(16)]) == [5, 10]

"""When attempts at a request are due, with and without answers that a conflict lost (finding X4)."""

from __future__ import annotations

import pytest

from kueue_conformance.stage.autoscaling.attempts import Attempt, follows, gaps_between

LOST = {"answered": False}


@pytest.mark.parametrize(
    ("tries", "gaps", "follows_delays"),
    [
        pytest.param([Attempt(0), Attempt(5), Attempt(15)], [5, 10], True, id="as due"),
        pytest.param([Attempt(0), Attempt(6), Attempt(17)], [5, 10], True, id="a loop later each"),
        pytest.param([Attempt(0), Attempt(4), Attempt(15)], [5, 10], False, id="too early"),
        pytest.param([Attempt(0), Attempt(5), Attempt(20)], [5, 10], False, id="too late"),
        pytest.param([Attempt(0), Attempt(5)], [5, 10], False, id="one is missing"),
        pytest.param([Attempt(0), Attempt(5), Attempt(15), Attempt(35)], [5, 10], False, id="one too many"),
        pytest.param(
            [Attempt(0), Attempt(5, **LOST), Attempt(10)],
            [5, 10],
            True,
            id="after a lost answer from the one before",
        ),
        pytest.param(
            [Attempt(0), Attempt(5, **LOST), Attempt(15)], [5, 10], False, id="after a lost answer too late"
        ),
        pytest.param(
            [Attempt(0), Attempt(5, **LOST), Attempt(10), Attempt(30)], [5, 10], True, id="time for one more"
        ),
        pytest.param([], [5], False, id="never"),
    ],
)
def test_attempts_follow_their_delays(tries, gaps, follows_delays):
    assert follows(tries, gaps, 3) is follows_delays


def test_gaps_are_between_neighbours():
    assert gaps_between([Attempt(1), Attempt(6), Attempt(16)]) == [5, 10]

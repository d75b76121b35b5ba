"""In real time a costly condition leaves the machine to the subject between two looks at it (CHK-160)."""

from itertools import accumulate

import pytest

from kueue_conformance.backends.poll_pacing import PacedPoll


@pytest.mark.parametrize(
    ("took", "pauses"),
    [
        pytest.param([0.01, 0.01, 0.01], [], id="cheap"),
        pytest.param([0.1, 0.1, 0.1], [0.3, 0.3], id="three times as long"),
        pytest.param([5.0, 0.01, 0.1], [1.0], id="a second at most, and none after a cheap one"),
    ],
)
def test_a_costly_look_is_followed_by_a_rest(took, pauses):
    instants = iter([0.0, *(instant for end in accumulate(took) for instant in (end, end))])
    rested = []
    poll = PacedPoll(lambda: False, lambda: next(instants), rested.append)

    for _ in took:
        poll.holds()

    assert rested == pytest.approx(pauses)

"""How high a request has to borrow (Q-129)."""

from __future__ import annotations

import pytest

from .forests import Sketch

ALONE = (0, False)


def make_nested(own: float = 2, lent: float | None = None, used: float = 0) -> Sketch:
    """Queue q in the middle cohort, which keeps 1 of its 2 cores for itself, below the top one with 4."""
    sketch = Sketch().cohort("top", 4).cohort("middle", 2, "top", ll=None if lent is None else 1)
    return (
        sketch.queue("q", own, "middle", ll=lent).use("q", used)
        if used
        else sketch.queue("q", own, "middle", ll=lent)
    )


LEVELS = {
    "all of its own": (make_nested(), 2, (0, True)),
    "more than its own": (make_nested(), 2.5, (1, True)),
    "all that the cohort has": (make_nested(), 4, (1, True)),
    "more than the cohort has": (make_nested(), 4.5, (2, False)),
    "more than there is": (make_nested(), 9, (2, False)),
    "beside what is used": (make_nested(used=1), 1, (0, True)),
    "more, beside what is used": (make_nested(used=1), 3, (1, True)),
    "what it keeps is asked of no cohort": (make_nested(lent=0), 4, (1, True)),
    "more than the cohort has, beside what it keeps": (make_nested(lent=0), 4.5, (2, False)),
    "a part of what it keeps is used": (make_nested(lent=0, used=1), 3, (1, True)),
}


@pytest.mark.parametrize(("sketch", "cores", "expected"), LEVELS.values(), ids=LEVELS)
def test_the_lowest_cohort_that_holds_a_request_q_129(
    sketch: Sketch, cores: float, expected: tuple[int, bool]
) -> None:
    assert sketch.level("q", cores) == expected


@pytest.mark.parametrize("cores", [1, 3])
def test_without_a_cohort_nothing_is_borrowed_q_129(cores: float) -> None:
    assert Sketch().queue("q", 2, "").level("q", cores) == ALONE

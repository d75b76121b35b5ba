"""Cohorts whose parents lead back to themselves: nothing is in such a tree until it is broken (R-12, Q-131)."""

from __future__ import annotations

import pytest

from .forests import Sketch

CYCLES = {
    "R-12 a cohort that is its own parent": (("a", "a"),),
    "two cohorts": (("a", "b"), ("b", "a")),
}


@pytest.mark.parametrize("parents", CYCLES.values(), ids=CYCLES.keys())
def test_a_cycle_has_no_members_until_it_is_broken(parents: tuple[tuple[str, str], ...]) -> None:
    sketch = Sketch().queue("q", 1, cohort="a")
    for name, parent in parents:
        sketch.cohort(name, parent=parent)

    assert sketch.forest.members("q") == ()
    assert sketch.cohort("a", parent="").forest.members("q") == ("q",)

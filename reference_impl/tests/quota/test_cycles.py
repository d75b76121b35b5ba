"""Cohorts whose parents lead back to themselves have no quota until the cycle is broken (R-12, Q-131)."""

from __future__ import annotations

import pytest

from .forests import CPU, Sketch, milli

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


@pytest.mark.parametrize("cores", [2, -1], ids=["added", "taken back"])
def test_a_simulation_in_a_cycle_leaves_nothing_behind_q_202(cores: int) -> None:
    sketch = Sketch().queue("q", 5, cohort="a").use("q", 3).cohort("a", parent="a")

    with sketch.forest.simulation():
        tried = sketch.use("q", cores).node("q").usage_of(CPU)

    assert (tried, sketch.node("q").usage_of(CPU)) == (milli(3 + cores), milli(3))


def test_usage_that_changed_in_a_cycle_counts_once_it_is_broken_q_131() -> None:
    sketch = Sketch().queue("q", 5, cohort="a").use("q", 3).cohort("a", parent="a").use("q", 2).use("q", -1)

    sketch.cohort("a", parent="")

    assert sketch.figures("a") == (5, 4, 1, 5)

"""A sample is drawn from every module by its share, and says how far it can be believed (N-04)."""

from collections import Counter
from dataclasses import replace
from types import SimpleNamespace

import pytest

from .__main__ import SAMPLE, _options, select_mutants
from .killers import Killers
from .mutants import mutants, path_of
from .quoting import quotes
from .relevance import relevance, rows
from .sampling import interval, sample
from .session import Result
from .test_judging import case

SOURCE = "\n".join(f"def rule_{number}(now, end):\n    return now >= end\n" for number in range(20))
MANY = (
    mutants("reference_impl.kueue.checks.entries", SOURCE)
    + mutants("reference_impl.kueue.checks.rules", SOURCE)[:5]
)


def test_every_module_has_its_share():
    drawn = Counter(item.module for item in sample(MANY, 9, seed=1))

    assert drawn == {"reference_impl.kueue.checks.entries": 8, "reference_impl.kueue.checks.rules": 1}


def test_a_seed_draws_the_same_and_another_one_others():
    assert sample(MANY, 9, seed=1) == sample(MANY, 9, seed=1)
    assert sample(MANY, 9, seed=1) != sample(MANY, 9, seed=2)


def test_a_sample_of_more_than_there_are_is_all_of_them():
    assert sample(MANY, 10_000, seed=1) == MANY


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"),
    [(0, 0, 0, 100), (50, 100, 40, 60), (100, 100, 96, 100), (0, 100, 0, 4)],
    ids=["of none", "half", "all", "not one"],
)
def test_an_interval_holds_what_the_whole_may_be(hits, of, low, high):
    assert tuple(round(100 * item) for item in interval(hits, of)) == (low, high)


def test_what_caught_a_neighbour_is_tried_first():
    near, far, *_ = [entry for entry in MANY if entry.module == "reference_impl.kueue.checks.entries"]
    killers = Killers({mutant.id: mutant for mutant in MANY}, {near.id: Result(verdict="must", by="c")})
    cases = [case("a", "ADM-001"), case("b", "ADM-002"), case("c", "ADM-003")]

    assert [case_.node for case_ in killers.first(near, cases)] == ["c", "a", "b"]
    killers.note(far, Result(verdict="must", by="b"))
    assert [case_.node for case_ in killers.first(far, cases)] == ["b", "c", "a"]


def test_a_docstring_names_rows_and_ranges_of_them():
    text = [*rows("The series, as rows (AC-390…392, MT-014…MT-015), and C-05 alone.")]

    assert set(text) == {"AC-390", "AC-391", "AC-392", "MT-014", "MT-015", "C-05"}


def test_a_scenario_that_shows_a_row_of_the_docstring_is_about_the_decision():
    [mutant, *_] = mutants("reference_impl.kueue.workload.metric_definitions", "ORDER = (1, 2)\n")

    about, other = case("a", "ADM-438"), case("b", "ADM-044")
    assert relevance(mutant, about.scenario) > relevance(mutant, other.scenario)
    assert Killers({}, {}).first(mutant, [other, about]) == [about, other]


@pytest.mark.parametrize(
    ("arguments", "number"),
    [([], SAMPLE), (["--all"], 2 * SAMPLE), (["--sample", "5"], 5), (["--module", "a"], SAMPLE)],
    ids=["nothing asked for", "all", "a sample", "a module"],
)
def test_a_sample_is_judged_unless_more_is_asked_for(arguments, number):
    replaces = [
        replace(MANY[0], id=f"{position}{module}", module=module)
        for position in range(SAMPLE)
        for module in "ab"
    ]
    work = SimpleNamespace(mutants={mutant.id: mutant for mutant in replaces})

    assert len(select_mutants(work, _options(arguments))) == number


def test_a_scenario_that_quotes_a_text_is_about_the_change_of_the_text():
    module = "reference_impl.kueue.workload.messages"
    source = path_of(module).read_text("utf-8")
    [mutant] = [
        mutant for mutant in mutants(module, source) if mutant.change.startswith("LOCAL_QUEUE_STOPPED")
    ]

    quoting, other = case("a", "ADM-424"), case("b", "ADM-044")
    assert quotes(mutant, quoting.scenario)
    assert not quotes(mutant, other.scenario)
    assert Killers({}, {}).first(mutant, [other, quoting]) == [quoting, other]

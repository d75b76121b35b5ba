"""A row is rated by the failed and by the passed scenarios that show it."""

from types import SimpleNamespace

import pytest

from kueue_conformance.report.results.suspiciousness import Suspiciousness
from kueue_conformance.scenarios.outcome import Outcome

from ..reporting.results import case

BROKEN, COMMON = "CC-060", "CC-050"


def rate(failed, passed):
    """Return the ratings of a run, from the rows of its failed and its passed scenarios."""
    rows = {f"CHK-{number:03}": names for number, names in enumerate([*failed, *passed])}
    inventory = {name: SimpleNamespace(requirement=(), shows=tuple(names)) for name, names in rows.items()}
    outcomes = [Outcome.FAILED] * len(failed) + [Outcome.PASSED] * len(passed)
    results = [case(name, outcome=outcome) for name, outcome in zip(rows, outcomes, strict=True)]
    return Suspiciousness(results, inventory), list(rows)


def test_a_row_whose_other_scenarios_hold_explains_less():
    ratings, names = rate([[BROKEN], [BROKEN], *[[COMMON]] * 3], [[COMMON]] * 9)

    assert ratings.of_scenarios(names[:2]) > ratings.of_scenarios(names[2:5])


def test_of_rows_without_a_success_the_one_with_more_failures_explains_more():
    ratings, names = rate([[BROKEN], [COMMON], [COMMON]], [])

    assert ratings.of_scenarios(names[:1]) < ratings.of_scenarios(names[1:])


def test_of_two_scenarios_of_a_row_the_one_that_shows_little_else_tells_more():
    ratings, names = rate([[BROKEN], [BROKEN, COMMON]], [[COMMON]])

    assert ratings.of_scenario(names[0]) > ratings.of_scenario(names[1])


@pytest.mark.parametrize(("broken", "explained"), [(4, 1.0), (1, 0.5)], ids=["everywhere", "in a quarter"])
def test_a_safety_rule_counts_by_the_failures_in_which_it_is_broken(broken, explained):
    ratings, names = rate([[COMMON]] * 4, [[COMMON]])

    assert ratings.of_rule(names[:broken]) == explained


def test_an_error_explains_nothing():
    ratings = Suspiciousness(
        [case("CHK-000", outcome=Outcome.ERROR)],
        {"CHK-000": SimpleNamespace(requirement=(), shows=(BROKEN,))},
    )

    assert (ratings.of_scenarios(["CHK-000"]), ratings.of_scenario("CHK-000")) == (0.0, (0.0, 0.0))

"""A row is rated by the failed and by the passed scenarios that show it."""

from types import SimpleNamespace

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
    ratings, names = rate([[BROKEN], [BROKEN], *[[COMMON]] * 3], [[COMMON]] * 30)

    assert ratings.of_cause(names[:2]) > ratings.of_cause(names[2:5])


def test_of_rows_without_a_success_the_one_with_more_failures_explains_more():
    ratings, names = rate([[BROKEN], [COMMON], [COMMON]], [])

    assert ratings.of_cause(names[:1]) < ratings.of_cause(names[1:])


def test_a_scenario_counts_by_the_most_suspicious_of_its_rows():
    ratings, names = rate([[BROKEN], [BROKEN, COMMON], [COMMON]], [[COMMON]] * 3)

    assert [ratings.of_scenario(name) == ratings.of_scenario(names[0]) for name in names[:3]] == [
        True,
        True,
        False,
    ]


def test_an_error_explains_nothing():
    ratings = Suspiciousness(
        [case("CHK-000", outcome=Outcome.ERROR)],
        {"CHK-000": SimpleNamespace(requirement=(), shows=(BROKEN,))},
    )

    assert (ratings.of_cause(["CHK-000"]), ratings.of_scenario("CHK-000")) == (0.0, 0.0)

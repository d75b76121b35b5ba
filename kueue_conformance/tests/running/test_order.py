"""In which order cases run: those of a dialect together, everything else where it was."""

from types import SimpleNamespace

import pytest

from kueue_conformance.run.parametrization import by_dialect
from kueue_conformance.scenarios.dialect import known_dialects


def case(name, dialect=""):
    """A collected test; one without a dialect is an ordinary test."""
    params = {"kueue_dialect": known_dialects()[dialect]} if dialect else {}
    return SimpleNamespace(name=name, callspec=SimpleNamespace(params=params))


@pytest.mark.parametrize(
    ("collected", "run"),
    [
        pytest.param(["a v0.19", "a kep993", "b v0.19", "b kep993"], "a b a b", id="together"),
        pytest.param(["a v0.19", "own", "b v0.19"], "a own b", id="one-dialect-stays"),
        pytest.param(["own", "other"], "own other", id="none-stays"),
    ],
)
def test_cases_of_a_dialect_run_together(collected, run):
    assert [
        listed_case.name
        for listed_case in by_dialect([case(*ordered_case.split()) for ordered_case in collected])
    ] == run.split()

"""Mistakes of authors: a fact that nothing reads, an act in a condition, and a condition that is none."""

import re

import pytest

from kueue_conformance import always, never, within
from kueue_conformance.base.errors import UsageError
from kueue_conformance.case.context import either
from kueue_conformance.history.fact import Fact, fact_ledger
from kueue_conformance.stage.clock import Clock

from .stub import context


def holds():
    return Fact(True, "the light is on", "it is on")


def unread(read):
    """Return the lines of a ledger after a fact was created, and read or not."""
    with fact_ledger() as ledger:
        fact = holds()
        read(fact)
    return list(ledger.unread())


def test_unread_fact_is_listed_with_its_line():
    with fact_ledger() as ledger:
        holds()

    (line,) = ledger.unread()
    assert re.fullmatch(r"test_author_mistakes\.py:\d+: return Fact\(True, .*", line)


@pytest.mark.parametrize(
    ("read", "lines"),
    [
        pytest.param(lambda fact: None, 1, id="not read"),
        pytest.param(lambda fact: repr(fact), 1, id="printed"),
        pytest.param(lambda fact: fact.negate(), 1, id="negated, and that is not read"),
        pytest.param(bool, 0, id="asserted"),
        pytest.param(lambda fact: fact and None, 0, id="in an expression"),
        pytest.param(lambda fact: fact.holds, 0, id="asked"),
        pytest.param(lambda fact: fact.observed, 0, id="told"),
    ],
)
def test_reading_a_fact(read, lines):
    assert len(unread(read)) == lines


def test_facts_of_conditions_are_read_by_the_wait():
    with fact_ledger() as ledger, context().current():
        within("react", holds)
        within("react", lambda: holds() and holds())
        always(holds)
        never(lambda: holds().negate())

    assert list(ledger.unread()) == []


@pytest.mark.parametrize(
    ("wait", "name"),
    [
        pytest.param(lambda condition: within("react", condition), "within", id="within"),
        pytest.param(always, "always", id="always"),
        pytest.param(never, "never", id="never"),
        pytest.param(
            lambda condition: either("react", {"one": condition}, clause="a"), "either", id="either"
        ),
    ],
)
def test_act_in_a_condition_is_named(wait, name):
    case_context = context()
    clock = Clock(case_context)

    with case_context.current(), pytest.raises(UsageError, match=rf"Clock\.advance acts, .* of {name}\(\)"):
        wait(lambda: clock.advance(1))


def test_wait_in_a_condition_is_refused():
    with (
        context().current(),
        pytest.raises(UsageError, match=r"acts, so it cannot be the condition of within"),
    ):
        within("react", lambda: within("react", holds))


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        pytest.param(None, r"was given None[^$]*write within\(\"admit\", workload.is_admitted\)", id="None"),
        pytest.param(lambda: None, r"returned None[^$]*write within\(\"admit\"", id="returns None"),
        pytest.param(holds(), r"was given Fact\(True[^$]*not called: write within", id="a fact"),
    ],
)
def test_condition_that_is_none(condition, message):
    with context().current(), pytest.raises(UsageError, match=message):
        within("react", condition)

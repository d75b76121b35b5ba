"""Outcomes of a case, from best to worst (harness §10.5)."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum


class Level(StrEnum):
    """How binding a rule is; only `must` decides a profile unless --strict says otherwise (harness/H-13)."""

    MUST = "must"
    SHOULD = "should"
    MAY = "may"


def binding(*, strict: bool) -> frozenset[Level]:
    """Return the levels that decide a verdict and an exit code."""
    return frozenset({Level.MUST, Level.SHOULD} if strict else {Level.MUST})


class Outcome(StrEnum):
    """From best to worst; a scenario's outcome is the worst of its cases'."""

    PASSED = "passed"
    UNSUPPORTED = "unsupported"
    EXCLUDED = "excluded"
    DISABLED = "disabled"
    PROVISIONAL = "provisional"
    NOTRUN = "notrun"
    XPASSED = "xpassed"
    FLAKY = "flaky"
    XFAILED = "xfailed"
    FAILED = "failed"
    ERROR = "error"


BAD = frozenset({Outcome.FAILED, Outcome.ERROR, Outcome.XPASSED})
"""Unexpected outcomes: they fail the run and are reported first."""
LACKING = frozenset({Outcome.FAILED, Outcome.ERROR, Outcome.XFAILED})
"""Outcomes that a profile lists as not shown, expected or not."""
_PARTIAL = frozenset({Outcome.EXCLUDED, Outcome.DISABLED, Outcome.NOTRUN, Outcome.FLAKY})
SHOWN = frozenset({Outcome.PASSED, Outcome.XPASSED})
"""Outcomes that show that a rule holds."""
_RANK = {outcome: rank for rank, outcome in enumerate(Outcome)}


def worst(outcomes: Iterable[Outcome]) -> Outcome:
    """Return the worst outcome; `unsupported` only when every case is."""
    ranked = sorted(set(outcomes), key=_RANK.__getitem__)
    if not ranked:
        return Outcome.NOTRUN
    return Outcome.PASSED if set(ranked) == {Outcome.PASSED, Outcome.UNSUPPORTED} else ranked[-1]


def verdict(outcomes: Iterable[Outcome], *, complete: bool = True) -> str:
    """Return a profile's result from the outcomes of its binding scenarios:
    success, failure, incomplete, partial, undetermined.

    An expected failure is a failure too. An incomplete run can show failures only.
    """
    distinct = set(outcomes)
    if distinct & {Outcome.FAILED, Outcome.XFAILED}:
        return "failure"
    if not complete:
        return "incomplete"
    if Outcome.ERROR in distinct:
        return "undetermined"
    return "partial" if distinct & _PARTIAL or not distinct & SHOWN else "success"

"""What can come of a case, and how bad that is (harness §10.5)."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum


class Level(StrEnum):
    """How binding a rule is; only `must` decides a profile unless --strict says otherwise (harness/H-13)."""

    MUST = "must"
    SHOULD = "should"
    MAY = "may"


class Outcome(StrEnum):
    """From best to worst; a scenario's outcome is the worst of its cases'."""

    PASSED = "passed"
    UNSUPPORTED = "unsupported"
    EXCLUDED = "excluded"
    NOTRUN = "notrun"
    FAILED = "failed"
    ERROR = "error"


_RANK = {outcome: rank for rank, outcome in enumerate(Outcome)}


def worst(outcomes: Iterable[Outcome]) -> Outcome:
    """Return the worst outcome; `unsupported` only when every case is."""
    found = sorted(set(outcomes), key=_RANK.__getitem__)
    if not found:
        return Outcome.NOTRUN
    return Outcome.PASSED if set(found) == {Outcome.PASSED, Outcome.UNSUPPORTED} else found[-1]


def verdict(outcomes: Iterable[Outcome]) -> str:
    """Return a profile's result from the outcomes of its binding scenarios: success, failure, partial, undetermined."""
    found = set(outcomes)
    if Outcome.FAILED in found:
        return "failure"
    if Outcome.ERROR in found:
        return "undetermined"
    return (
        "partial" if found & {Outcome.EXCLUDED, Outcome.NOTRUN} or Outcome.PASSED not in found else "success"
    )

"""Breaches that no model tells: safety rules, and programs that end or answer nothing any more."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ..base.errors import ControlPlaneDied, Nonconformance, SubjectDied, UnmetPremise
from ..case.context import CaseContext
from ..case.failure_text import story_of, under
from ..case.judgement import judge_case, lines_of
from ..scenarios.outcome import binding
from .story import DEATH, SILENCE, Breach, RunResult


def broken_rule(context: CaseContext) -> Breach | None:
    """Return the first safety rule that the case broke and that is binding."""
    broken = judge_case(context).broken or ()
    counted = [violation for violation in broken if violation.level in binding(strict=False)]
    if not counted:
        return None
    observed = under("observed", lines_of(counted))
    text = "\n".join([f"{counted[0].rule}  {counted[0].wording}", *observed, *story_of(context, observed)])
    return Breach(cause=counted[0].rule, text=text)


@contextmanager
def outcome_of_errors(context: CaseContext) -> Iterator[list[RunResult]]:
    """Turn the end of a program, and its silence, into breaches; what is not known into its text."""
    # Only what cannot be played here says so by it; a start of the command does without.
    import pytest

    outcomes: list[RunResult] = []
    try:
        yield outcomes
    except (SubjectDied, ControlPlaneDied) as death:
        lines = under("observed", str(death).splitlines())
        text = "\n".join([*lines, *story_of(context, lines)])
        outcomes.append(RunResult(breach=Breach(cause=DEATH, text=text)))
    except Nonconformance as problem:
        outcomes.append(RunResult(breach=Breach(cause=SILENCE, text=str(problem))))
    except (UnmetPremise, pytest.skip.Exception) as problem:
        outcomes.append(RunResult(undetermined=str(problem)))

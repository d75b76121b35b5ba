"""Folds repeated cases into one result, `flaky` when they do not always end alike (harness/H-50).

No turn is dropped, and none is a retry: the result is the distribution.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from ...scenarios.outcome import Outcome, worst
from .case import CaseResult

_GOOD = (Outcome.PASSED, Outcome.XPASSED)


def fold(results: Sequence[CaseResult]) -> list[CaseResult]:
    """Return one result for each case."""
    cases: dict[tuple[str, str], list[CaseResult]] = {}
    for each in results:
        cases.setdefault((each.id, each.test), []).append(each)
    return [turns[0] if len(turns) == 1 else _together(turns) for turns in cases.values()]


def _together(turns: Sequence[CaseResult]) -> CaseResult:
    outcomes = {each.outcome for each in turns}
    outcome = Outcome.FLAKY if len(outcomes) > 1 and outcomes & {*_GOOD} else worst(outcomes)
    shown = next((each for each in turns if each.outcome not in _GOOD), turns[0])
    counts = Counter(" ".join(filter(None, [each.outcome, each.fingerprint])) for each in turns)
    distribution = dict(sorted(counts.items(), key=lambda one: (-one[1], one[0])))
    violations = {tuple(sorted(one.items())): one for each in turns for one in each.violations}
    return replace(
        shown,
        outcome=outcome,
        seconds=round(sum(each.seconds for each in turns), 3),
        turns=distribution,
        violations=tuple(violations.values()),
        judged=any(each.judged for each in turns),
        observed=tuple(sorted({name for each in turns for name in each.observed})),
        text=f"{shown.text}\n  turns      {told(distribution)}" if shown.text else "",
    )


def told(distribution: dict[str, int]) -> str:
    """Return a distribution as a line, such as `17 passed · 3 failed CHK-012.a`."""
    return " · ".join(f"{amount} {name}" for name, amount in distribution.items())


def lines(results: Sequence[CaseResult]) -> list[str]:
    """Return the terminal's lines about repeated cases."""
    return [f"{each.id}  {each.test}: {told(dict(each.turns))}" for each in results if each.turns]

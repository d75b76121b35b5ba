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
    for result in results:
        cases.setdefault((result.id, result.test), []).append(result)
    return [turns[0] if len(turns) == 1 else _together(turns) for turns in cases.values()]


def _together(turns: Sequence[CaseResult]) -> CaseResult:
    outcomes = {turn.outcome for turn in turns}
    outcome = Outcome.FLAKY if len(outcomes) > 1 and outcomes & {*_GOOD} else worst(outcomes)
    shown = next((turn for turn in turns if turn.outcome not in _GOOD), turns[0])
    counts = Counter(" ".join(filter(None, [turn.outcome, turn.fingerprint])) for turn in turns)
    distribution = dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))
    violations = {
        tuple(sorted(violation.items())): violation for turn in turns for violation in turn.violations
    }
    return replace(
        shown,
        outcome=outcome,
        seconds=round(sum(turn.seconds for turn in turns), 3),
        turns=distribution,
        violations=tuple(violations.values()),
        judged=any(turn.judged for turn in turns),
        observed=tuple(sorted({name for turn in turns for name in turn.observed})),
        text=f"{shown.text}\n  turns      {describe(distribution)}" if shown.text else "",
    )


def describe(distribution: dict[str, int]) -> str:
    """Return a distribution as a line, such as `17 passed · 3 failed CHK-012.a`."""
    return " · ".join(f"{amount} {name}" for name, amount in distribution.items())


def lines(results: Sequence[CaseResult]) -> list[str]:
    """Return the terminal's lines about repeated cases."""
    return [
        f"{result.id}  {result.test}: {describe(dict(result.turns))}" for result in results if result.turns
    ]

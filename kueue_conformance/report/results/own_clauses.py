"""Failed scenarios whose own clauses hold: a safety rule is broken in their story, and nothing else (pure).

One broken rule fails every scenario. What such a scenario shows by itself, and the capabilities that it is
about, are judged by its clauses.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from ...rules import RULES
from ...scenarios.outcome import Outcome, worst


def is_of_rules_alone(outcome: Outcome, code: str) -> bool:
    """Tell whether a case failed by safety rules alone, after its scenario had come to its end."""
    # A failed clause has the code `assertion`; the rules are judged after the last clause.
    return outcome is Outcome.FAILED and bool(code) and set(code.split(", ")) <= _rule_ids()


@cache
def _rule_ids() -> frozenset[str]:
    return frozenset(rule.id for rule in RULES)


def own_outcome(cases: Iterable[tuple[Outcome, str]]) -> Outcome:
    """Return the outcome that a scenario has by its own clauses, from the outcomes and codes of its cases."""
    return worst(Outcome.PASSED if is_of_rules_alone(outcome, code) else outcome for outcome, code in cases)


def hold_although_failed(scenarios: Iterable[tuple[str, Sequence[tuple[Outcome, str]]]]) -> list[str]:
    """Return the ids of failed scenarios whose own clauses hold in every case."""
    return [
        name
        for name, cases in scenarios
        if worst(outcome for outcome, _ in cases) is Outcome.FAILED
        and own_outcome(cases) is not Outcome.FAILED
    ]

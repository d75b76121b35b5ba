"""How suspicious the row is that a failed scenario shows (pure).

One mistake of a controller breaks the scenarios about the row that it breaks, and others that need that row
on their way. The rows that a scenario shows are its spectrum, as the lines that a test runs are in
spectrum-based fault localization, and a row is rated by Ochiai's formula: the failed scenarios that show it,
over the root of all failed ones times all judged ones that show it. So a row counts for much

- when many failed scenarios show it: what explains more comes first;
- when few scenarios that show it passed: a row whose other scenarios hold is not what is broken, and its
  failures are consequences of something else.

A scenario counts by the most suspicious of its rows, a cause by the sum of its scenarios: one that merely
comes past a mistake adds little, however many of them there are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from math import sqrt

from ...scenarios.outcome import SHOWN, Outcome
from ...scenarios.scenario import Scenario
from .case import CaseResult

FAILING = frozenset({Outcome.FAILED, Outcome.FLAKY})
"""Outcomes that show that a rule is broken; an error shows nothing."""


class Suspiciousness:
    """Rates the scenarios of a run, between 0 and 1 each."""

    def __init__(self, results: Iterable[CaseResult], inventory: Mapping[str, Scenario]) -> None:
        outcomes: dict[str, set[Outcome]] = {}
        for result in results:
            if result.id in inventory:
                outcomes.setdefault(result.id, set()).add(result.outcome)
        self._rows = {name: {*inventory[name].requirement, *inventory[name].shows} for name in outcomes}
        failed = [name for name in outcomes if outcomes[name] & FAILING]
        judged = [name for name in outcomes if outcomes[name] & (FAILING | SHOWN)]
        times_judged = Counter(row for name in judged for row in self._rows[name])
        times_failed = Counter(row for name in failed for row in self._rows[name])
        self._of_row = {
            row: times / sqrt(len(failed) * times_judged[row]) for row, times in times_failed.items()
        }

    def of_scenario(self, name: str) -> float:
        """Return the rating of the most suspicious row that a scenario shows."""
        return max((self._of_row.get(row, 0.0) for row in self._rows.get(name, ())), default=0.0)

    def of_cause(self, names: Iterable[str]) -> float:
        """Return how much of the failures scenarios explain together."""
        return sum(map(self.of_scenario, names))

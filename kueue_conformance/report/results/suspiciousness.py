"""How much of the failures a row of the documents explains (pure).

One mistake of a controller breaks the scenarios about the row that it breaks, and others that need that
row on their way. The rows that a scenario shows are its spectrum, as the lines that a test runs are in
spectrum-based fault localization, and a row is rated by Ochiai's formula: the failed scenarios that show it,
over the root of all failed ones times all judged ones that show it. So a row counts for much

- when many failed scenarios show it: what explains more comes first;
- when few scenarios that show it passed: a row whose other scenarios hold is not what is broken, and its
  failures are consequences of something else.

Neither the order of the catalogue nor the number of scenarios that happen to pass through a row decides then.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from math import sqrt

from ...scenarios.outcome import SHOWN, Outcome
from ...scenarios.scenario import Scenario
from .case import CaseResult

FAILING = frozenset({Outcome.FAILED, Outcome.FLAKY})
"""Outcomes that show that a rule is broken; an error shows nothing."""


class Suspiciousness:
    """Rates rows, scenarios and causes of a run, between 0 and 1 each."""

    def __init__(self, results: Iterable[CaseResult], inventory: Mapping[str, Scenario]) -> None:
        outcomes: dict[str, set[Outcome]] = {}
        for result in results:
            outcomes.setdefault(result.id, set()).add(result.outcome)
        self._rows = {
            name: frozenset({*inventory[name].requirement, *inventory[name].shows})
            for name in outcomes
            if name in inventory
        }
        self._failed = [name for name in outcomes if outcomes[name] & FAILING]
        judged = [name for name in self._rows if outcomes[name] & (FAILING | SHOWN)]
        self._judged = Counter(row for name in judged for row in self._rows[name])
        self._of_row = self._rate(self._failed)

    def of_scenario(self, name: str) -> tuple[float, float]:
        """Return the rating of the worst row that a scenario shows, and the mean of all its rows: of two that
        show the worst row the one that shows little else tells more.
        """
        ratings = [self._of_row.get(row, 0.0) for row in self._rows.get(name, ())]
        return max(ratings, default=0.0), sum(ratings) / (len(ratings) or 1)

    def of_scenarios(self, names: Collection[str]) -> float:
        """Return how much of all failures these failed scenarios explain by a row that they show."""
        return max(self._rate(names).values(), default=0.0)

    def of_rule(self, names: Collection[str]) -> float:
        """Return how much of all failures a safety rule explains that is broken in these scenarios: of a row
        of its own that no scenario shows which passed.
        """
        return sqrt(len(names) / (len(self._failed) or 1))

    def _rate(self, names: Iterable[str]) -> Mapping[str, float]:
        shown = Counter(row for name in names for row in self._rows.get(name, ()))
        # A scenario that ended in an error alone was not judged.
        return {
            row: times / sqrt(len(self._failed) * self._judged[row])
            for row, times in shown.items()
            if self._failed and self._judged[row]
        }

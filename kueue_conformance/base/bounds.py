"""How much of something there may be, in its unit:
a text about a bound says both ends, and what was observed.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf


@dataclass(frozen=True, slots=True)
class Bound:
    """At least `least` and at most `most` of a unit; both ends count."""

    unit: str
    least: float = -inf
    most: float = inf

    def holds(self, amount: float) -> bool:
        """Tell whether an amount is within the bound."""
        return self.least <= amount <= self.most

    def describe(self, amount: float) -> str:
        """Return an amount with its unit."""
        digits = f"{amount:.1f}" if amount % 1 else f"{amount:.0f}"
        is_plural_word = len(self.unit) > 1 and " " not in self.unit
        return f"{digits} {self.unit.removesuffix('s') if amount == 1 and is_plural_word else self.unit}"

    def __str__(self) -> str:
        if self.least == -inf:
            return f"at most {self.describe(self.most)}"
        if self.most == inf:
            return f"at least {self.describe(self.least)}"
        return f"{self.least:g} to {self.describe(self.most)}"

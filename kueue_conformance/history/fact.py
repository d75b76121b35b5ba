"""A statement about the cluster, with the expected and the observed state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Fact:
    """True when it holds; prints what was expected and what was observed."""

    holds: bool
    expected: str
    observed: str

    def __bool__(self) -> bool:
        return self.holds

    def denied(self) -> Fact:
        """Return the opposite statement."""
        return Fact(not self.holds, f"not so: {self.expected}", self.observed)


Condition: TypeAlias = Callable[[], "Fact | bool"]


def as_fact(condition: Condition) -> Fact:
    """Evaluate a condition; a plain truth value is described by the condition's own words."""
    seen = condition()
    if isinstance(seen, Fact):
        return seen
    words = (condition.__doc__ or "<lambda>").strip().splitlines()[0]
    return Fact(
        bool(seen),
        "the condition of the scenario holds" if words == "<lambda>" else words,
        "it does not hold",
    )

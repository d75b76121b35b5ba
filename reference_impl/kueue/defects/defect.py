"""A defect of a release, and what replaces it (design.md §8)."""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter


@dataclass(frozen=True, slots=True)
class Defect:
    """What a release was seen to do against its documents, and the member of a dialect that differs."""

    id: str
    finding: str
    fixed_in: tuple[str, ...]
    """The first release of each line that has the fix, oldest line first; empty while it is open."""
    report: tuple[int, ...]
    """Numbers of issues and pull requests of kubernetes-sigs/kueue; empty: not reported."""
    member: str
    """The rules and their member, as `pending.priority_key`; of an order, or of a table, one rule."""
    observed: object
    corrected: object

    def value_in(self, dialect: object) -> object:
        """Return the member of a dialect that differs."""
        return attrgetter(self.member)(dialect)

    def is_in(self, dialect: object) -> bool:
        """Tell whether a dialect has the observed value."""
        value = self.value_in(dialect)
        return self.observed in value if isinstance(value, tuple) else value == self.observed

    def correct(self, value: object) -> object:
        """Return the corrected value of the member."""
        if isinstance(value, tuple):
            return tuple(self._swap(rule) for rule in value)
        return self._swap(value)

    def _swap(self, value: object) -> object:
        # A dialect of another release may have a value of its own here, without the defect.
        return self.corrected if value == self.observed else value

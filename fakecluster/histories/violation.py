"""What contradicts an order of revisions, with the smallest evidence."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct


class Violation(Struct, frozen=True):
    """The rule, what is wrong, and the observations that show it."""

    rule: str
    text: str
    evidence: Sequence[str] = ()

    def __str__(self) -> str:
        return "\n".join([f"{self.rule}: {self.text}", *(f"  {line}" for line in self.evidence)])

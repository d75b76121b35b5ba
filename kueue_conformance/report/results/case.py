"""The result of one case, as a value (harness §10.7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from ...scenarios.outcome import Outcome

NOTHING_ASKED: Mapping[str, Any] = MappingProxyType({})


def clause_of(scenario: str, text: str) -> str:
    """Return the clause that a failure's text begins with, empty when it begins with none."""
    head = text.split(" ", 1)[0] if text else ""
    return head if head.startswith(f"{scenario}.") else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseResult:
    """The result of one case."""

    id: str
    test: str
    dialect: str
    parameters: Mapping[str, str]
    outcome: Outcome
    code: str = ""
    text: str = ""
    seconds: float = 0.0
    waits: Mapping[str, Sequence[float]] = field(default_factory=lambda: MappingProxyType({}))
    timeline: tuple[Mapping[str, Any], ...] = ()
    lists: tuple[Mapping[str, Any], ...] = ()
    """The lists of pending Workloads that it read, each a table of Workloads and revisions."""
    observed_behaviours: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Which of several permitted behaviours was observed, by clause."""
    drawn_values: tuple[str, ...] = ()
    """The names and texts that were drawn for it."""
    judged: bool = False
    """The safety rules were judged over the story of the case."""
    violations: tuple[Mapping[str, str], ...] = ()
    expectation: str = ""
    """The expectation that matched it, or that is stale now."""
    evidence: str = ""
    """The file with its story, beside the report."""
    log: str = ""
    """The file with the subject's log of the case, beside the report."""
    node: str = ""
    """The pytest node id."""
    observed: tuple[str, ...] = ()
    """The capabilities that were observed."""
    footprint: Mapping[str, Any] = field(default_factory=lambda: NOTHING_ASKED)
    """The subject's requests: the rights that it needed, and their cost."""
    turns: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    """The number of each outcome, where it was run several times."""

    @property
    def clause(self) -> str:
        """The clause that failed, such as `ADM-204.b`; empty when none is known."""
        return clause_of(self.id, self.text)

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the failure within its scenario:
        clause, safety rules or kind of error (H-17).
        """
        return self.clause or self.code

    def to_dict(self) -> dict[str, Any]:
        """Return the report's form; timeline and lists are the HTML page's."""
        return {
            "test": self.test,
            "dialect": self.dialect,
            "parameters": dict(self.parameters),
            "outcome": str(self.outcome),
            **({"code": self.code} if self.code else {}),
            **({"clause": self.clause} if self.clause else {}),
            **({"expectation": self.expectation} if self.expectation else {}),
            **({"text": self.text} if self.text else {}),
            "seconds": self.seconds,
            **({"seen": dict(sorted(self.observed_behaviours.items()))} if self.observed_behaviours else {}),
            **({"drawn": list(self.drawn_values)} if self.drawn_values else {}),
            **(
                {"waits": {name: list(wait) for name, wait in sorted(self.waits.items())}}
                if self.waits
                else {}
            ),
            **({"evidence": [self.evidence]} if self.evidence else {}),
            **({"log": self.log} if self.log else {}),
            **({"turns": dict(self.turns)} if self.turns else {}),
        }

"""One expectation, and when it holds (harness §10.4)."""

from __future__ import annotations

import fnmatch
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from types import MappingProxyType

from ..scenarios import dialect
from ..scenarios.outcome import Outcome
from . import ranges

_ALWAYS: Mapping[str, Sequence[str]] = MappingProxyType({})
SKIP = "skip"
_EXPECTED = {
    "failed": (Outcome.FAILED, Outcome.XFAILED),
    "error": (Outcome.ERROR, Outcome.XFAILED),
    "flaky": (Outcome.FAILED, Outcome.ERROR, Outcome.FLAKY),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """The circumstances of a case that `when` can ask about."""

    dialect: str = ""
    backend: str = ""
    control_plane: str = ""
    subject: str = ""
    """The version of the subject, as it is declared."""

    def meets(self, when: Mapping[str, Sequence[str]]) -> bool:
        """Tell whether every condition holds here."""
        known_dialect = dialect.every().get(self.dialect)
        values_and_orders = {
            "dialect": (self.dialect, known_dialect.order if known_dialect else ()),
            "backend": (self.backend, ()),
            "control-plane": (self.control_plane, ()),
            "subject": (self.subject, ranges.order(self.subject)),
        }
        return all(ranges.holds(conditions, *values_and_orders[key]) for key, conditions in when.items())


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """A known failure: which, why, its owner, and its expiry."""

    id: str
    reason: str
    issue: str
    outcome: str = "failed"
    clause: str = ""
    when: Mapping[str, Sequence[str]] = field(default_factory=lambda: _ALWAYS)
    owner: str = ""
    expires: date | None = None
    file: str = field(default="", compare=False)
    line: int = field(default=0, compare=False)

    @property
    def where(self) -> str:
        """File and line of the entry."""
        return f"{self.file}:{self.line}"

    @property
    def description(self) -> str:
        """The scenario and the reason."""
        return f"{self.fingerprint}: {self.reason} ({self.issue})"

    @property
    def fingerprint(self) -> str:
        """The scenario with the clause or rule that is expected to break (H-17)."""
        return fingerprint(self.id, self.clause)

    def is_about(self, scenario: str, situation: Situation, today: date) -> bool:
        """Tell whether the entry is about a case; an expired entry is about none."""
        return (
            not self.is_expired(today)
            and fnmatch.fnmatchcase(scenario, self.id)
            and situation.meets(self.when)
        )

    def is_expired(self, today: date) -> bool:
        """Tell whether the entry has expired."""
        return self.expires is not None and self.expires < today

    def expects(self, scenario: str, outcome: Outcome, clause: str) -> bool:
        """Tell whether a result is the expected one: its outcome, and its clause if the entry names one."""
        clause_of_entry = full_clause(scenario, self.clause)
        return outcome in _EXPECTED.get(self.outcome, ()) and clause_of_entry in ("", clause)


def fingerprint(scenario: str, clause: str) -> str:
    """Return the fingerprint of a failure: `CHK-012.b`,
    or the scenario with the rules or the kind of error.
    """
    full = full_clause(scenario, clause)
    return full if full.startswith(f"{scenario}.") else f"{scenario} {full}".strip()


def full_clause(scenario: str, clause: str) -> str:
    """Return a fingerprint in full: `b` means the clause `CHK-012.b`; rules and full names do not change."""
    return f"{scenario}.{clause}" if len(clause) == 1 else clause

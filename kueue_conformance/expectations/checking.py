"""Finds stale expectations: those that match no scenario, and expired ones (harness/H-16)."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Iterator, Mapping
from datetime import date

from ..scenarios.scenario import Scenario
from .entry import Expectation, full_clause


def stale(
    entries: Iterable[Expectation], inventory: Mapping[str, Scenario], today: date
) -> Iterator[tuple[Expectation, str]]:
    """Yield the stale entries, each with the reason."""
    for entry in entries:
        if dead := _dead(entry, inventory):
            yield entry, dead
        elif entry.is_expired(today):
            yield (
                entry,
                f"expired on {entry.expires}: look at {entry.issue} again, then remove this entry or move its day",
            )


def _dead(entry: Expectation, inventory: Mapping[str, Scenario]) -> str:
    meant = [record for name, record in inventory.items() if fnmatch.fnmatchcase(name, entry.id)]
    if not meant:
        return "dead: it matches no scenario of the suite; remove this entry"
    if _names_clause(entry.clause) and not any(_has(record, entry.clause) for record in meant):
        return f"dead: no matching scenario has a clause {entry.clause}; remove this entry"
    return ""


def _names_clause(text: str) -> bool:
    """Tell a clause, `b` or `CHK-012.b`, from a safety rule and from the name of an error."""
    return len(text) == 1 or "." in text


def _has(record: Scenario, clause: str) -> bool:
    return full_clause(record.id, clause) in {f"{record.id}.{key}" for key in record.clauses}

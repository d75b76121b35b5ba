"""Defects of v0.19.2 that the reference shows on purpose, each with what replaces it (design.md §8).

`--without-defects` puts the replacement wherever a dialect has the defective member: as a member of its rules or
within an order.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, Final, TypeVar

from .checks import rules as checks
from .dialects import Dialect
from .queueing import pending
from .queues.rules import QueueRules
from .workload import activity, notes, timeouts
from .workload.rules import Rules

R = TypeVar("R", Rules, QueueRules)


@dataclass(frozen=True, slots=True)
class Defect:
    """What was seen, since when it is fixed upstream (empty: it is not), and the member that differs."""

    id: str
    finding: str
    fixed_in: str
    observed: Any
    corrected: Any


DEFECTS: Final = (
    Defect(
        "AC-295",
        "a Workload that a check rejected cannot be made active again",
        "after v0.19.2 (PR #14874)",
        activity.exactly_deactivated,
        activity.any_deactivated,
    ),
    Defect(
        "C-01",
        "a Workload that waits stays blocked when a check takes its Retry or Rejected back",
        "",
        pending.reactivates,
        pending.reactivates_on_answers_too,
    ),
    Defect(
        "C-02",
        "a Workload that ran too long is marked again while it stops, and is switched off for ever",
        "",
        timeouts.execution_timeout,
        timeouts.execution_timeout_once,
    ),
    Defect(
        "C-03",
        "checks for all flavors are dropped when the ClusterQueue loses the assigned flavor",
        "",
        checks.required,
        checks.required_for_lost_flavors_too,
    ),
    Defect(
        "C-24",
        "requeueAt stays for ever when a Retry is withdrawn",
        "",
        activity.backoff_over,
        activity.backoff_over_or_withdrawn,
    ),
    Defect(
        "AC-383",
        "a percent sign in a check's message is garbled in events",
        "",
        notes.formatted,
        notes.plain,
    ),
)


def without(dialect: Dialect, defects: tuple[Defect, ...] = DEFECTS) -> Dialect:
    """Return the dialect with every defect corrected."""
    workload, queues = dialect.workload, dialect.queues
    for defect in defects:
        workload, queues = _corrected(workload, defect), _corrected(queues, defect)
    return replace(dialect, workload=workload, queues=queues)


def _corrected(rules: R, defect: Defect) -> R:
    members = {field.name: getattr(rules, field.name) for field in fields(rules)}
    changed = {name: _swap(value, defect) for name, value in members.items()}
    return replace(rules, **changed)


def _swap(value: Any, defect: Defect) -> Any:
    if isinstance(value, tuple):
        return tuple(_swap(each, defect) for each in value)
    return defect.corrected if value is defect.observed else value

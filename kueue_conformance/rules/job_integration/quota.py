"""When quota is given back, and a Workload let go (JI-032, JI-061)."""

from __future__ import annotations

from collections.abc import Iterator

from ...history.story import Change
from ..story import Finding
from ..workload import is_true
from .writes import Writes, integration_rule, is_deleted


def early_releases(writes: Writes) -> Iterator[Finding]:
    """Yield each write that gives back quota of a job which has pods, or is not suspended."""
    for change in writes.of_workloads():
        if not _gives_back(change) or is_true(change.after, "Finished"):
            continue
        # One state in which nothing ran excuses the write.
        states = [*writes.job_states(change, change.after)]
        if all(state is not None and writes.fields.has_pods(state) for state in states):
            yield change, "gives its quota back, and pods of its job are left"
        elif all(state is not None and not writes.fields.is_suspended(state) for state in states):
            yield change, "gives its quota back, and its job is not suspended"


def _gives_back(change: Change) -> bool:
    return is_true(change.before, "QuotaReserved") and not is_true(change.after, "QuotaReserved")


def _lets_go_while_it_runs(writes: Writes) -> Iterator[Finding]:
    for change in writes.finalizer_removals():
        if is_true(change.before, "Finished"):
            continue
        states = [*writes.job_states(change, change.before)]
        if all(
            not is_deleted(state)
            and not writes.fields.is_suspended(state)
            and not writes.fields.has_ended(state)
            for state in states
        ):
            yield change, "is let go, and its job is not suspended"


QUOTA = (
    integration_rule(
        "JI-032",
        "gives quota back only when its job is suspended and no pod of it is left",
        early_releases,
    ),
    integration_rule("JI-061", "stops a job before it lets its deleted Workload go", _lets_go_while_it_runs),
)

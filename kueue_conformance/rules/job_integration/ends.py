"""How the end of a job is told (JI-040, JI-041, JI-043)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from ...base.job_fields import FAILED, SUCCEEDED
from ...scenarios.outcome import Level
from ..story import Finding
from ..workload import becomes_true, conditions, is_true
from .writes import Writes, integration_rule

_STATES: Mapping[str, str] = MappingProxyType({"Succeeded": SUCCEEDED, "Failed": FAILED})
_WITHOUT_TIME = ("type", "status", "reason", "message")


def _untrue_ends(writes: Writes) -> Iterator[Finding]:
    for change in writes.of_workloads():
        reason = conditions(change.after).get("Finished", {}).get("reason", "")
        if not becomes_true(change, "Finished") or reason not in _STATES:
            continue
        jobs = [job for job in writes.job_states(change, change.after) if job is not None]
        # A job that is gone may have ended before.
        if jobs and not any(writes.fields.has_ended(job, _STATES[reason]) for job in jobs):
            yield change, f"is Finished with reason {reason}, and its job has not {_STATES[reason]}"


def _rewritten_ends(writes: Writes) -> Iterator[Finding]:
    for change in writes.of_workloads():
        before, after = (
            conditions(workload).get("Finished", {}) for workload in (change.before, change.after)
        )
        if is_true(change.before, "Finished") and any(
            before.get(name) != after.get(name) for name in _WITHOUT_TIME
        ):
            yield (
                change,
                f"was Finished with reason {before.get('reason')}, and is {after.get('status', 'not')} with {after.get('reason', 'none')}",
            )


ENDS = (
    integration_rule(
        "JI-040",
        "says Succeeded or Failed only of the Workload of a job that has",
        _untrue_ends,
    ),
    integration_rule(
        "JI-043", "changes Finished no more when it is True", _rewritten_ends, level=Level.SHOULD
    ),
)

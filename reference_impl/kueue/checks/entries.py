"""The answers of the check controllers in a Workload's status, and what Kueue does to them.

AC-117…122, AC-340, AC-345, AC-357.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from reference_impl.api import instants
from reference_impl.api.objects import CheckState, WorkloadStatus

PENDING: Final = "Pending"
READY: Final = "Ready"
RETRY: Final = "Retry"
REJECTED: Final = "Rejected"
PREEMPTION_REQUESTS: Final = frozenset({"PreemptionRequired", "BookQuotaRequired"})
"""Reasons of an undecided check that ask for preemptions: KEP-993's, and its older name (AC-445, AC-462)."""


@dataclass(frozen=True, slots=True)
class Checks:
    """The list `status.admissionChecks`; every change returns a new one."""

    entries: tuple[CheckState, ...] = ()

    @classmethod
    def of(cls, status: WorkloadStatus) -> Checks:
        """Read the list from a Workload's status."""
        return cls(tuple(status.get("admissionChecks") or ()))

    @property
    def names(self) -> frozenset[str]:
        """The checks that are listed."""
        return frozenset(entry["name"] for entry in self.entries)

    @property
    def are_all_ready(self) -> bool:
        """Tell whether nothing stands in the way; an empty list counts (Q-315)."""
        return all(entry["state"] == READY for entry in self.entries)

    @property
    def has_negative(self) -> bool:
        """Tell whether a check said Retry or Rejected."""
        return any(entry["state"] in {RETRY, REJECTED} for entry in self.entries)

    @property
    def ask_for_preemption(self) -> bool:
        """Tell whether an undecided check asks for the preemptions;
        other states do not (AC-444, AC-462, AC-465).
        """
        return any(
            entry["state"] == PENDING and entry.get("reason") in PREEMPTION_REQUESTS for entry in self.entries
        )

    def in_state(self, state: str) -> tuple[CheckState, ...]:
        """Return the entries in a state, sorted by name."""
        entries = (entry for entry in self.entries if entry["state"] == state)
        return tuple(sorted(entries, key=lambda entry: str(entry["name"])))

    def sync(self, required: Iterable[str], current_time: float) -> Checks:
        """Add missing entries as Pending, drop those that do not apply, keep the rest (AC-357, AC-358)."""
        names = frozenset(required)
        # The very same object says that nothing is to be written.
        if names == self.names:
            return self
        remaining = [entry for entry in self.entries if entry["name"] in names]
        added = [_pending(name, current_time) for name in names - self.names]
        return Checks(tuple(sorted([*remaining, *added], key=lambda entry: str(entry["name"]))))

    def reset(self, current_time: float) -> Checks:
        """Bring every answer back to Pending, as an eviction does (AC-340, AC-345)."""
        return Checks(tuple(_reset(entry, current_time) for entry in self.entries))

    def keep(self, _current_time: float) -> Checks:
        """Keep every answer, as evictions did before v0.9 (D-11)."""
        return self

    def retry_deadline(self) -> float | None:
        """Return the latest moment until which a Retry asks to wait (Q-340)."""
        delayed = [
            entry for entry in self.entries if entry["state"] == RETRY and "requeueAfterSeconds" in entry
        ]
        ends = (
            instants.parse(entry["lastTransitionTime"]) + entry["requeueAfterSeconds"] for entry in delayed
        )
        return max(ends, default=None)


def _pending(name: str, current_time: float) -> CheckState:
    return {
        "name": name,
        "state": PENDING,
        "message": "",
        "lastTransitionTime": instants.render(current_time),
    }


def _reset(entry: CheckState, current_time: float) -> CheckState:
    """Kept byte for byte when it was Pending; podSetUpdates go, and retryCount unless it was a Retry."""
    # Byte for byte: another lastTransitionTime would tell its controller that something
    # happened.
    if entry["state"] == PENDING:
        return entry
    new: CheckState = {
        "name": entry["name"],
        "state": PENDING,
        "message": f"Reset to Pending after eviction. Previously: {entry['state']}",
        "lastTransitionTime": instants.render(current_time),
    }
    # Kueue copies the wait, although it is over: a controller that only sets the state
    # to Retry again would find it still there (AC-345).
    if "requeueAfterSeconds" in entry:
        new["requeueAfterSeconds"] = entry["requeueAfterSeconds"]
    if entry["state"] == RETRY:
        # Counted at the eviction, not when a controller says Retry: of several Retries
        # of one attempt one counts.
        new["retryCount"] = entry.get("retryCount", 0) + 1
    return new

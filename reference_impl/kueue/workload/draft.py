"""A status on its way to be written: every step returns a new one, the Workload is unchanged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from reference_impl.api import instants, objects
from reference_impl.api.objects import WorkloadStatus
from reference_impl.api.resource import Json
from reference_impl.kueue.checks.entries import Checks

from . import conditions
from .conditions import Condition
from .view import Workload


@dataclass(frozen=True, slots=True)
class StatusDraft:
    """The status of one Workload as it will be, at one moment."""

    status: WorkloadStatus
    generation: int
    current_time: float

    @classmethod
    def of(cls, workload: Workload, current_time: float) -> StatusDraft:
        """Start from the stored Workload."""
        return cls(workload.status, workload.generation, current_time)

    @property
    def conditions(self) -> Sequence[objects.Condition]:
        """Return the conditions so far."""
        return self.status.get("conditions") or ()

    def condition(self, kind: str) -> objects.Condition | None:
        """Return one condition so far."""
        return conditions.find(self.conditions, kind)

    def is_true(self, kind: str) -> bool:
        """Tell whether a condition is True so far."""
        return conditions.is_true(self.conditions, kind)

    def set(self, condition: Condition) -> StatusDraft:
        """Set a condition."""
        return self.put(
            "conditions", conditions.put(self.conditions, condition, self.generation, self.current_time)
        )

    def remove(self, kind: str) -> StatusDraft:
        """Take a condition away."""
        return self.put("conditions", conditions.without(self.conditions, kind))

    def put(self, name: str, value: Json) -> StatusDraft:
        """Set a field of the status."""
        status: Json = {**self.status, name: value}
        return replace(self, status=status)

    def drop(self, *names: str) -> StatusDraft:
        """Take fields away."""
        status: Json = {name: value for name, value in self.status.items() if name not in names}
        return replace(self, status=status)

    def with_checks(self, checks: Checks) -> StatusDraft:
        """Set the list of checks; an empty one is absent (AC-358)."""
        if not checks.entries:
            return self.drop("admissionChecks")
        return self.put("admissionChecks", list(checks.entries))

    def requeue_at(self, when: float | None) -> StatusDraft:
        """Set or clear until when it stays out of the queue; the count of attempts stays (AC-275)."""
        state = {k: v for k, v in (self.status.get("requeueState") or {}).items() if k != "requeueAt"}
        if when is not None:
            state["requeueAt"] = instants.render(when)
        return self.put("requeueState", state) if state else self.drop("requeueState")

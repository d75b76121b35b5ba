"""A view of a Workload that was read once: conditions, checks, flavors, and all of it in one line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...base.json_types import Json
from ...base.objects import Admission, CheckState, Condition, WorkloadStatus


@dataclass(frozen=True, slots=True)
class WorkloadView:
    """Pure functions of one object; empty when it does not exist."""

    object: Json

    @property
    def status(self) -> WorkloadStatus:
        """The status, empty when there is none."""
        status: WorkloadStatus = self.object.get("status") or WorkloadStatus()
        return status

    @property
    def active(self) -> bool:
        """spec.active, true when it is not said."""
        return bool(self.object.get("spec", {}).get("active", True))

    @property
    def admission(self) -> Admission | None:
        """The flavor assignment."""
        return self.status.get("admission")

    @property
    def checks(self) -> Mapping[str, CheckState]:
        """The entries of checks by name, in their order."""
        return {entry.get("name", ""): entry for entry in self.status.get("admissionChecks", [])}

    def condition(self, name: str) -> Condition:
        """Return a condition, empty when there is none."""
        conditions: Sequence[Condition] = self.status.get("conditions") or ()
        return next((condition for condition in conditions if condition.get("type") == name), Condition())

    def is_true(self, name: str) -> bool:
        """Tell whether a condition is True."""
        return bool(self.condition(name).get("status") == "True")

    @property
    def holds_nothing(self) -> bool:
        """Tell whether no quota is reserved, no flavor is assigned, and it is not Admitted."""
        return not (self.is_true("QuotaReserved") or self.admission or self.is_true("Admitted"))

    def flavors(self) -> Sequence[str]:
        """Return the assigned flavors."""
        assignments = (self.admission or {}).get("podSetAssignments", [])
        return sorted(
            {flavor for assignment in assignments for flavor in assignment.get("flavors", {}).values()}
        )

    def __str__(self) -> str:
        if not self.object:
            return "there is no such Workload"
        conditions = [
            f"{condition.get('type')}={condition.get('status')} ({condition.get('reason', '')})"
            for condition in self.status.get("conditions", [])
        ]
        checks = [f"{name}: {entry.get('state')}" for name, entry in self.checks.items()]
        active = [] if self.active else ["spec.active=false"]
        admission = (
            [f"admission in {self.admission.get('clusterQueue')}"] if self.admission else ["no admission"]
        )
        return "; ".join([*conditions, *checks, *active, *admission])


def view_of(manifest: Json | None) -> WorkloadView:
    """Return the view of an object of a story, which may be absent."""
    return WorkloadView(manifest or {})

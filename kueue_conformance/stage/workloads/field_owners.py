"""Which managers own the fields of a Workload's status, as its managedFields tell it (AC-370, AC-373)."""

from __future__ import annotations

from collections.abc import Iterator

from ...history.fact import Fact
from .reader import WorkloadReader


class FieldOwnerFacts(WorkloadReader):
    """Facts about managedFields of the status."""

    def has_condition_owner(self, manager: str, condition: str) -> Fact:
        """The manager applied the condition."""
        return self._owns(manager, "f:conditions", f'k:{{"type":"{condition}"}}')

    def has_field_owner(self, manager: str, field: str) -> Fact:
        """The manager applied the field of the status."""
        return self._owns(manager, f"f:{field}")

    def has_entry_owner(self, manager: str, check: str) -> Fact:
        """The manager applied the entry of the check."""
        return self._owns(manager, "f:admissionChecks", f'k:{{"name":"{check}"}}')

    def _owns(self, manager: str, *path: str) -> Fact:
        owners = sorted(self._owners(path))
        return Fact(manager in owners, f"{self}: {manager} applied {'.'.join(path)}", f"{owners} did")

    def _owners(self, path: tuple[str, ...]) -> Iterator[str]:
        for entry in self.object.get("metadata", {}).get("managedFields", []):
            below = (entry.get("fieldsV1") or {}).get("f:status")
            for step in path:
                below = None if below is None else below.get(step)
            if below is not None and entry.get("operation") == "Apply":
                yield entry.get("manager", "")

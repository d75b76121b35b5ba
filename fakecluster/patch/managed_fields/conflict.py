"""Why an apply is refused: another manager owns what it would change (FK-206)."""

from __future__ import annotations

from collections.abc import Mapping

from .fieldset import Fields, paths
from .managers import Manager
from .paths import text


class ApplyConflict(Exception):
    """Fields of others that the apply would change; the text is the Status message, `causes` its details."""

    def __init__(self, conflicts: Mapping[Manager, Fields]) -> None:
        self.conflicts = conflicts
        self.manager_fields = [
            (manager, text(path))
            for manager in sorted(conflicts, key=lambda manager: manager.key)
            for path in paths(conflicts[manager])
        ]
        super().__init__(self._message())

    @property
    def causes(self) -> list[dict[str, str]]:
        """The entries of `details.causes`."""
        return [
            {"reason": "FieldManagerConflict", "message": f"conflict with {manager}", "field": field}
            for manager, field in self.manager_fields
        ]

    def _message(self) -> str:
        if len(self.manager_fields) == 1:
            manager, field = self.manager_fields[0]
            return f"Apply failed with 1 conflict: conflict with {manager}: {field}"
        lines = []
        for index, (manager, field) in enumerate(self.manager_fields):
            # The paths are sorted by manager, and each manager has one heading.
            if index == 0 or self.manager_fields[index - 1][0] != manager:
                lines.append(f"conflicts with {manager}:")
            lines.append(f"- {field}")
        return f"Apply failed with {len(self.manager_fields)} conflicts: " + "\n".join(lines)

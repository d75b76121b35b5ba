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
        self.found = [
            (manager, text(path))
            for manager in sorted(conflicts, key=lambda one: one.key)
            for path in paths(conflicts[manager])
        ]
        super().__init__(self._message())

    @property
    def causes(self) -> list[dict[str, str]]:
        """The entries of `details.causes`."""
        return [
            {"reason": "FieldManagerConflict", "message": f"conflict with {manager}", "field": field}
            for manager, field in self.found
        ]

    def _message(self) -> str:
        if len(self.found) == 1:
            manager, field = self.found[0]
            return f"Apply failed with 1 conflict: conflict with {manager}: {field}"
        lines = []
        for place, (manager, field) in enumerate(self.found):
            if place == 0 or self.found[place - 1][0] != manager:
                lines.append(f"conflicts with {manager}:")
            lines.append(f"- {field}")
        return f"Apply failed with {len(self.found)} conflicts: " + "\n".join(lines)

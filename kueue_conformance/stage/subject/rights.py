"""The rights that the subject has needed in a case (CC-078, harness/N-09)."""

from __future__ import annotations

from collections.abc import Sequence

from ...base.json_types import Json
from ...history.fact import Fact
from ...history.footprint import Need, is_granted, needs
from ...wire.resource import KUEUE
from .conduct import Conduct


class Rights(Conduct):
    """Facts about what the subject was allowed to do, or would have to be."""

    rules: Sequence[Json] | None = None
    """Of the roles that the subject file names."""

    def require_declared_role(self) -> None:
        """End the case as unsupported when the subject file names no role."""
        if self.rules is None:
            import pytest

            pytest.skip("unsupported: rbac in a subject file")

    def has_written_status_only(self) -> Fact:
        """Kueue's objects were written through their status, and nothing of them created or deleted."""
        # A finalizer of its own can be set and removed in no other way.
        written = needs(
            one
            for one in self.requests
            if one.writes and one.group == KUEUE and b"finalizers" not in one.body
        )
        found = sorted(one for one in written if not one.resource.endswith("/status"))
        return Fact(not found, "writes Kueue's objects through their status only", _told(found))

    def has_used_granted_rights_only(self) -> Fact:
        """The declared role grants all that was asked for."""
        found = [one for one in sorted(needs(self.requests)) if not is_granted(self.rules or (), one)]
        return Fact(not found, "the declared role grants what is needed", f"it lacks {_told(found)}")


def _told(found: Sequence[Need]) -> str:
    return ", ".join(map(str, found)) or "nothing"

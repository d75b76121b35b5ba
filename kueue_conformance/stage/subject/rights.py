"""The rights that the subject has needed in a case (CC-078, harness/N-09)."""

from __future__ import annotations

from collections.abc import Sequence

from ...base.json_types import Json
from ...history.fact import Fact
from ...history.footprint import AccessRight, is_granted, needs
from ...wire.resource import KUEUE
from .subject_requests import SubjectRequests


class Rights(SubjectRequests):
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
            request
            for request in self.requests
            if request.writes and request.group == KUEUE and b"finalizers" not in request.body
        )
        beside_status = sorted(need for need in written if not need.resource.endswith("/status"))
        return Fact(
            not beside_status, "writes Kueue's objects through their status only", _needs_text(beside_status)
        )

    def has_used_granted_rights_only(self) -> Fact:
        """The declared role grants all that was asked for."""
        missing = [need for need in sorted(needs(self.requests)) if not is_granted(self.rules or (), need)]
        return Fact(
            not missing, "the declared role grants what is needed", f"it lacks {_needs_text(missing)}"
        )


def _needs_text(needs: Sequence[AccessRight]) -> str:
    return ", ".join(map(str, needs)) or "nothing"

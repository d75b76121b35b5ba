"""A set of Workloads with common facts."""

from __future__ import annotations

from collections.abc import Sequence

from ...history.fact import Fact
from ..checks.check import Check
from .workload import Workload


class WorkloadSet:
    """Workloads of one namespace."""

    def __init__(self, members: Sequence[Workload]) -> None:
        self._members = members

    @property
    def first(self) -> Workload:
        """The first Workload."""
        return self._members[0]

    @property
    def middle(self) -> Workload:
        """The Workload in the middle."""
        return self._members[len(self._members) // 2]

    def has_states(self, state: str, check: Check) -> Fact:
        """The check has this state in every one of them."""
        other_members = [member for member in self._members if not member.has_states(state, check)]
        return Fact(
            not other_members,
            f"check {check.name} is {state} in {len(self._members)} Workloads",
            f"{len(other_members)} of them are left, such as {other_members[0]}"
            if other_members
            else "so it is",
        )

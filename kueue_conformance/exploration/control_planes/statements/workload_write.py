"""One write of a Workload by Kueue, before and behind it (pure)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ....base.objects import Condition
from ....stage.workloads.view import WorkloadView
from ..state import State


@dataclass(frozen=True, slots=True)
class WorkloadWrite:
    """One write of a Workload by Kueue: before and behind it."""

    state: State
    before: WorkloadView
    after: WorkloadView
    time: float = 0.0
    """Seconds since the epoch."""

    def changes_of(self, condition: str) -> Iterator[tuple[Condition, Condition]]:
        """Yield a condition before and behind, where its status or reason is another one."""
        old, new = self.before.condition(condition), self.after.condition(condition)
        if new and (old.get("status"), old.get("reason")) != (new.get("status"), new.get("reason")):
            yield old, new

    @property
    def is_eviction(self) -> bool:
        """Whether the write evicts the Workload."""
        return any(new["status"] == "True" for _, new in self.changes_of("Evicted"))

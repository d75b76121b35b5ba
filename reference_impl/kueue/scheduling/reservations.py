"""What reservations wait for, and the preemptions that are issued for them (AC-443, AC-469, AC-473)."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..workload.view import Workload
from ..workload.workload_context import ReservationState
from .evictions import Evictions
from .plans import PlannedPreemptions


@dataclass(slots=True)
class Reservations:
    """Answers the state machine; known before the scheduler is there, which gives it both members."""

    plans: PlannedPreemptions = field(init=False)
    evictions: Evictions = field(init=False)

    def reservation_state(self, workload: Workload) -> ReservationState:
        """Return what the reservation of a Workload still waits for."""
        return self.plans.reservation_state(workload)

    def preempt(self, workload: Workload) -> None:
        """Have its planned victims evicted; each that could not be told is planned again (AC-471)."""
        name = (workload.admission or {}).get("clusterQueue", "")
        self.evictions.issue(workload, name, self.plans.victims(workload), _wait_for_requeue)


def _wait_for_requeue(_failed: int) -> None:
    """Do nothing: the reservation is looked at again anyway, and issues the remaining evictions."""

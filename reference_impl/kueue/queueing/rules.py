"""What distinguishes the queues of one release from those of another, as one value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from ..quota.forest import Forest
from .pending import Reactivates, Weight, reactivates, weight_by_class
from .strategies import IMMEDIATE, Reason, Strategy


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingRules:
    """The members that a dialect may replace."""

    stirs: Reactivates
    """Which change of a parked Workload makes looking again worthwhile (Q-032, C-01)."""
    weight: Weight
    """What of a Workload that holds quota makes others look again when it changes (Q-051, QC-05)."""
    wakes_by_status: Callable[[Forest, str], bool]
    """Whether a status that is written to a ClusterQueue has others of its tree look again (QC-03)."""
    immediate: Mapping[Strategy, frozenset[Reason]]
    """After which failures a Workload is tried again at once (Q-043, Q-503)."""
    sticks: bool
    """Whether a preemptor stands before all others (Q-022, Q-504)."""
    parks_equals: bool
    """Whether a Workload that does not fit takes its equals along (Q-045, Q-504)."""


V0_19: Final = PendingRules(
    stirs=reactivates,
    weight=weight_by_class,
    wakes_by_status=Forest.has_cohort_object,
    immediate=IMMEDIATE,
    sticks=True,
    parks_equals=True,
)

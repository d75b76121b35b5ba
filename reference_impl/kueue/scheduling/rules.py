"""What distinguishes the scheduling cycle of one release from that of another, as one value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from ...api.resource import Json
from ..quota.catalogue import Catalogue
from ..quota.cluster_queue import FlavorFungibility
from ..quota.resources import FlavorResource, Usage
from ..quota.tree import Node
from ..workload.view import Workload

if TYPE_CHECKING:
    from .assignment import Assignment, GranularMode, QuotaFit
    from .booking import Booking
    from .entry import Entry, Preempt, Requeue, Reserve
    from .flavor_fit import AssignmentContext

ProcessEntry: TypeAlias = "Callable[[Entry, Node, Booking], Reserve | Preempt | Requeue]"
FitQuota: TypeAlias = "Callable[[AssignmentContext, Workload, FlavorResource, int, int], QuotaFit]"
CombineModes: TypeAlias = "Callable[[list[GranularMode], FlavorFungibility], GranularMode]"


@dataclass(frozen=True, slots=True, kw_only=True)
class SchedulingRules:
    """The members that a dialect may replace."""

    process_entry: ProcessEntry
    """What becomes of an entry after those before it (Q-224…Q-230, Q-507)."""
    usage_to_reserve: Callable[[Entry, Node], Usage]
    """What a preemptor keeps from the entries behind it (Q-229)."""
    fit_quota: FitQuota
    """How one resource of one flavor suits: what pod sets before it take,
    and what is asked for (Q-165…Q-169, Q-519).
    """
    combine_modes: CombineModes
    """The grade of a flavor from those of its resources (Q-154, QC-07)."""
    preemption_usage: Callable[[Assignment], Usage]
    """What room is made for by preemption (Q-253, QC-06)."""
    is_preemptible_queue: Callable[[Catalogue, str], bool]
    """Whether Workloads of a ClusterQueue may be preempted from another one (Q-146, QC-08)."""
    label_keys: Callable[[Json, Sequence[Json]], frozenset[str]]
    """The node labels that count for a flavor, from it and all flavors of its resource group (Q-159, Q-514).
    """
    describe_flavors: Callable[[Assignment], str]
    """What the event of a reservation tells of flavors (Q-175)."""
    validate_requests: Callable[[Iterable[Json], Iterable[Json]], str]
    """What is told of pods that ask for what they may not,
    empty where they ask for what they may (Q-093, Q-510).
    """
    counts_recomputations: bool
    """Whether heads that are assigned anew are counted (KV-28)."""
    namespace_mismatch_message: str
    """What is told where the ClusterQueue does not select the namespace (M-041, Q-511)."""

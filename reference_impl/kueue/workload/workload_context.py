"""The state of the cluster around one Workload: the read-only input of `decide`.

The workload controller builds it once per pass from the informers and from the queue side, which answers
`Queues`. Moving a Workload between queue and cache on its own events (Q-311) belongs to the queue side, which
follows the same informer; the state machine only says `requeue` where Kueue asks for it (AC-322 c).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Protocol

from reference_impl.api.resource import Json
from reference_impl.kueue.checks.rules import CheckRule, rules_of

from .unreserved import UnreservedReason
from .view import Workload

HOLD_AND_DRAIN: Final = "HoldAndDrain"
KEPT: Final = "None"


class Queues(Protocol):
    """The state machine's interface to the queue manager and the quota cache."""

    def cluster_queue_for(self, namespace: str, local_queue: str) -> tuple[str, bool]:
        """Return the ClusterQueue of a LocalQueue as the queue manager knows them, and whether it knows it.

        The name is empty while the LocalQueue is unknown, which a stopped one is (C-22, Q-060).
        """

    def is_active(self, cluster_queue: str) -> bool:
        """Tell whether the quota cache would admit into the ClusterQueue (Q-145)."""

    def requeue(self, workload: Workload) -> None:
        """Push a Workload whose backoff is over (AC-322 c).

        Raises LookupError when its LocalQueue is unknown (C-23).
        """


class Feedback(Protocol):
    """The state machine's interface to the scheduler, in dialects that name why quota is not reserved."""

    def admissibility_problem(self, workload: Workload, cluster_queue: str) -> str:
        """Return why a ClusterQueue would refuse the Workload as it was written; empty where it would not."""

    def equivalent_failure(self, workload: Workload) -> UnreservedReason | None:
        """Return why an equal Workload was parked, if this one is parked with it (Q-045, KV-13)."""


@dataclass(frozen=True, slots=True)
class ReservationState:
    """What stands between a reservation and its admission on the side of quota; nothing in a dialect that
    does not look again.
    """

    objection: str = ""
    """Why quota and flavors no longer allow it (AC-449, AC-474)."""
    preemptions: int = 0
    """How many planned victims have not given their quota back yet (AC-469)."""
    has_unissued_preemptions: bool = False
    """Whether some of them were not evicted yet."""
    is_covered: bool = True
    """Whether quota covers it now, with all that the others still hold (AC-473)."""


class Reservations(Protocol):
    """The state machine's interface to reservations, in dialects that check them again."""

    def reservation_state(self, workload: Workload) -> ReservationState:
        """Return what the reservation of a Workload still waits for (AC-449, AC-473)."""

    def preempt(self, workload: Workload) -> None:
        """Have the planned victims of a Workload evicted (AC-443)."""


@dataclass(frozen=True, slots=True)
class QueueView:
    """What counts of a LocalQueue or a ClusterQueue read from the API."""

    name: str
    stop_policy: str = KEPT
    is_deleting: bool = False

    @property
    def is_stopped(self) -> bool:
        """Tell whether nothing new may be reserved through it."""
        return self.stop_policy != KEPT

    @property
    def is_draining(self) -> bool:
        """Tell whether what runs must go too."""
        return self.stop_policy == HOLD_AND_DRAIN

    @classmethod
    def of(cls, obj: Json) -> QueueView:
        """Read either kind of queue."""
        policy = (obj.get("spec") or {}).get("stopPolicy") or KEPT
        return cls(obj["metadata"]["name"], policy, "deletionTimestamp" in obj["metadata"])


def _no_failure() -> UnreservedReason | None:
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkloadContext:
    """Everything a rule may know besides the Workload itself and the time."""

    local_queue: QueueView | None
    cluster_queue: QueueView | None = None
    """The ClusterQueue as the API has it, found through the queue manager."""
    cluster_queue_name: str
    is_queue_known: bool
    """Whether the queue manager knows LocalQueue and ClusterQueue."""
    is_cluster_queue_active: bool
    check_rules: tuple[CheckRule, ...] = ()
    flavors: frozenset[str] = frozenset()
    """ALL of admission.md §3.1: every flavor of the ClusterQueue."""
    retry_delays: Mapping[str, float] = field(default_factory=dict)
    """Seconds by check name: `retryDelayMinutes` of the KEP (AC-451)."""
    preemption_policies: Mapping[str, str] = field(default_factory=dict)
    """By check name: `preemptionPolicy` of the KEP (AC-442)."""
    outlook: ReservationState = ReservationState()
    admissibility_problem: Callable[[], str] = str
    """Returns why the ClusterQueue would refuse the Workload, empty where it would not (KV-14)."""
    equivalent_failure: Callable[[], UnreservedReason | None] = _no_failure
    """Returns why an equal Workload was parked with which it waits (KV-13)."""


def with_cluster_queue(world: WorkloadContext, obj: Json) -> WorkloadContext:
    """Return the world with a ClusterQueue read from the API."""
    rules, flavors = rules_of(obj)
    return replace(world, cluster_queue=QueueView.of(obj), check_rules=rules, flavors=flavors)

"""The texts of a preemption, for the victim and the preemptor (M-060, EV-010, EV-011, Q-512)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from ...quota.tree import Node
from ...workload.view import JOB_UID_LABEL, Workload
from .targets import PreemptionReason, PreemptionTarget

UNKNOWN = "UNKNOWN"
REASONS: Mapping[PreemptionReason, str] = MappingProxyType(
    {
        PreemptionReason.IN_CLUSTER_QUEUE: "prioritization in the ClusterQueue",
        PreemptionReason.RECLAMATION: "reclamation within the cohort",
        PreemptionReason.WHILE_BORROWING: "reclamation within the cohort while borrowing",
        PreemptionReason.FAIR_SHARING: "Fair Sharing within the cohort",
    }
)
"""Reasons as messages put them (M-060a)."""


@dataclass(frozen=True, slots=True)
class PreemptionPair:
    """A preemptor and its target, with the nodes of their queues; a queue that is gone has none."""

    preemptor: Workload
    preemptor_node: Node | None
    target: PreemptionTarget
    target_node: Node | None

    @property
    def victim(self) -> Workload:
        """The Workload that has to go."""
        return self.target.holding.workload


Text = Callable[[PreemptionPair], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class PreemptionWording:
    """The texts of a preemption, as a release puts them; a note that is None is not told."""

    message: Text
    victim_note: Text
    preemptor_note: Text | None
    condition: bool = True
    """Whether the victim gets the condition `Preempted` (Q-291, Q-512)."""


def path_of(node: Node | None) -> str:
    """Write the way from the root to a queue (M-060)."""
    return UNKNOWN if node is None else "".join(f"/{step.name}" for step in reversed(list(node.path())))


def message(pair: PreemptionPair) -> str:
    """Return the message of a victim: the preemptor and the reason (M-060)."""
    preemptor = pair.preemptor
    job = (preemptor.metadata.get("labels") or {}).get(JOB_UID_LABEL) or UNKNOWN
    return (
        f"Preempted to accommodate a workload (UID: {preemptor.uid}, JobUID: {job}) "
        f"due to {REASONS[pair.target.reason]}; "
        f"preemptor path: {path_of(pair.preemptor_node)}; preemptee path: {path_of(pair.target_node)}"
    )


def message_without_paths(pair: PreemptionPair) -> str:
    """Say it as v0.9 did."""
    why = REASONS[pair.target.reason]
    return f"Preempted to accommodate a workload (UID: {pair.preemptor.uid}) due to {why}"


def message_of_higher_priority(_encounter: PreemptionPair) -> str:
    """Say it as v0.6 did (Q-512)."""
    return "Preempted to accommodate a higher priority Workload"


def note_with_priorities(pair: PreemptionPair) -> str:
    """Say it in the event of the victim (EV-010)."""
    return f"{message(pair)}; {_priorities(pair)}"


def note_of_place(pair: PreemptionPair) -> str:
    """Say in the event of the victim where the preemptor is, as v0.6 did (Q-512)."""
    scope = "ClusterQueue" if pair.target.reason is PreemptionReason.IN_CLUSTER_QUEUE else "cohort"
    return f"Preempted by another workload in the {scope}"


def preemptor_note(pair: PreemptionPair) -> str:
    """Say in the event of the preemptor which Workload it preempted (EV-011)."""
    victim, name = pair.victim, pair.target.holding.cluster_queue
    return f"Preempted workload {victim.key} (UID: {victim.uid}) in ClusterQueue {name}; {_priorities(pair)}"


def _priorities(pair: PreemptionPair) -> str:
    return (
        f"preemptor effective priority: {_priority(pair.preemptor)}; "
        f"preemptee effective priority: {_priority(pair.victim)}"
    )


def _priority(workload: Workload) -> str:
    return f"{workload.priority} (base: {workload.priority}, boost: 0)"


V0_6 = PreemptionWording(
    message=message_of_higher_priority, victim_note=note_of_place, preemptor_note=None, condition=False
)
V0_9 = PreemptionWording(
    message=message_without_paths, victim_note=message_without_paths, preemptor_note=None
)
V0_19 = PreemptionWording(message=message, victim_note=note_with_priorities, preemptor_note=preemptor_note)

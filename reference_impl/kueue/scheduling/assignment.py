"""What flavor assignment comes to: which flavor serves each
resource of each pod set, how well, and why not (§5.4).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from ..queueing.last_assignment import LastTriedFlavorIdx
from ..quota.requests import PodSetRequests
from ..quota.resources import FlavorResource, Usage
from . import texts
from .granular_mode import GranularMode, PreemptionMode

PODS: Final = "pods"
"""The resource that every pod asks for once, where a resource group covers it (Q-084)."""


@dataclass(frozen=True, slots=True)
class FlavorAttempt:
    """What came out of looking at one flavor (Q-175)."""

    flavor: str
    granular_mode: GranularMode
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FlavorAssignment:
    """The flavor of a resource, with the granular_mode of that resource alone."""

    flavor: str
    granular_mode: GranularMode


@dataclass(frozen=True, slots=True)
class PodSetAssignment:
    """The flavors of one pod set; none when there is no way."""

    requests: PodSetRequests
    flavors: Mapping[str, FlavorAssignment]
    reasons: tuple[str, ...] = ()
    attempts: tuple[FlavorAttempt, ...] = ()
    has_failed: bool = False
    last_tried_flavors: Mapping[str, int] = field(default_factory=dict)
    """By resource the index of the flavor at which the search stopped with others left (Q-178)."""

    @property
    def mode(self) -> PreemptionMode:
        """The worst mode over its resources; without any reason against it, it fits (Q-171, QC-07)."""
        if self.has_failed:
            return PreemptionMode.NO_FIT
        # No reason against any flavor: the modes of resources need not be looked at.
        if not self.reasons:
            return PreemptionMode.FIT
        return min(
            (choice.granular_mode.mode for choice in self.flavors.values()), default=PreemptionMode.FIT
        )

    @property
    def usage(self) -> Usage:
        """What it would use; a request of zero uses nothing (Q-086)."""
        return {
            FlavorResource(choice.flavor, name): self.requests.requests[name]
            for name, choice in self.flavors.items()
        }


@dataclass(frozen=True, slots=True)
class Assignment:
    """The flavors of a whole Workload."""

    pod_sets: tuple[PodSetAssignment, ...]
    error: str = ""

    @property
    def mode(self) -> PreemptionMode:
        """The worst mode over the pod sets (Q-171)."""
        if self.error:
            return PreemptionMode.NO_FIT
        return min((pod_set.mode for pod_set in self.pod_sets), default=PreemptionMode.FIT)

    @property
    def borrowing_level(self) -> int:
        """How far it borrows at most (Q-171)."""
        return max(
            (c.granular_mode.borrowing_level for pod_set in self.pod_sets for c in pod_set.flavors.values()),
            default=0,
        )

    @property
    def usage(self) -> Usage:
        """What it would use in all."""
        total: dict[FlavorResource, int] = {}
        for pod_set in self.pod_sets:
            for fr, value in pod_set.usage.items():
                total[fr] = total.get(fr, 0) + value
        return total

    @property
    def assigned_flavors(self) -> frozenset[str]:
        """The flavors of every pod set."""
        return frozenset(choice.flavor for pod_set in self.pod_sets for choice in pod_set.flavors.values())

    @property
    def last_tried_flavors(self) -> LastTriedFlavorIdx:
        """Where the search for flavors stopped with others left (Q-178)."""
        return {
            (pod_set.requests.name, name): index
            for pod_set in self.pod_sets
            for name, index in pod_set.last_tried_flavors.items()
        }

    @property
    def resources_requiring_preemption(self) -> frozenset[FlavorResource]:
        """What room must be made for."""
        return frozenset(
            FlavorResource(choice.flavor, name)
            for pod_set in self.pod_sets
            for name, choice in pod_set.flavors.items()
            if choice.granular_mode.mode.is_simulated
        )

    @property
    def message(self) -> str:
        """Why it does not fit, empty when it does (Q-174)."""
        failing = (pod_set for pod_set in self.pod_sets if pod_set.mode is not PreemptionMode.FIT)
        return self.error or "; ".join(
            texts.no_flavors(pod_set.requests.name, pod_set.reasons) for pod_set in failing
        )


def usage_without_pods(assignment: Assignment) -> Usage:
    """What targets are searched for: all of it but the pods, which containers do not ask for (Q-253,
    QC-06).
    """
    # Kueue adds `pods` to the usage after the targets were searched: containers do not
    # request them (QC-06).
    return {fr: value for fr, value in assignment.usage.items() if fr.resource != PODS}


def usage_with_pods(assignment: Assignment) -> Usage:
    """What targets are to be searched for: all of it (Q-253, QC-06 corrected)."""
    return assignment.usage

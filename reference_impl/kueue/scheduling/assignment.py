"""What flavor assignment comes to: which flavor serves each resource of each pod set, how well, and why not
(§5.4).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from ..queueing.scan import Stops
from ..quota.requests import PodSetRequests
from ..quota.resources import FlavorResource, Usage
from . import texts
from .grades import Grade, Mode

PODS: Final = "pods"
"""The resource that every pod asks for once, where a resource group covers it (Q-084)."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """What came out of looking at one flavor (Q-175)."""

    flavor: str
    grade: Grade
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """The flavor of a resource, with the grade of that resource alone."""

    flavor: str
    grade: Grade


@dataclass(frozen=True, slots=True)
class PodSetAssignment:
    """The flavors of one pod set; none when there is no way."""

    requests: PodSetRequests
    choices: Mapping[str, Choice]
    reasons: tuple[str, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    failed: bool = False
    stops: Mapping[str, int] = field(default_factory=dict)
    """By resource the index of the flavor at which the search stopped with others left (Q-178)."""

    @property
    def mode(self) -> Mode:
        """The worst mode over its resources; without any reason against it, it fits (Q-171, QC-07)."""
        if self.failed:
            return Mode.NO_FIT
        if not self.reasons:
            return Mode.FIT
        return min((choice.grade.mode for choice in self.choices.values()), default=Mode.FIT)

    @property
    def usage(self) -> Usage:
        """What it would use; a request of zero uses nothing (Q-086)."""
        return {
            FlavorResource(choice.flavor, name): self.requests.requests[name]
            for name, choice in self.choices.items()
        }


@dataclass(frozen=True, slots=True)
class Assignment:
    """The flavors of a whole Workload."""

    pod_sets: tuple[PodSetAssignment, ...]
    error: str = ""

    @property
    def mode(self) -> Mode:
        """The worst mode over the pod sets (Q-171)."""
        if self.error:
            return Mode.NO_FIT
        return min((pod_set.mode for pod_set in self.pod_sets), default=Mode.FIT)

    @property
    def level(self) -> int:
        """How far it borrows at most (Q-171)."""
        return max((c.grade.level for pod_set in self.pod_sets for c in pod_set.choices.values()), default=0)

    @property
    def usage(self) -> Usage:
        """What it would use in all."""
        total: dict[FlavorResource, int] = {}
        for pod_set in self.pod_sets:
            for fr, value in pod_set.usage.items():
                total[fr] = total.get(fr, 0) + value
        return total

    @property
    def flavors(self) -> frozenset[str]:
        """The flavors of every pod set."""
        return frozenset(choice.flavor for pod_set in self.pod_sets for choice in pod_set.choices.values())

    @property
    def stops(self) -> Stops:
        """Where the search for flavors stopped with others left (Q-178)."""
        return {
            (pod_set.requests.name, name): index
            for pod_set in self.pod_sets
            for name, index in pod_set.stops.items()
        }

    @property
    def short_of(self) -> frozenset[FlavorResource]:
        """What room must be made for."""
        return frozenset(
            FlavorResource(choice.flavor, name)
            for pod_set in self.pod_sets
            for name, choice in pod_set.choices.items()
            if choice.grade.mode.simulated
        )

    @property
    def message(self) -> str:
        """Why it does not fit, empty when it does (Q-174)."""
        failing = (pod_set for pod_set in self.pod_sets if pod_set.mode is not Mode.FIT)
        return self.error or "; ".join(
            texts.no_flavors(pod_set.requests.name, pod_set.reasons) for pod_set in failing
        )


def without_pods(assignment: Assignment) -> Usage:
    """What targets are searched for: all of it but the pods, which containers do not ask for (Q-253, QC-06)."""
    return {fr: value for fr, value in assignment.usage.items() if fr.resource != PODS}


def with_pods(assignment: Assignment) -> Usage:
    """What targets are to be searched for: all of it (Q-253, QC-06 corrected)."""
    return assignment.usage

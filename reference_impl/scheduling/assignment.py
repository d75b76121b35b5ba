"""What flavor assignment comes to: which flavor serves each resource of each pod set, how well, and why not (§5.4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..quota.requests import PodSetRequests
from ..quota.resources import FlavorResource, Usage
from . import texts
from .grades import Grade, Mode


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

    @property
    def mode(self) -> Mode:
        """The worst mode over its resources (Q-171)."""
        if self.failed:
            return Mode.NO_FIT
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
        return min((each.mode for each in self.pod_sets), default=Mode.FIT)

    @property
    def level(self) -> int:
        """How far it borrows at most (Q-171)."""
        return max((c.grade.level for each in self.pod_sets for c in each.choices.values()), default=0)

    @property
    def usage(self) -> Usage:
        """What it would use in all."""
        total: dict[FlavorResource, int] = {}
        for each in self.pod_sets:
            for fr, value in each.usage.items():
                total[fr] = total.get(fr, 0) + value
        return total

    @property
    def short_of(self) -> frozenset[FlavorResource]:
        """What room must be made for."""
        return frozenset(
            FlavorResource(choice.flavor, name)
            for each in self.pod_sets
            for name, choice in each.choices.items()
            if choice.grade.mode.simulated
        )

    @property
    def message(self) -> str:
        """Why it does not fit, empty when it does (Q-174)."""
        failing = (each for each in self.pod_sets if each.mode is not Mode.FIT)
        return self.error or "; ".join(texts.unassigned(each.requests.name, each.reasons) for each in failing)

"""The flavors of a Workload and how well they suit: modes, which of two is preferred, and when the search may
stop (Q-170…Q-177).

`describe_flavors` renders them for the event of a reservation (§11.2, Q-175).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum, auto
from typing import Final, NamedTuple

from ..queueing.last_assignment import LastTriedFlavorIdx
from ..quota.cluster_queue import FlavorFungibility
from ..quota.requests import PodSetRequests
from ..quota.resources import FlavorResource, ResourceGroups, Usage
from ..workload.unreserved import UnreservedReason, severity
from . import texts


class PreemptionMode(IntEnum):
    """The ways to use a flavor, worst first."""

    NO_FIT = auto()
    NO_PREEMPTION_CANDIDATES = auto()
    PREEMPT = auto()
    RECLAIM = auto()
    FIT = auto()

    @property
    def is_simulated(self) -> bool:
        """Whether a preemption was looked for."""
        return PreemptionMode.NO_FIT < self < PreemptionMode.FIT


class GranularMode(NamedTuple):
    """A mode and how far it borrows; 0 is not at all."""

    mode: PreemptionMode
    borrowing_level: int = 0


NO_FIT = GranularMode(PreemptionMode.NO_FIT)
BEST = GranularMode(PreemptionMode.FIT)


def is_preferred(grade: GranularMode, other: GranularMode, policy: FlavorFungibility) -> bool:
    """Tell whether one grade is better than another (Q-170)."""
    for worst in (PreemptionMode.NO_FIT, PreemptionMode.NO_PREEMPTION_CANDIDATES):
        # Whether a flavor is possible at all comes before every preference of the
        # ClusterQueue.
        if (grade.mode <= worst) != (other.mode <= worst):
            return grade.mode > worst
    if grade.mode is PreemptionMode.NO_FIT:
        return False
    return _key(grade, policy) > _key(other, policy)


def worst_by_preference(grades: list[GranularMode], policy: FlavorFungibility) -> GranularMode:
    """The grade of a flavor is the worst of its resources (Q-154)."""
    worst = BEST
    for grade in grades:
        # Kueue compares with the preference of the ClusterQueue here too. With it,
        # "fits by borrowing" may count as worse than "fits by preemption", and the
        # flavor is taken for a fit (QC-07).
        if is_preferred(worst, grade, policy):
            worst = grade
    return worst


def worst_of_all(grades: list[GranularMode], _policy: FlavorFungibility) -> GranularMode:
    """The grade of a flavor is the worst mode, and as far as any resource
    borrows (Q-154, QC-07 corrected).
    """
    return GranularMode(min(grade.mode for grade in grades), max(grade.borrowing_level for grade in grades))


def should_try_next_flavor(grade: GranularMode, policy: FlavorFungibility) -> bool:
    """Tell whether the search looks at the next flavor as well (Q-172)."""
    return (
        grade.mode <= PreemptionMode.NO_PREEMPTION_CANDIDATES
        or (grade.mode < PreemptionMode.FIT and policy.try_next_to_preempt)
        or (grade.borrowing_level > 0 and policy.try_next_to_borrow)
    )


def _key(grade: GranularMode, policy: FlavorFungibility) -> tuple[int, int]:
    order = (int(grade.mode), -grade.borrowing_level)
    # `preference: PreemptionOverBorrowing` turns the two criteria around.
    return (order[1], order[0]) if policy.prefer_preemption else order


PODS: Final = "pods"
"""The resource that every pod asks for once, where a resource group covers it (Q-084)."""


class QuotaFit(NamedTuple):
    """How the request for one resource fits the quota of one flavor (Q-165…Q-169)."""

    granular_mode: GranularMode
    message: str = ""
    """Why it does not simply fit."""
    no_fit_reason: UnreservedReason | None = None
    """The cause for which no preemption could make it fit either (KV-05, KV-06)."""


@dataclass(frozen=True, slots=True)
class FlavorAttempt:
    """What came out of looking at one flavor (Q-175)."""

    flavor: str
    granular_mode: GranularMode
    reasons: tuple[str, ...] = ()
    no_fit_reason: UnreservedReason | None = None
    """The worst cause over its resources for which it does not fit (KV-06)."""


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

    def no_fit_reason(self, groups: ResourceGroups) -> UnreservedReason | None:
        """Return the cause for which it gets no flavors (KV-06)."""
        by_group: dict[int, list[UnreservedReason | None]] = {}
        for attempt in self.attempts:
            if attempt.granular_mode.mode is PreemptionMode.NO_FIT:
                by_group.setdefault(groups.index_of(attempt.flavor), []).append(attempt.no_fit_reason)
        mildest = (min(reasons, key=severity) for reasons in by_group.values())
        return max(mildest, key=severity, default=UnreservedReason.NO_MATCHING_FLAVOR)

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

    def no_fit_reason(self, groups: ResourceGroups) -> UnreservedReason:
        """Return the cause for which it does not fit: the mildest over the flavors of a group, the worst over
        groups and pod sets (KV-06).
        """
        failing = (pod_set for pod_set in self.pod_sets if pod_set.mode is PreemptionMode.NO_FIT)
        worst = max((pod_set.no_fit_reason(groups) for pod_set in failing), key=severity, default=None)
        return worst or UnreservedReason.NO_MATCHING_FLAVOR

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
    def nominated_flavors(self) -> Mapping[tuple[str, str], str]:
        """The flavor by pod set and resource."""
        return {
            (pod_set.requests.name, name): choice.flavor
            for pod_set in self.pod_sets
            for name, choice in pod_set.flavors.items()
        }

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
    """What targets are searched for: all of it but the pods, which containers do not
    ask for (Q-253, QC-06).
    """
    # Kueue adds `pods` to the usage after the targets were searched: containers do not
    # request them (QC-06).
    return {fr: value for fr, value in assignment.usage.items() if fr.resource != PODS}


def usage_with_pods(assignment: Assignment) -> Usage:
    """What targets are to be searched for: all of it (Q-253, QC-06 corrected)."""
    return assignment.usage


_SIMULATED = {
    PreemptionMode.NO_PREEMPTION_CANDIDATES: "NoCandidates",
    PreemptionMode.PREEMPT: "Preempt",
    PreemptionMode.RECLAIM: "Reclaim",
}


def describe_flavors(assignment: Assignment) -> str:
    """Render every attempt that was not simply a fit, empty when there is none."""
    attempts_by_pod_set = (
        (pod_set.requests.name, _describe(pod_set.attempts)) for pod_set in assignment.pod_sets
    )
    return " | ".join(f"{name}: {attempts}" for name, attempts in attempts_by_pod_set if attempts)


def omit_flavors(_assignment: Assignment) -> str:
    """Tell nothing of them, as releases before v0.15 do."""
    return ""


def _describe(attempts: Iterable[FlavorAttempt]) -> str:
    """Describe each flavor once: it is in one resource group, which is searched once."""
    # Go collects them in a map and sorts the keys, so that the event is the same each
    # time.
    by_flavor = sorted(attempts, key=lambda attempt: attempt.flavor)
    return ", ".join(_render(attempt) for attempt in by_flavor if _is_news(attempt))


def _is_news(attempt: FlavorAttempt) -> bool:
    return attempt.granular_mode.mode is not PreemptionMode.FIT or attempt.granular_mode.borrowing_level > 0


def _render(attempt: FlavorAttempt) -> str:
    mode, level = attempt.granular_mode
    simulated = _SIMULATED.get(mode)
    terms = [f"preemptionMode={simulated}" if simulated else "Fit" if mode is PreemptionMode.FIT else "NoFit"]
    terms += [f"borrow={level}"] if level else []
    return f"{attempt.flavor}({';'.join([*terms, *sorted(attempt.reasons)])})"

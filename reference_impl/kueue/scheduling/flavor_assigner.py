"""The search for flavors (scheduling §5.1–5.3, §5.5).

Pod sets are served in order; one search per resource group gives all its requested resources the same flavor.
What was given to earlier pod sets counts as used. A search that stops before the last flavor says where, and
goes on behind that flavor in the next cycle.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from ..quota.requests import PodSetRequests
from ..quota.resources import FlavorResource, ResourceGroup
from ..workload.unreserved import UnreservedReason, severity
from ..workload.view import Workload
from . import texts
from .assignment import (
    NO_FIT,
    PODS,
    Assignment,
    FlavorAssignment,
    FlavorAttempt,
    GranularMode,
    PodSetAssignment,
    PreemptionMode,
    QuotaFit,
    is_preferred,
    should_try_next_flavor,
)
from .flavor_fit import AssignmentContext, check_flavor
from .rules import SchedulingRules

_OFFSET, _PRIME, _MASK = 0xCBF29CE484222325, 0x100000001B3, 0xFFFFFFFFFFFFFFFF


def sort_resources(resources: Iterable[str]) -> list[str]:
    """Sort resource names as the scheduler visits them."""
    return sorted(resources, key=lambda name: (_fnv1a(name), name))


@lru_cache(maxsize=256)
def _fnv1a(name: str) -> int:
    digest = _OFFSET
    for byte in name.encode():
        # Python's integers do not wrap at 64 bits as Go's uint64 does.
        digest = ((digest ^ byte) * _PRIME) & _MASK
    return digest


@dataclass(frozen=True, slots=True)
class FlavorSearchResult:
    """What a search in one resource group comes to; `choices` is empty when no flavor is possible."""

    flavors: Mapping[str, FlavorAssignment]
    mode: PreemptionMode
    attempts: Sequence[FlavorAttempt]
    last_tried_flavor: int | None
    """The index of the flavor at which it stopped, None when it saw the last one (Q-178)."""
    skipped: Sequence[str] = ()
    """Why flavors were not even looked at."""

    @property
    def reasons(self) -> list[str]:
        """What is said against the flavors."""
        return [reason for attempt in self.attempts for reason in attempt.reasons] + [*self.skipped]

    @property
    def last_tried_flavors(self) -> Mapping[str, int]:
        """By resource where the search stopped."""
        return {} if self.last_tried_flavor is None else dict.fromkeys(self.flavors, self.last_tried_flavor)


def assign(
    workload: Workload, requests: Sequence[PodSetRequests], context: AssignmentContext, rules: SchedulingRules
) -> Assignment:
    """Find flavors for every pod set; the first that finds none ends the search (Q-155)."""
    search = FlavorAssigner(workload, context, rules)
    done: list[PodSetAssignment] = []
    try:
        for group in _group_pod_sets(workload, requests):
            done += search.assign_group(group)
            if done[-1].has_failed:
                break
    # A selector that Kubernetes would refuse came in through a ResourceFlavor: Go
    # reports it for the pod set that is being assigned.
    except ValueError as error:
        return Assignment((), texts.assignment_failure(search.current_pod_set, str(error)))
    # Groups change the order. In the API assignments stand in the order of the spec.
    return Assignment(tuple(sorted(done, key=lambda pod_set: _index(requests, pod_set))))


@dataclass(slots=True)
class FlavorAssigner:
    """The search for one Workload, with what it has given away so far (Q-153)."""

    workload: Workload
    context: AssignmentContext
    rules: SchedulingRules
    assignment_usage: dict[FlavorResource, int] = field(default_factory=dict)
    current_pod_set: str = ""

    def assign_group(self, group: Sequence[PodSetRequests]) -> list[PodSetAssignment]:
        """Serve pod sets that share their flavors (Q-150…Q-152)."""
        self.current_pod_set = group[0].name
        group = [self._with_pods(pod_set) for pod_set in group]
        totals = _sum(group)
        choices: dict[str, FlavorAssignment] = {}
        stops: dict[str, int] = {}
        reasons: list[str] = []
        attempts: list[FlavorAttempt] = []
        # Kueue visits resources by the hash of their names: the first one of a group
        # decides where its search begins.
        for resource in sort_resources(totals):
            if resource in choices:
                continue
            covering = self.context.spec.groups.covering(resource)
            if covering is None:
                # A request of zero needs no quota, so it needs no flavor either
                #
                if totals[resource] == 0:
                    continue
                return [
                    PodSetAssignment(pod_set, {}, (texts.no_resource_group(resource),), has_failed=True)
                    for pod_set in group
                ]
            flavor_search = self._find_flavor(covering, group, totals, resource)
            attempts += flavor_search.attempts
            why = flavor_search.reasons
            if not flavor_search.flavors:
                return [
                    PodSetAssignment(pod_set, {}, tuple(why), tuple(attempts), has_failed=True)
                    for pod_set in group
                ]
            choices |= flavor_search.flavors
            stops |= flavor_search.last_tried_flavors
            if flavor_search.mode is not PreemptionMode.FIT:
                reasons += why
        # Pod sets of one Workload compete: what this group takes is gone for the next.
        self._assume(choices, totals)
        return [_assign_pod_set(pod_set, choices, stops, reasons, attempts) for pod_set in group]

    def _find_flavor(
        self,
        covering: ResourceGroup,
        group: Sequence[PodSetRequests],
        totals: Mapping[str, int],
        resource: str,
    ) -> FlavorSearchResult:
        """Try the flavors of a resource group in order,
        from the one on that is next for a resource (Q-154, Q-155).
        """
        policy = self.context.spec.fungibility
        resources = [name for name in sort_resources(totals) if name in covering.covered]
        best: dict[str, FlavorAssignment] = {}
        best_grade, attempts, skipped, stop = NO_FIT, list[FlavorAttempt](), list[str](), None
        first = self._next_flavor_index(covering, group[0].name, resource)
        for index, flavor in enumerate(covering.flavors[first:], first):
            if self._is_ruled_out(flavor, group, resource):
                skipped.append(texts.not_nominated(flavor, resource))
                continue
            why = self._check_flavor(flavor, covering, group)
            if why:
                attempts.append(FlavorAttempt(flavor, NO_FIT, (why,), UnreservedReason.NO_MATCHING_FLAVOR))
                continue
            fits = {name: self._fit_quota(FlavorResource(flavor, name), totals[name]) for name in resources}
            grade = self.rules.combine_modes([fit.granular_mode for fit in fits.values()], policy)
            attempts.append(_describe_attempt(flavor, grade, fits.values()))
            stops = not should_try_next_flavor(grade, policy)
            if stops or is_preferred(grade, best_grade, policy):
                best_grade = grade
                best = {name: FlavorAssignment(flavor, fit.granular_mode) for name, fit in fits.items()}
            if stops:
                # After the last flavor the next cycle begins with the first: nothing is
                # recorded.
                stop = index if index + 1 < len(covering.flavors) else None
                break
        return FlavorSearchResult(best, best_grade.mode, attempts, stop, skipped)

    def _next_flavor_index(self, covering: ResourceGroup, pod_set: str, resource: str) -> int:
        """Return the index of the flavor that is tried first."""
        scan = self.context.last_assignment
        first = 0 if scan is None else scan.next_flavor_index(pod_set, resource)
        # The list may have become shorter since the last search.
        return first if first < len(covering.flavors) else 0

    def _is_ruled_out(self, flavor: str, group: Sequence[PodSetRequests], resource: str) -> bool:
        """Tell whether a flavor is none of those with which the pod sets were nominated."""
        nominated = self.context.nominated
        return nominated is not None and all(
            nominated.get((pod_set.name, resource)) != flavor for pod_set in group
        )

    def _check_flavor(self, flavor: str, covering: ResourceGroup, group: Sequence[PodSetRequests]) -> str:
        flavor_object = self.context.flavors.get(flavor)
        if flavor_object is None:
            return texts.flavor_missing(flavor)
        siblings = [
            sibling for name in covering.flavors if (sibling := self.context.flavors.get(name)) is not None
        ]
        keys = self.rules.label_keys(flavor_object, siblings)
        specs = {pod_set["name"]: pod_set["template"]["spec"] for pod_set in self.workload.spec["podSets"]}
        return next(
            (
                why
                for pod_set in group
                if (why := check_flavor(specs[pod_set.name], flavor, flavor_object, keys))
            ),
            "",
        )

    def _fit_quota(self, fr: FlavorResource, request: int) -> QuotaFit:
        return self.rules.fit_quota(
            self.context, self.workload, fr, self.assignment_usage.get(fr, 0), request
        )

    def _with_pods(self, pod_set: PodSetRequests) -> PodSetRequests:
        """Count the pods themselves where a resource group covers them (Q-084)."""
        if self.context.spec.groups.covering(PODS) is None:
            return pod_set
        return PodSetRequests(pod_set.name, pod_set.count, {**pod_set.requests, PODS: pod_set.count})

    def _assume(self, choices: Mapping[str, FlavorAssignment], usage: Mapping[str, int]) -> None:
        for name, choice in choices.items():
            fr = FlavorResource(choice.flavor, name)
            self.assignment_usage[fr] = self.assignment_usage.get(fr, 0) + usage[name]


def _describe_attempt(flavor: str, mode: GranularMode, fits: Collection[QuotaFit]) -> FlavorAttempt:
    """Return an attempt: the mode of a flavor,
    how far any resource borrows there, and all reasons (QC-10).
    """
    level = max(fit.granular_mode.borrowing_level for fit in fits)
    messages = tuple(fit.message for fit in fits if fit.message)
    causes = (fit.no_fit_reason for fit in fits if fit.no_fit_reason is not None)
    cause = max(causes, key=severity, default=None)
    return FlavorAttempt(flavor, mode._replace(borrowing_level=level), messages, cause)


def _assign_pod_set(
    pod_set: PodSetRequests,
    choices: Mapping[str, FlavorAssignment],
    stops: Mapping[str, int],
    reasons: list[str],
    attempts: list[FlavorAttempt],
) -> PodSetAssignment:
    own = {name: choice for name, choice in choices.items() if name in pod_set.requests}
    stopped = {name: stops[name] for name in own if name in stops}
    return PodSetAssignment(pod_set, own, tuple(reasons), tuple(attempts), last_tried_flavors=stopped)


def _group_pod_sets(workload: Workload, requests: Sequence[PodSetRequests]) -> list[list[PodSetRequests]]:
    """Put pod sets with the same `podSetGroupName` together (Q-150)."""
    groups: dict[str, list[PodSetRequests]] = {}
    for pod_set, pod_set_requests_ in zip(workload.spec.get("podSets") or (), requests, strict=True):
        shared = (pod_set.get("topologyRequest") or {}).get("podSetGroupName")
        groups.setdefault(f"group/{shared}" if shared else f"alone/{pod_set_requests_.name}", []).append(
            pod_set_requests_
        )
    return list(groups.values())


def _sum(group: Sequence[PodSetRequests]) -> dict[str, int]:
    total: dict[str, int] = {}
    for pod_set in group:
        for name, value in pod_set.requests.items():
            total[name] = total.get(name, 0) + value
    return total


def _index(requests: Sequence[PodSetRequests], pod_set: PodSetAssignment) -> int:
    return [request.name for request in requests].index(pod_set.requests.name)

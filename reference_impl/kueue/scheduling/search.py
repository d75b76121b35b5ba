"""The search for flavors (scheduling §5.1–5.3, §5.5).

Pod sets are served in order; one search per resource group gives all its requested resources the same flavor.
What was given to earlier pod sets counts as used. A search that stops before the last flavor says where, and
goes on behind that flavor in the next cycle.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..quota.requests import PodSetRequests
from ..quota.resources import FlavorResource, ResourceGroup
from ..workload.view import Workload
from . import texts
from .assignment import PODS, Assignment, Attempt, Choice, PodSetAssignment
from .eligibility import objection
from .grades import NO_FIT, Grade, Mode, goes_on, is_preferred
from .place import Place
from .rules import SchedulingRules
from .visiting import in_visiting_order


@dataclass(frozen=True, slots=True)
class Found:
    """What a search in one resource group comes to; `choices` is empty when no flavor is possible."""

    choices: Mapping[str, Choice]
    mode: Mode
    attempts: Sequence[Attempt]
    stop: int | None
    """The index of the flavor at which it stopped, None when it saw the last one (Q-178)."""

    @property
    def stops(self) -> Mapping[str, int]:
        """By resource where the search stopped."""
        return {} if self.stop is None else dict.fromkeys(self.choices, self.stop)


def assign(
    workload: Workload, requests: Sequence[PodSetRequests], context: Place, rules: SchedulingRules
) -> Assignment:
    """Find flavors for every pod set; the first that finds none ends the search (Q-155)."""
    search = Search(workload, context, rules)
    done: list[PodSetAssignment] = []
    try:
        for group in _group_pod_sets(workload, requests):
            done += search.serve(group)
            if done[-1].failed:
                break
    except ValueError as error:
        return Assignment((), texts.broken(search.at, str(error)))
    return Assignment(tuple(sorted(done, key=lambda pod_set: _index(requests, pod_set))))


@dataclass(slots=True)
class Search:
    """The search for one Workload, with what it has given away so far (Q-153)."""

    workload: Workload
    context: Place
    rules: SchedulingRules
    assumed: dict[FlavorResource, int] = field(default_factory=dict)
    at: str = ""

    def serve(self, group: Sequence[PodSetRequests]) -> list[PodSetAssignment]:
        """Serve pod sets that share their flavors (Q-150…Q-152)."""
        self.at = group[0].name
        group = [self._with_pods(pod_set) for pod_set in group]
        totals = _sum(group)
        choices: dict[str, Choice] = {}
        stops: dict[str, int] = {}
        reasons: list[str] = []
        attempts: list[Attempt] = []
        for resource in in_visiting_order(totals):
            if resource in choices:
                continue
            covering = self.context.spec.groups.covering(resource)
            if covering is None:
                if totals[resource] == 0:
                    continue
                return [
                    PodSetAssignment(pod_set, {}, (texts.no_resource_group(resource),), failed=True)
                    for pod_set in group
                ]
            flavor_search = self._search(covering, group, totals, resource)
            attempts += flavor_search.attempts
            why = [reason for attempt in flavor_search.attempts for reason in attempt.reasons]
            if not flavor_search.choices:
                return [
                    PodSetAssignment(pod_set, {}, tuple(why), tuple(attempts), failed=True)
                    for pod_set in group
                ]
            choices |= flavor_search.choices
            stops |= flavor_search.stops
            if flavor_search.mode is not Mode.FIT:
                reasons += why
        self._assume(choices, totals)
        return [_share(pod_set, choices, stops, reasons, attempts) for pod_set in group]

    def _search(
        self,
        covering: ResourceGroup,
        group: Sequence[PodSetRequests],
        totals: Mapping[str, int],
        resource: str,
    ) -> Found:
        """Try the flavors of a resource group in order, from the one on that is next for a resource (Q-154,
        Q-155).
        """
        policy = self.context.spec.fungibility
        resources = [name for name in in_visiting_order(totals) if name in covering.covered]
        best: dict[str, Choice] = {}
        best_grade, attempts, stop = NO_FIT, [], None
        first = self._first(covering, group[0].name, resource)
        for index, flavor in enumerate(covering.flavors[first:], first):
            why = self._objection(flavor, covering, group)
            if why:
                attempts.append(Attempt(flavor, NO_FIT, (why,)))
                continue
            fits = {name: self._fit(FlavorResource(flavor, name), totals[name]) for name in resources}
            grade = self.rules.least([grade_ for grade_, _ in fits.values()], policy)
            attempts.append(_attempt(flavor, grade, fits))
            stops = not goes_on(grade, policy)
            if stops or is_preferred(grade, best_grade, policy):
                best_grade = grade
                best = {name: Choice(flavor, grade_) for name, (grade_, _) in fits.items()}
            if stops:
                stop = index if index + 1 < len(covering.flavors) else None
                break
        return Found(best, best_grade.mode, attempts, stop)

    def _first(self, covering: ResourceGroup, pod_set: str, resource: str) -> int:
        """Return the index of the flavor that is tried first; the list may have become shorter since the last
        search.
        """
        scan = self.context.scan
        first = 0 if scan is None else scan.start(pod_set, resource)
        return first if first < len(covering.flavors) else 0

    def _objection(self, flavor: str, covering: ResourceGroup, group: Sequence[PodSetRequests]) -> str:
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
                if (why := objection(specs[pod_set.name], flavor, flavor_object, keys))
            ),
            "",
        )

    def _fit(self, fr: FlavorResource, request: int) -> tuple[Grade, str]:
        return self.rules.fit(self.context, self.workload, fr, self.assumed.get(fr, 0), request)

    def _with_pods(self, pod_set: PodSetRequests) -> PodSetRequests:
        """Count the pods themselves where a resource group covers them (Q-084)."""
        if self.context.spec.groups.covering(PODS) is None:
            return pod_set
        return PodSetRequests(pod_set.name, pod_set.count, {**pod_set.requests, PODS: pod_set.count})

    def _assume(self, choices: Mapping[str, Choice], usage: Mapping[str, int]) -> None:
        for name, choice in choices.items():
            fr = FlavorResource(choice.flavor, name)
            self.assumed[fr] = self.assumed.get(fr, 0) + usage[name]


def _attempt(flavor: str, grade: Grade, fits: Mapping[str, tuple[Grade, str]]) -> Attempt:
    """Tell of a flavor how it suits, how far any resource borrows there, and every reason against it (QC-10)."""
    level = max(grade_.level for grade_, _ in fits.values())
    reasons = tuple(reason for _, reason in fits.values() if reason)
    return Attempt(flavor, grade._replace(level=level), reasons)


def _share(
    pod_set: PodSetRequests,
    choices: Mapping[str, Choice],
    stops: Mapping[str, int],
    reasons: list[str],
    attempts: list[Attempt],
) -> PodSetAssignment:
    own = {name: choice for name, choice in choices.items() if name in pod_set.requests}
    stopped = {name: stops[name] for name in own if name in stops}
    return PodSetAssignment(pod_set, own, tuple(reasons), tuple(attempts), stops=stopped)


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

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
    workload: Workload, requests: Sequence[PodSetRequests], place: Place, rules: SchedulingRules
) -> Assignment:
    """Find flavors for every pod set; the first that finds none ends the search (Q-155)."""
    search = Search(workload, place, rules)
    done: list[PodSetAssignment] = []
    try:
        for group in _grouped(workload, requests):
            done += search.serve(group)
            if done[-1].failed:
                break
    except ValueError as error:
        return Assignment((), texts.broken(search.at, str(error)))
    return Assignment(tuple(sorted(done, key=lambda each: _index(requests, each))))


@dataclass(slots=True)
class Search:
    """The search for one Workload, with what it has given away so far (Q-153)."""

    workload: Workload
    place: Place
    rules: SchedulingRules
    assumed: dict[FlavorResource, int] = field(default_factory=dict)
    at: str = ""

    def serve(self, group: Sequence[PodSetRequests]) -> list[PodSetAssignment]:
        """Serve pod sets that share their flavors (Q-150…Q-152)."""
        self.at = group[0].name
        group = [self._with_pods(each) for each in group]
        wanted = _summed(group)
        choices: dict[str, Choice] = {}
        stops: dict[str, int] = {}
        reasons: list[str] = []
        attempts: list[Attempt] = []
        for resource in in_visiting_order(wanted):
            if resource in choices:
                continue
            covering = self.place.spec.groups.covering(resource)
            if covering is None:
                if wanted[resource] == 0:
                    continue
                return [
                    PodSetAssignment(each, {}, (texts.uncovered(resource),), failed=True) for each in group
                ]
            found = self._search(covering, group, wanted, resource)
            attempts += found.attempts
            why = [reason for attempt in found.attempts for reason in attempt.reasons]
            if not found.choices:
                return [
                    PodSetAssignment(each, {}, tuple(why), tuple(attempts), failed=True) for each in group
                ]
            choices |= found.choices
            stops |= found.stops
            if found.mode is not Mode.FIT:
                reasons += why
        self._assume(choices, wanted)
        return [_share(each, choices, stops, reasons, attempts) for each in group]

    def _search(
        self,
        covering: ResourceGroup,
        group: Sequence[PodSetRequests],
        wanted: Mapping[str, int],
        resource: str,
    ) -> Found:
        """Try the flavors of a resource group in order, from the one on that is next for a resource (Q-154,
        Q-155).
        """
        policy = self.place.spec.fungibility
        resources = [name for name in in_visiting_order(wanted) if name in covering.covered]
        best: dict[str, Choice] = {}
        best_grade, attempts, stop = NO_FIT, [], None
        first = self._first(covering, group[0].name, resource)
        for index, flavor in enumerate(covering.flavors[first:], first):
            why = self._objection(flavor, covering, group)
            if why:
                attempts.append(Attempt(flavor, NO_FIT, (why,)))
                continue
            fits = {name: self._fit(FlavorResource(flavor, name), wanted[name]) for name in resources}
            grade = self.rules.least([each for each, _ in fits.values()], policy)
            attempts.append(_attempt(flavor, grade, fits))
            stops = not goes_on(grade, policy)
            if stops or is_preferred(grade, best_grade, policy):
                best_grade = grade
                best = {name: Choice(flavor, each) for name, (each, _) in fits.items()}
            if stops:
                stop = index if index + 1 < len(covering.flavors) else None
                break
        return Found(best, best_grade.mode, attempts, stop)

    def _first(self, covering: ResourceGroup, pod_set: str, resource: str) -> int:
        """Return the index of the flavor that is tried first; the list may have become shorter since the last
        search.
        """
        scan = self.place.scan
        first = 0 if scan is None else scan.start(pod_set, resource)
        return first if first < len(covering.flavors) else 0

    def _objection(self, flavor: str, covering: ResourceGroup, group: Sequence[PodSetRequests]) -> str:
        known = self.place.flavors.get(flavor)
        if known is None:
            return texts.flavor_missing(flavor)
        siblings = [each for name in covering.flavors if (each := self.place.flavors.get(name)) is not None]
        keys = self.rules.label_keys(known, siblings)
        specs = {pod_set["name"]: pod_set["template"]["spec"] for pod_set in self.workload.spec["podSets"]}
        return next((why for each in group if (why := objection(specs[each.name], flavor, known, keys))), "")

    def _fit(self, fr: FlavorResource, request: int) -> tuple[Grade, str]:
        return self.rules.fit(self.place, self.workload, fr, self.assumed.get(fr, 0), request)

    def _with_pods(self, each: PodSetRequests) -> PodSetRequests:
        """Count the pods themselves where a resource group covers them (Q-084)."""
        if self.place.spec.groups.covering(PODS) is None:
            return each
        return PodSetRequests(each.name, each.count, {**each.requests, PODS: each.count})

    def _assume(self, choices: Mapping[str, Choice], wanted: Mapping[str, int]) -> None:
        for name, choice in choices.items():
            fr = FlavorResource(choice.flavor, name)
            self.assumed[fr] = self.assumed.get(fr, 0) + wanted[name]


def _attempt(flavor: str, grade: Grade, fits: Mapping[str, tuple[Grade, str]]) -> Attempt:
    """Tell of a flavor how it suits, how far any resource borrows there, and every reason against it (QC-10)."""
    level = max(each.level for each, _ in fits.values())
    reasons = tuple(reason for _, reason in fits.values() if reason)
    return Attempt(flavor, grade._replace(level=level), reasons)


def _share(
    each: PodSetRequests,
    choices: Mapping[str, Choice],
    stops: Mapping[str, int],
    reasons: list[str],
    attempts: list[Attempt],
) -> PodSetAssignment:
    own = {name: choice for name, choice in choices.items() if name in each.requests}
    stopped = {name: stops[name] for name in own if name in stops}
    return PodSetAssignment(each, own, tuple(reasons), tuple(attempts), stops=stopped)


def _grouped(workload: Workload, requests: Sequence[PodSetRequests]) -> list[list[PodSetRequests]]:
    """Put pod sets with the same `podSetGroupName` together (Q-150)."""
    groups: dict[str, list[PodSetRequests]] = {}
    for pod_set, each in zip(workload.spec.get("podSets") or (), requests, strict=True):
        shared = (pod_set.get("topologyRequest") or {}).get("podSetGroupName")
        groups.setdefault(f"group/{shared}" if shared else f"alone/{each.name}", []).append(each)
    return list(groups.values())


def _summed(group: Sequence[PodSetRequests]) -> dict[str, int]:
    total: dict[str, int] = {}
    for each in group:
        for name, value in each.requests.items():
            total[name] = total.get(name, 0) + value
    return total


def _index(requests: Sequence[PodSetRequests], each: PodSetAssignment) -> int:
    return [known.name for known in requests].index(each.requests.name)

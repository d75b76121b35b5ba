"""The search for flavors (scheduling §5.1–5.3).

Pod sets are served in order; one search per resource group gives all its requested resources the same flavor. What was
given to earlier pod sets counts as used. The record of where a search stopped, to go on there in the next cycle
(§5.5), is not kept yet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..api.resource import Json
from ..quota.borrowing import borrow_level
from ..quota.cluster_queue import ClusterQueueSpec
from ..quota.requests import PodSetRequests
from ..quota.resources import FlavorResource, ResourceGroup
from ..quota.tree import Node, fits_now, potential
from ..workload.view import Workload
from . import texts
from .assignment import Assignment, Attempt, Choice, PodSetAssignment
from .eligibility import objection
from .grades import NO_FIT, Grade, Mode, goes_on, is_preferred, least
from .preemption import Preemptor
from .visiting import in_visiting_order


@dataclass(frozen=True, slots=True)
class Place:
    """Where a Workload would run: its ClusterQueue, the node of the quota tree, the flavors there are."""

    spec: ClusterQueueSpec
    node: Node
    flavors: Mapping[str, Json]
    preemptor: Preemptor


def assign(workload: Workload, requests: Sequence[PodSetRequests], place: Place) -> Assignment:
    """Find flavors for every pod set; the first that finds none ends the search (Q-155)."""
    search = Search(workload, place)
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
    assumed: dict[FlavorResource, int] = field(default_factory=dict)
    at: str = ""

    def serve(self, group: Sequence[PodSetRequests]) -> list[PodSetAssignment]:
        """Serve pod sets that share their flavors (Q-150…Q-152)."""
        self.at = group[0].name
        group = [self._with_pods(each) for each in group]
        wanted = _summed(group)
        choices: dict[str, Choice] = {}
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
            found, tried = self._search(covering, group, wanted)
            attempts += tried
            why = [reason for attempt in tried for reason in attempt.reasons]
            if not found:
                return [
                    PodSetAssignment(each, {}, tuple(why), tuple(attempts), failed=True) for each in group
                ]
            choices |= found
            if any(choice.grade.mode is not Mode.FIT for choice in found.values()):
                reasons += why
        self._assume(choices, wanted)
        return [_share(each, choices, reasons, attempts) for each in group]

    def _search(
        self, covering: ResourceGroup, group: Sequence[PodSetRequests], wanted: Mapping[str, int]
    ) -> tuple[dict[str, Choice], list[Attempt]]:
        """Try the flavors of a resource group in order; return the best choice and every attempt (Q-154, Q-155)."""
        policy = self.place.spec.fungibility
        resources = [name for name in in_visiting_order(wanted) if name in covering.covered]
        best, best_grade, attempts = {}, NO_FIT, []
        for flavor in covering.flavors:
            why = self._objection(flavor, group)
            if why:
                attempts.append(Attempt(flavor, NO_FIT, (why,)))
                continue
            fits = {name: self._fit(FlavorResource(flavor, name), wanted[name]) for name in resources}
            grade = least([each for each, _ in fits.values()], policy)
            attempts.append(Attempt(flavor, grade, tuple(reason for _, reason in fits.values() if reason)))
            if is_preferred(grade, best_grade, policy):
                best_grade = grade
                best = {name: Choice(flavor, each) for name, (each, _) in fits.items()}
            if not goes_on(grade, policy):
                break
        return best, attempts

    def _objection(self, flavor: str, group: Sequence[PodSetRequests]) -> str:
        specs = {pod_set["name"]: pod_set["template"]["spec"] for pod_set in self.workload.spec["podSets"]}
        known = self.place.flavors.get(flavor)
        return next((why for each in group if (why := objection(specs[each.name], flavor, known))), "")

    def _fit(self, fr: FlavorResource, request: int) -> tuple[Grade, str]:
        """Grade one resource of one flavor, with the reason when it does not simply fit (Q-165…Q-169)."""
        node, before = self.place.node, self.assumed.get(fr, 0)
        value = before + request
        most = potential(node, fr)
        if value > most:
            return NO_FIT, texts.never_fits(fr, before, request, most)
        level = borrow_level(node, fr, value)
        free = fits_now(node, fr)
        if value <= free:
            return Grade(Mode.FIT, level.height), ""
        why = texts.unused_short(fr, value - free)
        may_borrow = self.place.spec.preemption.borrow_within_cohort != "Never"
        if node.quota(fr).nominal >= value or level.within_subtree or may_borrow:
            return self._ask(fr, value, level.height), why
        return NO_FIT, why

    def _ask(self, fr: FlavorResource, value: int, height: int) -> Grade:
        """Ask whether preemption would make room for this resource alone (Q-168)."""
        name = self.place.spec.name
        targets = self.place.preemptor.targets(self.workload, name, {fr: value}, frozenset({fr}))
        if not targets:
            return Grade(Mode.NO_CANDIDATES, height)
        own = any(target.holding.cluster_queue == name for target in targets)
        return Grade(Mode.PREEMPT if own else Mode.RECLAIM, height)

    def _with_pods(self, each: PodSetRequests) -> PodSetRequests:
        """Count the pods themselves where a resource group covers them (Q-084)."""
        if self.place.spec.groups.covering("pods") is None:
            return each
        return PodSetRequests(each.name, each.count, {**each.requests, "pods": each.count})

    def _assume(self, choices: Mapping[str, Choice], wanted: Mapping[str, int]) -> None:
        for name, choice in choices.items():
            fr = FlavorResource(choice.flavor, name)
            self.assumed[fr] = self.assumed.get(fr, 0) + wanted[name]


def _share(
    each: PodSetRequests, choices: Mapping[str, Choice], reasons: list[str], attempts: list[Attempt]
) -> PodSetAssignment:
    own = {name: choice for name, choice in choices.items() if name in each.requests}
    return PodSetAssignment(each, own, tuple(reasons), tuple(attempts))


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

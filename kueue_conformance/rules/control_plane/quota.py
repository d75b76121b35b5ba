"""Nothing is reserved that quota does not cover (Q-125): the tree of cohorts is computed anew for each
reservation (Q-085, Q-120…Q-124).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

from ...base.json_types import Json
from ...base.numbers import amount
from ...history.story import Change
from ..story import Finding, SafetyRule, Story
from ..workload import admission, awaits_victims, becomes_true, is_true
from .writes import Known, World

_Pair: TypeAlias = tuple[str, str]
"""A flavor and a resource."""
_Usage: TypeAlias = Mapping[_Pair, Fraction]
_NOTHING = Fraction(0)


@dataclass(eq=False)
class Node:
    """A ClusterQueue or a cohort: its quota, its usage and its children."""

    name: str = ""
    """That of a ClusterQueue; a cohort has none."""
    quotas: Mapping[_Pair, Json] = field(default_factory=dict)
    used: _Usage = field(default_factory=dict)
    parent: Node | None = None
    children: list[Node] = field(default_factory=list)

    def limit(self, pair: _Pair, name: str) -> Fraction | None:
        """Return a limit, None where there is none."""
        said = self.quotas.get(pair, {}).get(name)
        return None if said is None else amount(said)

    def total(self, pair: _Pair) -> Fraction:
        """Return the quota of the node and of what its children lend it (Q-120)."""
        own = self.limit(pair, "nominalQuota") or _NOTHING
        return own + sum((one.total(pair) - one.kept(pair) for one in self.children), _NOTHING)

    def kept(self, pair: _Pair) -> Fraction:
        """Return what the parent does not see (Q-121)."""
        limit = self.limit(pair, "lendingLimit")
        return _NOTHING if limit is None else max(_NOTHING, self.total(pair) - limit)

    def usage(self, pair: _Pair) -> Fraction:
        """Return the usage of this node with the part that its children take (Q-122)."""
        risen = (max(_NOTHING, one.usage(pair) - one.kept(pair)) for one in self.children)
        return self.used.get(pair, _NOTHING) + sum(risen, _NOTHING)

    def available(self, pair: _Pair) -> Fraction:
        """Return what can still be taken (Q-124)."""
        if self.parent is None:
            return self.total(pair) - self.usage(pair)
        kept, limit, from_parent = (
            self.kept(pair),
            self.limit(pair, "borrowingLimit"),
            self.parent.available(pair),
        )
        if limit is not None:
            from_parent = min(
                from_parent, self.total(pair) - kept - max(_NOTHING, self.usage(pair) - kept) + limit
            )
        return max(_NOTHING, kept - self.usage(pair)) + from_parent

    def root(self) -> Node:
        """Return the topmost node; endless where cohorts form a circle."""
        return self if self.parent is None else self.parent.root()

    def has(self, name: str) -> bool:
        """Tell whether a ClusterQueue of this name is the node or below it."""
        return self.name == name or any(one.has(name) for one in self.children)


def tree(objects: World, used: Mapping[str, _Usage]) -> Mapping[str, Node]:
    """Return every ClusterQueue by its name, below the cohorts that there are or that are only named (Q-130)."""
    queues: dict[str, Node] = {}
    cohorts: dict[str, Node] = {}
    above: list[tuple[Node, str]] = []
    for (kind, _, name), one in objects.items():
        spec, is_queue = one.get("spec") or {}, kind == "ClusterQueue"
        node = queues.setdefault(name, Node(name)) if is_queue else cohorts.setdefault(name, Node())
        node.quotas, node.used = dict(quotas(spec)), used.get(name, {}) if is_queue else {}
        above.append((node, spec.get("cohortName" if is_queue else "parentName") or ""))
    for node, name in above:
        if name:
            node.parent = cohorts.setdefault(name, Node())
            node.parent.children.append(node)
    return queues


def quotas(spec: Json) -> Iterator[tuple[_Pair, Json]]:
    """Yield the quotas of a ClusterQueue or a cohort, each with its flavor and resource."""
    for group in spec.get("resourceGroups") or ():
        for flavor in group.get("flavors") or ():
            yield from (((flavor["name"], one["name"]), one) for one in flavor.get("resources") or ())


def usage(workload: Json) -> dict[_Pair, Fraction]:
    """Return what a Workload's admission uses, less the pods that it gave back (Q-085)."""
    given_back = {one["name"]: one.get("count", 0) for one in workload["status"].get("reclaimablePods") or ()}
    asked = {one["name"]: one.get("count", 1) for one in (workload.get("spec") or {}).get("podSets") or ()}
    found: dict[_Pair, Fraction] = {}
    for one in admission(workload).get("podSetAssignments") or ():
        name, count = one.get("name", ""), one.get("count", 0)
        left = max(0, asked.get(name, count) - given_back.get(name, 0))
        share = Fraction(left, count) if count and left < count else Fraction(1)
        for resource, flavor in (one.get("flavors") or {}).items():
            pair = flavor, resource
            found[pair] = (
                found.get(pair, _NOTHING) + amount((one.get("resourceUsage") or {}).get(resource, 0)) * share
            )
    return found


def holds(workload: Json) -> bool:
    """Tell whether a Workload holds quota (Q-004)."""
    active = ((workload or {}).get("spec") or {}).get("active") is not False
    return (
        active
        and is_true(workload, "QuotaReserved")
        and not is_true(workload, "Finished")
        and bool(admission(workload))
    )


def used_by_queue(workloads: Iterable[Json]) -> Mapping[str, _Usage]:
    """Return what those of the Workloads use together that hold quota, by ClusterQueue."""
    used: dict[str, dict[_Pair, Fraction]] = {}
    for one in filter(holds, workloads):
        account = used.setdefault(admission(one)["clusterQueue"], {})
        for pair, value in usage(one).items():
            account[pair] = account.get(pair, _NOTHING) + value
    return used


def uncovered(story: Story) -> Iterator[Finding]:
    """Tell of reservations that quota does not cover;
    one that counts on victims is judged when it is admitted.
    """
    return _lacked(story, "QuotaReserved", counted=lambda workload: not awaits_victims(workload))


def _too_early(story: Story) -> Iterator[Finding]:
    return _lacked(story, "Admitted")


def _lacked(
    story: Story, condition: str, counted: Callable[[Json], bool] = lambda _: True
) -> Iterator[Finding]:
    known = Known(story, "ClusterQueue", "Cohort")
    workloads: dict[tuple[str, str], Json] = {}
    for change in story.changes:
        if change.kind != "Workload":
            continue
        if becomes_true(change, condition) and holds(change.after) and counted(change.after):
            others = [one for key, one in workloads.items() if key != (change.namespace, change.name)]
            yield from ((change, text) for text in _lacking(story, known, change, others))
        workloads[change.namespace, change.name] = change.after


def _lacking(story: Story, known: Known, change: Change, others: Sequence[Json]) -> Iterator[str]:
    """Say what was not there in any state of the quotas that the writer may have seen; nothing where a
    cohort's quotas are not in the story.
    """
    name, wanted = admission(change.after)["clusterQueue"], usage(change.after)
    used = used_by_queue(each for each in others if not awaits_victims(each))
    least: dict[_Pair, Fraction] = {}
    for objects in known.worlds(change):
        node = tree(objects, used).get(name)
        if (
            node is None
            or (node.parent and story.kinds is not None and "Cohort" not in story.kinds)
            or is_cyclic(node)
        ):
            return
        lacking = {
            pair: value - node.available(pair)
            for pair, value in wanted.items()
            if value > max(_NOTHING, node.available(pair))
        }
        if not lacking:
            return
        least = lacking
    for (flavor, resource), value in sorted(least.items()):
        yield f"reserves {float(wanted[flavor, resource]):g} {resource} of {flavor} in {name}, and {float(value):g} of it is not there"


def is_cyclic(node: Node) -> bool:
    """Tell whether the cohorts above a node form a circle (Q-131)."""
    seen: list[Node] = []
    step: Node | None = node
    while step is not None:
        if step in seen:
            return True
        seen.append(step)
        step = step.parent
    return False


QUOTA = (
    SafetyRule(
        "AC-473",
        "admits nothing before quota covers it without what its victims still hold",
        _too_early,
        only=("kep993",),
    ),
)

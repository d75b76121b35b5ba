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
from ..workload import admission, awaits_victims, becomes_true, is_active, is_true, workload_status
from ..writes import World, WriterCache

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
        limit = self.quotas.get(pair, {}).get(name)
        return None if limit is None else amount(limit)

    def total(self, pair: _Pair) -> Fraction:
        """Return the quota of the node and of what its children lend it (Q-120)."""
        own = self.limit(pair, "nominalQuota") or _NOTHING
        return own + sum(
            (child.total(pair) - child.hidden_from_parent(pair) for child in self.children), _NOTHING
        )

    def hidden_from_parent(self, pair: _Pair) -> Fraction:
        """Return what the parent does not see (Q-121)."""
        limit = self.limit(pair, "lendingLimit")
        # Without a lendingLimit everything is lent.
        return _NOTHING if limit is None else max(_NOTHING, self.total(pair) - limit)

    def usage(self, pair: _Pair) -> Fraction:
        """Return the usage of this node with the part that its children take (Q-122)."""
        # A child uses first what its parent does not see.
        risen = (max(_NOTHING, child.usage(pair) - child.hidden_from_parent(pair)) for child in self.children)
        return self.used.get(pair, _NOTHING) + sum(risen, _NOTHING)

    def available(self, pair: _Pair) -> Fraction:
        """Return what can still be taken (Q-124)."""
        # A cohort's root has no one to borrow from.
        if self.parent is None:
            return self.total(pair) - self.usage(pair)
        hidden, limit, from_parent = (
            self.hidden_from_parent(pair),
            self.limit(pair, "borrowingLimit"),
            self.parent.available(pair),
        )
        if limit is not None:
            from_parent = min(
                from_parent, self.total(pair) - hidden - max(_NOTHING, self.usage(pair) - hidden) + limit
            )
        # from_parent may be negative where the tree is overused, and then takes from what is
        # hidden.
        return max(_NOTHING, hidden - self.usage(pair)) + from_parent

    def root(self) -> Node:
        """Return the topmost node; endless where cohorts form a circle."""
        return self if self.parent is None else self.parent.root()

    def has(self, name: str) -> bool:
        """Tell whether a ClusterQueue of this name is the node or below it."""
        return self.name == name or any(child.has(name) for child in self.children)


def tree(objects: World, used: Mapping[str, _Usage]) -> Mapping[str, Node]:
    """Return every ClusterQueue by its name,
    below the cohorts that there are or that are only named (Q-130).
    """
    queues: dict[str, Node] = {}
    cohorts: dict[str, Node] = {}
    above: list[tuple[Node, str]] = []
    for (kind, _, name), object_ in objects.items():
        spec, is_queue = object_.get("spec") or {}, kind == "ClusterQueue"
        # ClusterQueues and Cohorts are two kinds, whose names may be equal.
        node = queues.setdefault(name, Node(name)) if is_queue else cohorts.setdefault(name, Node())
        node.quotas, node.used = dict(quotas(spec)), used.get(name, {}) if is_queue else {}
        above.append((node, spec.get("cohortName" if is_queue else "parentName") or ""))
    for node, name in above:
        if name:
            # A cohort that is only named has no quota and still joins its queues.
            node.parent = cohorts.setdefault(name, Node())
            node.parent.children.append(node)
    return queues


def quotas(spec: Json) -> Iterator[tuple[_Pair, Json]]:
    """Yield the quotas of a ClusterQueue or a cohort, each with its flavor and resource."""
    for group in spec.get("resourceGroups") or ():
        for flavor in group.get("flavors") or ():
            yield from (
                ((flavor["name"], resource["name"]), resource) for resource in flavor.get("resources") or ()
            )


def usage(workload: Json) -> dict[_Pair, Fraction]:
    """Return what a Workload's admission uses, less the pods that it gave back (Q-085)."""
    reclaimable = workload_status(workload).get("reclaimablePods") or ()
    reclaimed = {pod_set["name"]: pod_set.get("count", 0) for pod_set in reclaimable}
    counts = {
        pod_set["name"]: pod_set.get("count", 1)
        for pod_set in (workload.get("spec") or {}).get("podSets") or ()
    }
    amounts: dict[_Pair, Fraction] = {}
    for assignment in admission(workload).get("podSetAssignments") or ():
        name, count = assignment.get("name", ""), assignment.get("count", 0)
        count_in_use = max(0, counts.get(name, count) - reclaimed.get(name, 0))
        # A Fraction: floats would not add up to a quota exactly.
        share = Fraction(count_in_use, count) if count and count_in_use < count else Fraction(1)
        for resource, flavor in (assignment.get("flavors") or {}).items():
            pair = flavor, resource
            amounts[pair] = (
                amounts.get(pair, _NOTHING)
                + amount((assignment.get("resourceUsage") or {}).get(resource, 0)) * share
            )
    return amounts


def holds(workload: Json) -> bool:
    """Tell whether a Workload holds quota (Q-004)."""
    return (
        is_active(workload)
        and is_true(workload, "QuotaReserved")
        and not is_true(workload, "Finished")
        and bool(admission(workload))
    )


def usage_by_queue(workloads: Iterable[Json]) -> Mapping[str, _Usage]:
    """Return what those of the Workloads use together that hold quota, by ClusterQueue."""
    used: dict[str, dict[_Pair, Fraction]] = {}
    for workload in filter(holds, workloads):
        account = used.setdefault(admission(workload)["clusterQueue"], {})
        for pair, value in usage(workload).items():
            account[pair] = account.get(pair, _NOTHING) + value
    return used


def uncovered_reservations(story: Story) -> Iterator[Finding]:
    """Yield the reservations that quota does not cover;
    one that counts on victims is judged when it is admitted.
    """
    return _missing_quota(story, "QuotaReserved", counted=lambda workload: not awaits_victims(workload))


def _too_early(story: Story) -> Iterator[Finding]:
    return _missing_quota(story, "Admitted")


def _missing_quota(
    story: Story, condition: str, counted: Callable[[Json], bool] = lambda _: True
) -> Iterator[Finding]:
    cache = WriterCache(story, "ClusterQueue", "Cohort")
    workloads: dict[tuple[str, str], Json] = {}
    for change in story.changes:
        if change.kind != "Workload":
            continue
        if becomes_true(change, condition) and holds(change.after) and counted(change.after):
            other_workloads = [
                workload for key, workload in workloads.items() if key != (change.namespace, change.name)
            ]
            yield from ((change, text) for text in _lacking(story, cache, change, other_workloads))
        workloads[change.namespace, change.name] = change.after


def _lacking(
    story: Story, cache: WriterCache, change: Change, other_workloads: Sequence[Json]
) -> Iterator[str]:
    """Say what was not there in any state of the quotas that the writer may have seen; nothing where a
    cohort's quotas are not in the story.
    """
    name, requested = admission(change.after)["clusterQueue"], usage(change.after)
    used = usage_by_queue(workload for workload in other_workloads if not awaits_victims(workload))
    least: dict[_Pair, Fraction] = {}
    for objects in cache.worlds(change):
        node = tree(objects, used).get(name)
        if (
            node is None
            or (node.parent and story.kinds is not None and "Cohort" not in story.kinds)
            or is_cyclic(node)
        ):
            return
        lacking = {
            pair: value - node.available(pair)
            for pair, value in requested.items()
            if value > max(_NOTHING, node.available(pair))
        }
        # One world with enough is enough.
        if not lacking:
            return
        least = lacking
    for (flavor, resource), value in sorted(least.items()):
        yield f"reserves {float(requested[flavor, resource]):g} {resource} of {flavor} in {name}, and {float(value):g} of it is not available"


def is_cyclic(node: Node) -> bool:
    """Tell whether the cohorts above a node form a circle (Q-131)."""
    visited: list[Node] = []
    step: Node | None = node
    while step is not None:
        # By identity (eq=False): nodes without a name are many.
        if step in visited:
            return True
        visited.append(step)
        step = step.parent
    return False


QUOTA = (
    SafetyRule(
        "AC-473",
        "admits no Workload before quota covers it without the quota that its victims still hold",
        _too_early,
        only=("kep993",),
    ),
)

"""Which Workloads may be preempted, by which others, and when (Q-166, Q-250…Q-257, Q-318); a preemptor is
known by the UID in the message of the eviction.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from ...base.json_types import Json
from ...base.numbers import amount
from ...history.story import Change
from ..story import Finding, SafetyRule, Story
from ..workload import admission, becomes_true, conditions, is_true, workload_status
from ..writes import World, WriterCache, by_kueue
from .quota import Node, holds, is_cyclic, tree, usage_by_queue

_UID = re.compile(r"\(UID: ([\w-]+)")
_QUEUES = ("ClusterQueue", "Cohort", "LocalQueue", "Workload")
_IN_THE_QUEUE = frozenset({"InClusterQueue"})
_IN_THE_COHORT = frozenset({"InCohortReclamation", "InCohortReclaimWhileBorrowing", "InCohortFairSharing"})
_PLAIN = {"containers", "restartPolicy", "nodeSelector"}
"""Fields that a pod may have so that its requests are the sum of those of its containers."""


def _preemptions(story: Story) -> Iterator[tuple[Change, str]]:
    """Yield Kueue's evictions for another Workload, with its UID."""
    for change in by_kueue(story):
        condition = conditions(change.after).get("Evicted", {})
        match = _UID.search(condition.get("message", ""))
        # Without a UID in the message the preemptor is not known, and nothing is judged.
        if becomes_true(change, "Evicted") and condition.get("reason") == "Preempted" and match:
            yield change, match[1]


def _worlds_seen_by_preemptor(cache: WriterCache, change: Change, uid: str) -> Iterator[World]:
    """Yield the states that the preempting writer may have seen: those in which the preemptor waits."""
    return (world_state for world_state in cache.worlds(change) if _by_uid(world_state, uid) is not None)


def _unallowed(story: Story) -> Iterator[Finding]:
    cache = WriterCache(story, *_QUEUES)
    for change, uid in _preemptions(story):
        reason = conditions(change.after).get("Preempted", {}).get("reason", "")
        objections = [
            _objection(world, change, uid, reason) for world in _worlds_seen_by_preemptor(cache, change, uid)
        ]
        # A writer may have seen any of these worlds: one that allows it is enough.
        if objections and all(objections):
            yield change, objections[-1]


def _objection(world: World, change: Change, uid: str, reason: str) -> str:
    """Say why a Workload may not be preempted as things are in a world, empty where it may or where that
    cannot be told.
    """
    preemptor = _by_uid(world, uid)
    victim = world.get(("Workload", change.namespace, change.name))
    queue = _queue_of(world, preemptor)
    if preemptor is None or victim is None or queue is None:
        return ""
    policies = (queue.get("spec") or {}).get("preemption") or {}
    ours, theirs = _priority(preemptor), _priority(victim)
    if admission(victim).get("clusterQueue") == queue["metadata"]["name"]:
        policy, right = policies.get("withinClusterQueue", "Never"), _IN_THE_QUEUE
    else:
        policy = policies.get("reclaimWithinCohort", "Never")
        right = _IN_THE_COHORT
    if reason and reason not in right:
        return (
            f"is preempted for {preemptor['metadata']['name']} as {reason}, which does not fit their queues"
        )
    if reason == "InCohortReclaimWhileBorrowing":
        borrowing = policies.get("borrowWithinCohort") or {}
        threshold = borrowing.get("maxPriorityThreshold")
        if (
            borrowing.get("policy", "Never") == "Never"
            # borrowWithinCohort takes only lower priorities, whatever the threshold.
            or theirs >= ours
            or (threshold is not None and theirs > threshold)
        ):
            return (
                f"is preempted by a borrower of priority {ours} under {borrowing}, and has priority {theirs}"
            )
    allowed = {
        "Never": False,
        "Any": True,
        "LowerPriority": theirs < ours,
        "LowerOrNewerEqualPriority": theirs <= ours,
    }
    # A policy that a later release adds is not judged.
    if allowed.get(policy, True):
        return ""
    return f"is preempted for a Workload of priority {ours} under {policy}, and has priority {theirs}"


def _needless(story: Story) -> Iterator[Finding]:
    # On a real cluster Cohorts are not watched, and a cohort's quota is not known.
    if story.kinds is not None and "Cohort" not in story.kinds:
        return
    cache = WriterCache(story, *_QUEUES)
    for change, uid in _preemptions(story):
        fits = [_fits(world, uid) for world in _worlds_seen_by_preemptor(cache, change, uid)]
        if fits and all(fits):
            yield change, f"is preempted for {fits[-1]}, which fits without"


def _fits(world: World, uid: str) -> str:
    """Name a preemptor that fits as things are in a world; empty where it does not, or where others may have
    a claim on what is free.
    """
    preemptor = _by_uid(world, uid)
    queue = _queue_of(world, preemptor)
    if preemptor is None or queue is None or holds(preemptor):
        return ""
    requests, flavors = _requests(preemptor), _only_flavors(queue)
    workloads = [workload for (kind, _, _), workload in world.items() if kind == "Workload"]
    node = tree(_quotas(world), usage_by_queue(workloads)).get(queue["metadata"]["name"])
    if (
        not requests
        or not flavors
        or node is None
        or is_cyclic(node)
        # What another Workload may claim is not free, and how Kueue ranks the two is not computed
        # here.
        or _is_contended(world, preemptor, node)
    ):
        return ""
    enough = all(
        name in flavors and value <= max(Fraction(0), node.available((flavors[name], name)))
        for name, value in requests.items()
    )
    return str(preemptor["metadata"]["name"]) if enough else ""


def _is_contended(world: World, preemptor: Json, node: Node) -> bool:
    """Tell whether another Workload waits in the tree,
    for which quota may be kept, or was evicted and has it still.
    """
    root = node.root()
    for (kind, _, _), workload in world.items():
        if kind != "Workload" or workload is preemptor or is_true(workload, "Finished"):
            continue
        queue = _queue_of(world, workload)
        same = queue is None or root.has(queue["metadata"]["name"])
        if same and (is_true(workload, "Evicted") or not is_true(workload, "QuotaReserved")):
            return True
    return False


def _quotas(world: World) -> World:
    return {key: object_ for key, object_ in world.items() if key[0] in ("ClusterQueue", "Cohort")}


def _by_uid(world: World, uid: str) -> Json | None:
    every = (workload for (kind, _, _), workload in world.items() if kind == "Workload")
    return next((workload for workload in every if workload["metadata"].get("uid") == uid), None)


def _queue_of(world: World, workload: Json | None) -> Json | None:
    if workload is None:
        return None
    name = (workload.get("spec") or {}).get("queueName", "")
    local = world.get(("LocalQueue", workload["metadata"].get("namespace", ""), name)) or {}
    return world.get(("ClusterQueue", "", (local.get("spec") or {}).get("clusterQueue", "")))


def _priority(workload: Json) -> int:
    return int((workload.get("spec") or {}).get("priority") or 0)


def _requests(workload: Json) -> Mapping[str, Fraction]:
    """Return what plain pods ask for together;
    nothing where they are not plain, or where fewer pods would do.
    """
    reclaimable = workload_status(workload).get("reclaimablePods")
    total: dict[str, Fraction] = {}
    for pod_set in (workload.get("spec") or {}).get("podSets") or ():
        pod = pod_set["template"]["spec"]
        if reclaimable or pod_set.get("minCount") is not None or not pod.keys() <= _PLAIN:
            return {}
        for container in pod.get("containers") or ():
            resources = container.get("resources") or {}
            if resources.get("limits"):
                return {}
            for name, value in (resources.get("requests") or {}).items():
                total[name] = total.get(name, Fraction(0)) + amount(value) * pod_set.get("count", 1)
    return total


def _only_flavors(queue: Json) -> Mapping[str, str]:
    """Return the flavor of each resource of a queue;
    nothing where a group has several, or where pods are counted.
    """
    flavor_of: dict[str, str] = {}
    for group in (queue.get("spec") or {}).get("resourceGroups") or ():
        flavors: Sequence[Json] = group.get("flavors") or ()
        resources = [resource["name"] for flavor in flavors for resource in flavor.get("resources") or ()]
        # With several flavors Kueue may preempt in one although another is free, by its
        # fungibility.
        if len(flavors) != 1 or "pods" in resources:
            return {}
        flavor_of.update(dict.fromkeys(resources, flavors[0]["name"]))
    return flavor_of


def _is_from_an_older_copy(change: Change) -> bool:
    """Tell whether a preemptor evicts that has not seen the admission: its apply says of it what its copy
    says, or gives it up (AC-370, AC-371), and the quota goes with the eviction.
    """
    before, after = (conditions(state).get("Admitted") for state in (change.before, change.after))
    if before is None or not becomes_true(change, "Evicted"):
        return False
    return after is None or after.get("lastTransitionTime", "") < before.get("lastTransitionTime", "")


def _withdrawn_admissions(story: Story) -> Iterator[Finding]:
    for change in by_kueue(story):
        if (
            is_true(change.before, "Admitted")
            and not is_true(change.after, "Admitted")
            and is_true(change.after, "QuotaReserved")
            and not _is_from_an_older_copy(change)
        ):
            yield change, "is no longer Admitted, and still holds its quota: it would be admitted twice"


PREEMPTION = (
    SafetyRule("Q-166", "preempts no Workload for one that fits without preemption", _needless, since="0.19"),
    SafetyRule(
        "Q-251",
        "preempts only Workloads that the policies of the preemptor's ClusterQueue allow",
        _unallowed,
        since="0.19",
    ),
    SafetyRule(
        "Q-318",
        "removes Admitted with the quota only, so that no Workload is admitted twice",
        _withdrawn_admissions,
        since="0.9",
        also=("kep993",),
    ),
)

"""What is allowed of preemption in a Cohort with fair sharing: whose Workloads a share allows (pure)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ....history.story import Change
from ....stage.workloads.view import WorkloadView
from ..amounts import Node, Tree
from ..fitting import amount, cpu_usage, is_modelled, pod_sets_of, priority_of, suits
from ..snapshot import Snapshot
from ..state import Contradiction, State
from .shares import share_of

FAIR_SHARING, RECLAMATION = "InCohortFairSharing", "InCohortReclamation"
_UID = re.compile(r"\(UID: ([^,)]+)")


@dataclass
class FairPreemption:
    """What one Workload has preempted in its Cohort, with the states from the first eviction to the first
    release: decisions are written one by one, so that each of these states may be that of the decision.
    """

    preemptor: str
    """Its UID."""
    snapshots: list[Snapshot] = field(default_factory=list)
    victims: list[WorkloadView] = field(default_factory=list)


def fair_preemptions(snapshot: Snapshot, changes: Sequence[Change]) -> Iterator[FairPreemption]:
    """Yield preemptions in Cohorts among changes, in order; `snapshot` is the state before them."""
    current, open_one = snapshot.copy(), None
    for change in changes:
        if change.kind == "Workload" and change.before and change.after:
            before, after = WorkloadView(change.before), WorkloadView(change.after)
            uid = _preemptor_of(before, after)
            if open_one and (_is_released(before, after) or (uid and uid != open_one.preemptor)):
                yield open_one
                open_one = None
            if uid:
                open_one = open_one or FairPreemption(uid, [current.copy()])
                open_one.victims.append(after)
        current.take([change])
        if open_one and change.kind == "Workload":
            open_one.snapshots.append(current.copy())
    if open_one:
        yield open_one


def _preemptor_of(before: WorkloadView, after: WorkloadView) -> str:
    """Return the UID of the Workload for which a write preempts another one in its Cohort."""
    condition = after.condition("Preempted")
    found = _UID.search(condition.get("message", ""))
    is_new = after.is_true("Preempted") and not before.is_true("Preempted")
    return found[1] if is_new and found and condition.get("reason") in (FAIR_SHARING, RECLAMATION) else ""


def _is_released(before: WorkloadView, after: WorkloadView) -> bool:
    return before.is_true("QuotaReserved") and not after.is_true("QuotaReserved")


def unfair_victims(state: State, preemptions: Sequence[FairPreemption]) -> Iterator[Contradiction]:
    """Yield victims that no share and no quota of the preemptor's own allows (Q-272, QC-13)."""
    if not state.is_fair or not state.holds("0.19") or state.has_lost_flavor:
        return
    for preemption in preemptions:
        for victim in preemption.victims:
            if problem := _problem(state, preemption, victim):
                reason = victim.condition("Preempted").get("reason")
                yield Contradiction(
                    statement="fair-victims",
                    name=f"Workload {victim.object['metadata']['name']}",
                    expected=f"it is preempted in its Cohort only where {problem}",
                    observed=f"it is preempted ({reason})",
                )


def _problem(state: State, preemption: FairPreemption, victim: WorkloadView) -> str:
    """Return the rule that a preemption breaks in each state that may be that of the decision."""
    problems = [_problem_in(state, snapshot, preemption, victim) for snapshot in preemption.snapshots]
    return problems[0] if all(problems) else ""


def _problem_in(state: State, snapshot: Snapshot, preemption: FairPreemption, victim: WorkloadView) -> str:
    preemptor = next(
        (item for item in snapshot.workloads() if item.object["metadata"]["uid"] == preemption.preemptor),
        None,
    )
    tree = Tree(snapshot)
    queue = state.queue_of(preemptor) if preemptor else {}
    node = tree.queues.get(queue.get("metadata", {}).get("name", ""))
    owner = tree.queues.get((victim.admission or {}).get("clusterQueue", ""))
    if preemptor is None or node is None or owner is None or owner is node or tree.has_cycle():
        return ""
    if len(node.quotas) != 1 or not is_modelled(state, preemptor, queue) or preemptor.admission:
        return ""
    policy = (queue["spec"].get("preemption") or {}).get("reclaimWithinCohort", "Never")
    if policy == "Never" or (policy == "LowerPriority" and priority_of(victim) >= priority_of(preemptor)):
        return "reclaimWithinCohort allows it (Q-252)"
    return _problem_of_share(state, snapshot, tree, (node, owner), (preemptor, preemption.victims, victim))


def _problem_of_share(
    state: State,
    snapshot: Snapshot,
    tree: Tree,
    nodes: tuple[Node, Node],
    workloads: tuple[WorkloadView, Sequence[WorkloadView], WorkloadView],
) -> str:
    (node, owner), (preemptor, victims, victim) = nodes, workloads
    flavor = next(iter(node.quotas))
    needed = _least_request(state, preemptor, flavor)
    node.usage[flavor] = node.usage.get(flavor, 0) + needed
    if victim.condition("Preempted").get("reason") == RECLAMATION:
        is_own = node.usage[flavor] <= node.quotas[flavor].nominal
        return "" if is_own else "the preemptor stays within the quota of its ClusterQueue (QC-13)"
    mine, theirs = _sides(tree, node, owner)
    before = share_of(snapshot, tree, theirs)
    for gone in victims:
        # What it preempts on its own side makes room for its share, too.
        usage = tree.queues.get((gone.admission or {}).get("clusterQueue", ""), node).usage
        usage[flavor] = max(0, usage.get(flavor, 0) - cpu_usage(gone, flavor))
    # By either strategy the other side had more before: by the first one it is even left with as much.
    if share_of(snapshot, tree, mine) < before:
        return ""
    return "the share of the preemptor's side, with it, is less than that of the other side (Q-272)"


def _least_request(state: State, preemptor: WorkloadView, flavor: str) -> int:
    """Return the CPU of the fewest pods that may be admitted, in thousandths."""
    return sum(
        (pod_set.get("minCount") or pod_set["count"]) * amount(state, pod_set)
        for pod_set in pod_sets_of(state, preemptor)
        if suits(state, flavor, pod_set)
    )


def _sides(tree: Tree, node: Node, owner: Node) -> tuple[Node, Node]:
    """Return the nodes below the Cohort in which two ClusterQueues meet."""
    path = [node, *_ancestors(tree, node)]
    other = [owner, *_ancestors(tree, owner)]
    names = {item.name: place for place, item in enumerate(path) if place}
    for place, item in enumerate(other):
        if place and item.name in names:
            return path[names[item.name] - 1], other[place - 1]
    # Of two trees neither can lend the other anything.
    return node, Node(owner.name, owner.quotas)


def _ancestors(tree: Tree, node: Node) -> Iterator[Node]:
    while node.parent:
        node = tree.cohorts[node.parent]
        yield node

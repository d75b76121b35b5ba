"""What is allowed of preemption: which Workloads go for one that was just submitted (pure)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....base.numbers import moment
from ....stage.workloads.view import WorkloadView
from ..acts import Verb
from ..amounts import UNLIMITED, Node, Tree
from ..fitting import choices, cpu_usage, is_modelled, priority_of
from ..state import Contradiction, State
from .workload_write import WorkloadWrite


def victims(state: State) -> Iterator[Contradiction]:
    """Yield preemptions of other Workloads than the documents choose (Q-250…Q-269)."""
    preemptor = _preemptor(state)
    observed = frozenset(_victims_of(state, preemptor)) if preemptor else frozenset()
    if preemptor is None or not observed:
        return
    expected = None if state.is_fair else _Search(state, preemptor).victims()
    if expected is not None and expected != observed:
        yield _contradiction(preemptor, f"it preempts {', '.join(sorted(expected)) or 'none'}", observed)
    elif needless := sorted(_needless(state, preemptor, observed)):
        yield _contradiction(preemptor, f"it does not need that {', '.join(needless)} goes", observed)


def _contradiction(preemptor: WorkloadView, expected: str, observed: frozenset[str]) -> Contradiction:
    return Contradiction(
        statement="victims",
        name=f"Workload {preemptor.object['metadata']['name']}",
        expected=f"{expected} (Q-262…Q-269)",
        observed=f"it preempts {', '.join(sorted(observed))}",
    )


def _preemptor(state: State) -> WorkloadView | None:
    """Return the Workload that was just submitted and has quota; None where more has happened."""
    is_submitted = state.single_act is not None and state.single_act.verb is Verb.SUBMIT
    if not is_submitted or state.is_blocked or not state.holds("0.19"):
        return None
    new = [workload for workload in state.snapshot.workloads() if not state.earlier(workload).object]
    # What gives way may preempt in its turn, which the message says.
    if len(new) != 1 or not new[0].is_true("QuotaReserved"):
        return None
    # What preempts for some of its pods may be admitted with all of them.
    is_partial = any("minCount" in pod_set for pod_set in new[0].object["spec"]["podSets"])
    return None if is_partial else new[0]


def _needless(state: State, preemptor: WorkloadView, observed: frozenset[str]) -> Iterator[str]:
    """Yield victims without which the others make enough room, in a queue of one flavor and trees of any
    depth: what was taken away is put back where it can be (Q-269).
    """
    tree, queue = Tree(state.before), state.queue_of(preemptor)
    node = tree.queues.get(queue.get("metadata", {}).get("name", ""))
    if node is None or len(node.quotas) != 1 or tree.has_cycle() or not _has_one_decision(state, preemptor):
        return
    if not is_modelled(state, preemptor, queue):
        return
    flavor = next(iter(node.quotas))
    needed = max((amounts[flavor] for _, amounts in choices(state, preemptor, node.quotas)), default=0)
    gone = [item for item in state.before.workloads() if item.object["metadata"]["name"] in observed]
    for victim in gone:
        tree = Tree(state.before)
        node = tree.queues[node.name]
        for other in gone:
            usage = tree.queues[_queue_name(other)].usage
            usage[flavor] = usage.get(flavor, 0) - (cpu_usage(other, flavor) if other is not victim else 0)
        # Without fair sharing it may have been looked for what fits without borrowing.
        is_own = state.is_fair or node.usage.get(flavor, 0) + needed <= node.quotas[flavor].nominal
        if needed and needed <= tree.free(node, flavor) and (is_own or not node.parent):
            yield str(victim.object["metadata"]["name"])


def _has_one_decision(state: State, preemptor: WorkloadView) -> bool:
    """Tell whether nothing got quota since the rest before until the preemptor did, and nothing was on its
    way out then: of several decisions each has victims of its own.
    """
    first = next(
        (
            change.name
            for change in state.changes
            if change.kind == "Workload"
            and change.after
            and WorkloadView(change.after).is_true("QuotaReserved")
            and not WorkloadView(change.before or {}).is_true("QuotaReserved")
        ),
        "",
    )
    is_leaving = any(item.is_true("Evicted") and item.admission for item in state.before.workloads())
    return not is_leaving and first == preemptor.object["metadata"]["name"]


def _victims_of(state: State, preemptor: WorkloadView) -> Iterator[str]:
    uid = str(preemptor.object["metadata"]["uid"])
    for change in state.changes:
        if change.kind == "Workload" and change.before and change.after:
            write = WorkloadWrite(state, WorkloadView(change.before), WorkloadView(change.after))
            evicted = write.after.condition("Evicted")
            if write.is_eviction and f"UID: {uid}" in evicted.get("message", ""):
                yield change.name


class _Search:
    """Looks for the Workloads that have to go, in a queue of one flavor, alone or in a Cohort at the root."""

    def __init__(self, state: State, preemptor: WorkloadView) -> None:
        self._state = state
        self._preemptor = preemptor
        self._queue = state.queue_of(preemptor)
        self._policies = self._queue.get("spec", {}).get("preemption") or {}
        self._tree = Tree(state.before)

    def victims(self) -> frozenset[str] | None:
        """Return their names; None where the documents leave it open, or more decides."""
        node = self._tree.queues.get(self._queue.get("metadata", {}).get("name", ""))
        if (
            node is None
            or not is_modelled(self._state, self._preemptor, self._queue)
            or not self._is_simple(node)
        ):
            return None
        flavor = next(iter(node.quotas))
        needed = [amounts[flavor] for _, amounts in choices(self._state, self._preemptor, node.quotas)]
        candidates = sorted(self._candidates(node, flavor), key=_key)
        if not needed or any(item.is_true("Evicted") for item in candidates):
            return None
        return self._search(node, flavor, needed[0], candidates)

    def _is_simple(self, node: Node) -> bool:
        """Tell whether the rules of one level decide: one flavor, no limits, all of the queues in one Cohort,
        and no preemption for borrowed quota.
        """
        borrows = (self._policies.get("borrowWithinCohort") or {}).get("policy", "Never")
        if self._tree.has_cycle() or len(node.quotas) != 1 or borrows != "Never":
            return False
        if not node.parent:
            return True
        cohort = self._tree.cohorts[node.parent]
        members = [*self._tree.children(cohort.name)]
        is_flat = not cohort.parent and not any(member.name in self._tree.cohorts for member in members)
        quotas = [quota for member in members for quota in member.quotas.values()]
        return is_flat and all(quota.lending_limit == quota.borrowing_limit == UNLIMITED for quota in quotas)

    def _candidates(self, node: Node, flavor: str) -> Iterator[WorkloadView]:
        """Yield what the policies let go: of the queue, and of those that borrow."""
        within = self._policies.get("withinClusterQueue", "Never")
        reclaim = self._policies.get("reclaimWithinCohort", "Never") if node.parent else "Never"
        for workload in self._state.before.workloads():
            if not workload.admission or workload.is_true("Finished") or not cpu_usage(workload, flavor):
                continue
            is_lower = priority_of(workload) < priority_of(self._preemptor)
            owner = self._tree.queues.get(workload.admission["clusterQueue"])
            if owner is node:
                # A new Workload is older than none, so that equals stay.
                is_candidate = within != "Never" and is_lower
            else:
                is_member = owner is not None and owner.parent == node.parent and _borrows(owner, flavor)
                is_candidate = is_member and (reclaim == "Any" or (reclaim == "LowerPriority" and is_lower))
            if is_candidate:
                yield workload

    def _search(
        self, node: Node, flavor: str, needed: int, candidates: Sequence[WorkloadView]
    ) -> frozenset[str] | None:
        """Return who goes: others than those of its own queue first, and none that is not needed."""
        # Those of other ClusterQueues go before its own, whatever their priorities.
        own = [item for item in candidates if _queue_name(item) == node.name]
        others = [item for item in candidates if _queue_name(item) != node.name]
        nominal = node.quotas[flavor].nominal
        is_own_quota = nominal >= node.usage.get(flavor, 0) + needed
        if not others or (not is_own_quota and nominal <= node.usage.get(flavor, 0)):
            attempts = [True]
        else:
            attempts = [True, False] if is_own_quota else [False, True]
        for may_borrow in attempts:
            # Without a right to its own quota it takes nothing back in order to borrow.
            allowed = [*(others if is_own_quota or not may_borrow else ()), *own]
            if gone := self._remove(node, flavor, needed, allowed, may_borrow=may_borrow):
                return frozenset(str(item.object["metadata"]["name"]) for item in gone)
        return None

    def _remove(
        self, node: Node, flavor: str, needed: int, candidates: Sequence[WorkloadView], *, may_borrow: bool
    ) -> Sequence[WorkloadView]:
        tree = Tree(self._state.before)
        current = tree.queues[node.name]

        def fits() -> bool:
            is_enough = needed <= tree.free(current, flavor)
            within = current.usage.get(flavor, 0) + needed <= current.quotas[flavor].nominal
            return is_enough and (may_borrow or within or not current.parent)

        def change(workload: WorkloadView, sign: int) -> None:
            usage = tree.queues[_queue_name(workload)].usage
            usage[flavor] = usage.get(flavor, 0) + sign * cpu_usage(workload, flavor)

        gone: list[WorkloadView] = []
        for candidate in candidates:
            owner = tree.queues[_queue_name(candidate)]
            # Behind earlier victims its ClusterQueue may borrow no more.
            if owner is not current and not _borrows(owner, flavor):
                continue
            change(candidate, -1)
            gone.append(candidate)
            if fits():
                break
        else:
            return ()
        # The last one made room, and always goes.
        for candidate in reversed(gone[:-1]):
            change(candidate, 1)
            if fits():
                gone.remove(candidate)
            else:
                change(candidate, -1)
        return gone


def _queue_name(workload: WorkloadView) -> str:
    return str((workload.admission or {}).get("clusterQueue", ""))


def _borrows(node: Node, flavor: str) -> bool:
    quota = node.quotas.get(flavor)
    return node.usage.get(flavor, 0) > (quota.nominal if quota else 0)


def _key(workload: WorkloadView) -> tuple[int, float, str]:
    """Return what orders candidates: the lowest priority first, of equals the newest reservation, and of what
    got quota in one second the UID.
    """
    reserved_at = moment(str(workload.condition("QuotaReserved").get("lastTransitionTime", "")))
    return priority_of(workload), -reserved_at, str(workload.object["metadata"]["uid"])

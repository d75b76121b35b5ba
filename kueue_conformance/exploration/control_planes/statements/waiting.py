"""What is allowed of Workloads that wait: free quota, victims of preemption, and their order (pure)."""

from __future__ import annotations

from collections.abc import Iterator

from ....base.json_types import Json
from ....stage.workloads.view import WorkloadView
from ..amounts import Tree
from ..fitting import can_preempt, fitting_flavors, is_modelled, pod_sets_of, priority_of
from ..state import State, is_deleted

STRICT = "StrictFIFO"
_MOVES_BACK = ("AdmissionCheck", "PodsReadyTimeout", "Preempted")
"""Reasons of an eviction behind which a Workload may be in another place of its queue (Q-006)."""


def progress(state: State, workload: WorkloadView) -> Iterator[tuple[str, str]]:
    """Nothing waits for quota that is free for it, where no other order has to be kept."""
    queue = state.queue_of(workload)
    # With fair sharing a queue of the Cohort that may not have more can be tried first, again and again.
    is_shared = state.is_fair and bool(queue.get("spec", {}).get("cohortName"))
    is_excused = state.is_blocked or state.has_forgotten_quota or is_shared
    if is_excused or not state.is_waiting(workload) or not is_modelled(state, workload, queue):
        return
    if queue["spec"].get("queueingStrategy") == STRICT and any(_before(state, workload)):
        return
    if _is_reserved_for_a_preemptor(state, queue):
        return
    if flavors := fitting_flavors(state, workload, queue):
        names = ", ".join(filter(None, flavors))
        yield (
            f"it has quota: {f'{names} has enough that is free' if names else 'it requests nothing'}",
            "it waits",
        )
    elif state.has_lowered_priority or _is_leaving(state):
        return
    elif can_preempt(state, workload, queue):
        yield "it has quota: the policies of its ClusterQueue let it preempt enough", "it waits"


def _is_leaving(state: State) -> bool:
    """Tell whether the pods of something evicted have not ended: its quota comes free later."""
    return any(other.is_true("Evicted") and not other.holds_nothing for other in state.snapshot.workloads())


def _is_reserved_for_a_preemptor(state: State, queue: Json) -> bool:
    """Tell whether the head of another StrictFIFO queue of the tree, which may preempt and finds no victims,
    holds what is free in each pass: nothing else gets it then (Q-203).
    """
    tree = Tree(state.snapshot)
    root = tree.root(queue["metadata"]["name"])
    return bool(root) and any(
        (
            state.is_fair
            or (other["spec"].get("queueingStrategy") == STRICT and other["spec"].get("preemption"))
        )
        and other["metadata"]["name"] != queue["metadata"]["name"]
        and tree.root(other["metadata"]["name"]) == root
        for other in map(state.queue_of, filter(state.is_waiting, state.snapshot.workloads()))
    )


def _before(state: State, workload: WorkloadView) -> Iterator[WorkloadView]:
    """Yield what may come before a Workload in its ClusterQueue, whether or not it can be tried."""
    queue = state.queue_of(workload)
    for other in state.snapshot.workloads():
        if other.holds_nothing and state.queue_of(other) == queue and not other.is_true("Finished"):
            is_itself = other.object["metadata"]["name"] == workload.object["metadata"]["name"]
            if not is_itself and other.active and not _precedes(workload, other):
                yield other


def _precedes(first: WorkloadView, second: WorkloadView) -> bool:
    """Tell whether a Workload is certainly before another one: by priority, or by a creation a second
    earlier (Q-006, Q-020).
    """
    if priority_of(first) != priority_of(second):
        return priority_of(first) > priority_of(second)
    if any(workload.condition("Evicted").get("reason") in _MOVES_BACK for workload in (first, second)):
        return False
    created = [str(workload.object["metadata"].get("creationTimestamp", "")) for workload in (first, second)]
    return bool(created[0]) and created[0] < created[1]


def order(state: State, workload: WorkloadView) -> Iterator[tuple[str, str]]:
    """Nothing has got quota before another Workload that precedes it in the ClusterQueue, waited at the rest
    before and waits still: in a StrictFIFO queue, or where both need the same.
    """
    queue = state.queue_of(workload)
    earlier = state.earlier(workload)
    if workload.holds_nothing or not earlier.holds_nothing or not queue or state.acts > 1:
        return
    if is_deleted(queue) or not state.is_unchanged("ClusterQueue", queue["metadata"]["name"]):
        return
    if earlier.object and _is_changed(state, workload):
        return
    for other in state.snapshot.workloads():
        if state.queue_of(other) == queue and _has_waited(state, other) and _precedes(other, workload):
            is_strict = queue["spec"].get("queueingStrategy") == STRICT
            if is_strict or _needs_the_same(state, other, workload):
                name = other.object["metadata"]["name"]
                yield f"Workload {name} comes first: it precedes this one, and waits", "it has got quota"


def _has_waited(state: State, workload: WorkloadView) -> bool:
    """Tell whether a Workload waits, and did so at the rest before, unchanged as its queue is."""
    before = State(state.before, facts=state.facts, time=state.since)
    earlier = state.earlier(workload)
    if not earlier.object or _is_changed(state, workload):
        return False
    return state.is_waiting(workload) and before.is_waiting(earlier)


def _is_changed(state: State, workload: WorkloadView) -> bool:
    """Tell whether a Workload or its LocalQueue has been changed since the rest before."""
    metadata, spec = workload.object["metadata"], workload.object["spec"]
    return not (
        state.is_unchanged("Workload", metadata["name"])
        and state.is_unchanged("LocalQueue", spec.get("queueName", ""))
    )


def _needs_the_same(state: State, first: WorkloadView, second: WorkloadView) -> bool:
    return _shape(state, first) == _shape(state, second)


def _shape(state: State, workload: WorkloadView) -> list[tuple[Json, int, int]]:
    """Return what decides where pods can run, and how many there are."""
    return [
        (pod_set["template"]["spec"], pod_set["count"], pod_set.get("minCount", 0))
        for pod_set in pod_sets_of(state, workload)
    ]

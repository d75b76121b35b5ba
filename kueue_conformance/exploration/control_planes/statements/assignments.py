"""What is allowed of new reservations: their counts and amounts, and which flavor they get (pure)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ....base.json_types import Json
from ....stage.workloads.view import WorkloadView
from .. import pods
from ..acts import Verb
from ..amounts import Node, Tree, milli
from ..fitting import amount, choices, is_modelled, needs_flavor, pod_sets_of
from ..state import State

_ADDING = ("LimitRange", "RuntimeClass")


def amounts(state: State, workload: WorkloadView) -> Iterator[tuple[str, str]]:
    """A new reservation says how many pods it is for, and what they request together (Q-081…Q-088)."""
    if not workload.admission or not state.earlier(workload).holds_nothing:
        return
    if state.single_act is None and not _has_same_defaults(state):
        return  # What is added to pods may have changed since.
    for pod_set in pod_sets_of(state, workload):
        assignment = _assignment_of(workload, pod_set["name"])
        spec = pod_set["template"]["spec"]
        if not assignment or not pods.is_amount_modelled(spec):
            continue
        count = int(assignment.get("count", 0))
        least, most = _counts(workload, pod_set)
        if not least <= count <= most:
            yield f"{pod_set['name']} is reserved for {least} to {most} pods", f"for {count}"
        for resource, flavor in assignment.get("flavors", {}).items():
            each = 1000 if resource == "pods" else amount(state, pod_set, resource)
            used = milli(assignment.get("resourceUsage", {}).get(resource, "0"))
            if used != count * each:
                yield (
                    f"{pod_set['name']} has {count * each} thousandths of {resource} of {flavor}",
                    f"it has {used}",
                )


def _has_same_defaults(state: State) -> bool:
    """Tell whether what a namespace and RuntimeClasses add to pods is as at the rest before."""
    return all(state.before.objects[kind] == state.snapshot.objects[kind] for kind in _ADDING)


def _assignment_of(workload: WorkloadView, pod_set: str) -> Mapping[str, Any]:
    assignments = (workload.admission or {}).get("podSetAssignments", ())
    return next((item for item in assignments if item["name"] == pod_set), {})


def _counts(workload: WorkloadView, pod_set: Json) -> tuple[int, int]:
    """Return how few and how many pods of a pod set can be admitted: those that have ended count no more."""
    ended = {item["name"]: item["count"] for item in workload.status.get("reclaimablePods") or ()}
    most = max(0, pod_set["count"] - ended.get(pod_set["name"], 0))
    # How pods that have ended and a minimum come together is not documented.
    is_certain = "minCount" not in pod_set and not ended
    return (most if is_certain else 0), (most if is_certain else pod_set["count"])


def first_flavor(state: State, workload: WorkloadView) -> Iterator[tuple[str, str]]:
    """A Workload that was just submitted gets the first flavor that has enough: without borrowing, where its
    ClusterQueue tries the next flavor before it borrows (Q-166, Q-172).
    """
    queue = state.queue_of(workload)
    is_submitted = state.single_act is not None and state.single_act.verb is Verb.SUBMIT
    if not is_submitted or not workload.admission or state.earlier(workload).object:
        return
    is_alone = _holders(state, before=False) - _holders(state, before=True) == {
        workload.object["metadata"]["name"]
    } and _holders(state, before=True) <= _holders(state, before=False)
    pod_sets = pod_sets_of(state, workload)
    if not is_alone or len(pod_sets) > 1 or not is_modelled(state, workload, queue):
        return
    # With fewer pods another flavor may have enough.
    if pod_sets[0].get("minCount") or not needs_flavor(state, pod_sets[0]):
        return
    # Nothing has given quota back since the rest before, so that its state is that of the decision.
    tree = Tree(state.before)
    if tree.has_cycle() or queue["metadata"]["name"] not in tree.queues:
        return
    node = tree.queues[queue["metadata"]["name"]]
    fitting = [
        (flavors[0], _borrows(node, flavors[0], needed[flavors[0]]))
        for flavors, needed in choices(state, workload, node.quotas)
        if needed[flavors[0]] <= tree.free(node, flavors[0])
    ]
    flavor = _assignment_of(workload, pod_sets[0]["name"]).get("flavors", {}).get("cpu")
    if fitting and flavor and (expected := _first_choice(queue, tree, node, fitting)) not in (flavor, ""):
        yield f"it gets {expected}, the first flavor that has enough", f"it has {flavor}"


def _first_choice(queue: Json, tree: Tree, node: Node, fitting: list[tuple[str, bool]]) -> str:
    """Return the flavor of the first choice; empty where several Cohorts make it uncertain."""
    goes_on = (queue["spec"].get("flavorFungibility") or {}).get("whenCanBorrow") == "TryNextFlavor"
    within = [flavor for flavor, borrows in fitting if not borrows]
    if not goes_on:
        return fitting[0][0]
    if within:
        return within[0]
    # The nearest Cohort that has enough counts more than the order of flavors.
    is_flat = not node.parent or not tree.cohorts[node.parent].parent
    return fitting[0][0] if is_flat else ""


def _borrows(node: Node, flavor: str, needed: int) -> bool:
    return needed > node.quotas[flavor].nominal - node.usage.get(flavor, 0)


def _holders(state: State, *, before: bool) -> set[str]:
    snapshot = state.before if before else state.snapshot
    return {
        workload.object["metadata"]["name"]
        for workload in snapshot.workloads()
        if not workload.holds_nothing and not workload.is_true("Finished")
    }

"""What is allowed of the lists of pending Workloads: who is in them, their order, positions and pages (pure).

The documents do not say whether a Workload is listed while its delay runs, or behind a LocalQueue that is
stopped (VIS-507, VIS-509): such a one may be listed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from ....base.json_types import Json
from ....rules.workload import queue_order
from ....stage.workloads.view import WorkloadView
from ..pending_lists import LIMIT, OFFSET, PendingList
from ..state import STOPPED, Contradiction, State, is_deleted

_NOT_FOUND = 404


def pending(state: State) -> Iterator[Contradiction]:
    """Yield lists of pending Workloads that are not those of the objects."""
    if not state.holds("0.19"):
        return
    for (kind, name), listed in state.lists.items():
        queue = state.snapshot.get(kind, name)
        if queue and is_deleted(queue):
            continue
        find = _code(kind, queue, listed) if listed.code != 200 else _content(state, kind, name, listed)
        for statement, expected, observed in find:
            yield Contradiction(
                statement=f"pending-{statement}",
                name=f"the list of pending Workloads of {kind} {name}",
                expected=expected,
                observed=observed,
            )
        # Kueue forgets a LocalQueue that is stopped, although the object is there.
        if kind == "LocalQueue" and listed.code == 200 and _is_stopped(queue):
            yield Contradiction(
                statement="pending-code",
                name=f"the list of pending Workloads of LocalQueue {name}",
                expected="it is not found, as the queue is stopped or gone (VIS-104, VIS-107)",
                observed="it is there",
            )


def _is_stopped(queue: Json) -> bool:
    return not queue or queue["spec"].get("stopPolicy", "None") in STOPPED


def _code(kind: str, queue: Json, listed: PendingList) -> Iterator[tuple[str, str, str]]:
    is_hidden = not queue or (kind == "LocalQueue" and _is_stopped(queue))
    if not is_hidden or listed.code != _NOT_FOUND:
        expected = _NOT_FOUND if is_hidden else 200
        yield "code", f"the answer is {expected} (VIS-101…VIS-107)", f"it is {listed.code}"


def _content(state: State, kind: str, name: str, listed: PendingList) -> Iterator[tuple[str, str, str]]:
    queue = state.snapshot.get(kind, name)
    if not queue:
        yield "code", "the answer is 404 (VIS-103, VIS-104)", "it is 200"
        return
    names = [item["metadata"]["name"] for item in listed.items]
    by_name = {workload.object["metadata"]["name"]: workload for workload in state.snapshot.workloads()}
    certain = {name for name, workload in by_name.items() if _is_of(state, kind, queue, workload)}
    possible = {name for name, workload in by_name.items() if not _is_out(workload)}
    if missing := certain - {*names}:
        yield "members", f"{', '.join(sorted(missing))} is listed (VIS-501, VIS-502)", f"{names} are"
    if extra := {*names} - possible:
        yield "members", f"{', '.join(sorted(extra))} is not listed (VIS-505, VIS-506)", f"{names} are"
    if len({*names}) != len(names):
        yield "members", "no Workload is listed twice (VIS-530)", f"{names} are"
    in_order = [by_name[name] for name in names if name in by_name]
    yield from _order(queue if kind == "ClusterQueue" else {}, in_order)
    yield from _positions(kind, listed.items)
    if listed.items[OFFSET : OFFSET + LIMIT] != listed.page:
        yield "page", f"a page has the items {OFFSET} to {OFFSET + LIMIT - 1} (VIS-524)", f"{listed.page}"
    for item in listed.items:
        if item["metadata"]["name"] in by_name:
            yield from _fields(item, by_name[item["metadata"]["name"]].object)


def _is_of(state: State, kind: str, queue: Json, workload: WorkloadView) -> bool:
    """Tell whether a Workload certainly waits in a queue."""
    local = state.local_queue(workload)
    if not local or _is_stopped(local) or is_deleted(local) or _is_out(workload):
        return False
    # Kueue may put it back into its queue at once, or only when the delay is over.
    is_delayed = state.is_delayed(workload) or workload.condition("Requeued").get("status") == "False"
    named = local["spec"].get("clusterQueue") if kind == "ClusterQueue" else local["metadata"]["name"]
    is_known = bool(state.snapshot.get("ClusterQueue", local["spec"].get("clusterQueue", "")))
    return bool(named == queue["metadata"]["name"]) and is_known and not is_delayed


def _is_out(workload: WorkloadView) -> bool:
    """Tell whether a Workload certainly waits for no quota."""
    return workload.is_true("QuotaReserved") or workload.is_true("Finished") or not workload.active


def _order(queue: Json, listed: Sequence[WorkloadView]) -> Iterator[tuple[str, str, str]]:
    """Priorities order, then times, then UIDs; what preempts may come first (VIS-512a…VIS-512e)."""
    # The time of a creation has whole seconds, so that UIDs decide often.
    keys = [queue_order(workload.object) for workload in listed]
    # The scheduler puts what preempts first as long as victims go, also before higher priorities.
    is_sticky = bool(queue.get("spec", {}).get("preemption")) or not queue
    first = 1 if is_sticky and keys != sorted(keys) else 0
    if keys[first:] != sorted(keys[first:]):
        yield "order", f"the order is that of {sorted(keys)} (VIS-512a…VIS-512e)", f"it is {keys}"


def _positions(kind: str, items: Sequence[Json]) -> Iterator[tuple[str, str, str]]:
    """Positions count from 0, in the whole queue and in each LocalQueue (VIS-520, VIS-521)."""
    counts: dict[str, int] = {}
    for index, item in enumerate(items):
        local = counts.setdefault(item["localQueueName"], 0)
        counts[item["localQueueName"]] += 1
        if item["positionInLocalQueue"] != local:
            yield "positions", f"positionInLocalQueue of item {index} is {local} (VIS-521)", f"{item}"
        if kind == "ClusterQueue" and item["positionInClusterQueue"] != index:
            yield "positions", f"positionInClusterQueue of item {index} is {index} (VIS-520)", f"{item}"


_FIELDS: Mapping[str, tuple[str, Callable[[Json], object]]] = {
    "priority": ("VIS-205", lambda workload: workload["spec"].get("priority") or 0),
    "localQueueName": ("VIS-206", lambda workload: workload["spec"].get("queueName")),
}
_METADATA = ("name", "namespace", "creationTimestamp", "ownerReferences")
_OWNER = ("apiVersion", "kind", "name", "uid")


def _fields(item: Json, workload: Json) -> Iterator[tuple[str, str, str]]:
    """An item has the fields of its Workload (VIS-202…VIS-206)."""
    for field, (row, value) in _FIELDS.items():
        if item.get(field) != value(workload):
            yield "fields", f"{field} is {value(workload)!r} ({row})", f"it is {item.get(field)!r}"
    metadata = {key: value for key, value in workload["metadata"].items() if key in _METADATA and value}
    if "ownerReferences" in metadata:
        metadata["ownerReferences"] = [
            {key: owner[key] for key in _OWNER if key in owner} for owner in metadata["ownerReferences"]
        ]
    if item["metadata"] != metadata:
        yield "fields", f"metadata is {metadata} (VIS-203, VIS-204)", f"it is {item['metadata']}"


def counts(state: State) -> Iterator[Contradiction]:
    """Yield queues whose status counts other pending Workloads than are listed (Q-370, Q-377)."""
    for (kind, name), listed in state.lists.items():
        queue = state.snapshot.get(kind, name)
        counted = (queue.get("status") or {}).get("pendingWorkloads", 0)
        is_judged = queue and state.holds("0.19") and _is_counted(state, kind, queue)
        if is_judged and counted != len(listed.items):
            yield Contradiction(
                statement="pending-counts",
                name=f"{kind} {name}",
                expected=f"pendingWorkloads is {len(listed.items)}, as many as are listed",
                observed=f"it is {counted}",
            )


def _is_counted(state: State, kind: str, queue: Json) -> bool:
    """Tell whether a queue counts anew: a ClusterQueue whose LocalQueues run, or a LocalQueue of one that is
    there.
    """
    if kind == "ClusterQueue":
        # What leaves with a LocalQueue is counted at the next look at the ClusterQueue.
        return not any(map(_is_stopped, map(state.local_queue, state.snapshot.workloads())))
    cluster_queue = state.snapshot.get("ClusterQueue", queue["spec"].get("clusterQueue", ""))
    return bool(cluster_queue) and not is_deleted(cluster_queue)

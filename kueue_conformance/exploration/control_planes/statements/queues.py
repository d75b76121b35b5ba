"""What is allowed of queues: whether they are Active, and why not (pure)."""

from __future__ import annotations

from collections.abc import Iterator

from ....base.json_types import Json
from ..amounts import Tree
from ..state import STOPPED, Contradiction, State, active_of, is_deleted

FINALIZER = "kueue.x-k8s.io/resource-in-use"
_GUARDED = ("AdmissionCheck", "ResourceFlavor", "ClusterQueue")


def queues(state: State) -> Iterator[Contradiction]:
    """Yield queues whose Active condition is not as their objects are."""
    for name, queue in sorted(state.snapshot.objects["ClusterQueue"].items()):
        if expected := _cluster_queue(state, queue):
            yield from _compare(f"ClusterQueue {name}", queue, expected)
    for name, queue in sorted(state.snapshot.objects["LocalQueue"].items()):
        if not is_deleted(queue):
            yield from _compare(f"LocalQueue {name}", queue, _local_queue(state, queue))


def _compare(name: str, queue: Json, expected: str) -> Iterator[Contradiction]:
    condition = active_of(queue)
    status = "True" if expected == "Ready" else "False"
    if (condition.get("status"), condition.get("reason")) != (status, expected):
        yield Contradiction(
            statement="active",
            name=name,
            expected=f"Active is {status} ({expected})",
            observed=f"it is {condition.get('status')} ({condition.get('reason', '')})",
        )


def _cluster_queue(state: State, queue: Json) -> str:
    """Return the reason of the Active condition; empty where it is not modelled (AC-410…AC-421)."""
    if is_deleted(queue):
        return "Terminating"
    spec = queue["spec"]
    if spec.get("stopPolicy", "None") in STOPPED:
        return "Stopped"
    flavors = [flavor["name"] for group in spec.get("resourceGroups") or () for flavor in group["flavors"]]
    strategy = spec.get("admissionChecksStrategy") or {}
    checks = [check["name"] for check in strategy.get("admissionChecks", ())]
    guarded = [state.snapshot.get("ResourceFlavor", name) for name in flavors]
    required = [state.snapshot.get("AdmissionCheck", name) for name in checks]
    reasons = state.facts.get("check-problem-reasons")
    if not reasons or any(stored and is_deleted(stored) for stored in (*guarded, *required)):
        return ""
    if not all(guarded):
        return "FlavorNotFound"
    if not all(required):
        return str(reasons[0])
    if any(active_of(check).get("status") != "True" for check in required):
        return str(reasons[1])
    return "" if Tree(state.snapshot).has_cycle() else "Ready"


def _local_queue(state: State, queue: Json) -> str:
    """Return the reason of the Active condition (AC-435…AC-438)."""
    if queue["spec"].get("stopPolicy", "None") in STOPPED:
        return "Stopped"
    cluster_queue = state.snapshot.get("ClusterQueue", queue["spec"].get("clusterQueue", ""))
    if not cluster_queue:
        return "ClusterQueueDoesNotExist"
    return "Ready" if active_of(cluster_queue).get("status") == "True" else "ClusterQueueIsInactive"


def guards(state: State) -> Iterator[Contradiction]:
    """Yield checks, flavors and ClusterQueues that nothing guards while they are in use, and those that go on
    without a user (AC-400, AC-401, AC-407, AC-427).
    """
    used = _references(state)
    for kind in _GUARDED:
        for name, stored in sorted(state.snapshot.objects[kind].items()):
            has_finalizer = FINALIZER in stored["metadata"].get("finalizers", ())
            if is_deleted(stored) and has_finalizer and name not in used[kind]:
                yield Contradiction(
                    statement="finalizers",
                    name=f"{kind} {name}",
                    expected="it is gone: it was deleted, and nothing uses it",
                    observed="Kueue's finalizer holds it",
                )
            if not has_finalizer:
                yield Contradiction(
                    statement="finalizers",
                    name=f"{kind} {name}",
                    expected="it has Kueue's finalizer",
                    observed=f"it has {stored['metadata'].get('finalizers', [])}",
                )


def _references(state: State) -> dict[str, set[str]]:
    """Return the names that ClusterQueues and Workloads refer to, by kind."""
    used: dict[str, set[str]] = {kind: set() for kind in _GUARDED}
    for queue in state.snapshot.objects["ClusterQueue"].values():
        spec = queue["spec"]
        for group in spec.get("resourceGroups") or ():
            used["ResourceFlavor"] |= {flavor["name"] for flavor in group["flavors"]}
        strategy = spec.get("admissionChecksStrategy") or {}
        used["AdmissionCheck"] |= {check["name"] for check in strategy.get("admissionChecks", ())}
    for workload in state.snapshot.workloads():
        used["ClusterQueue"].add((workload.admission or {}).get("clusterQueue", ""))
    return used

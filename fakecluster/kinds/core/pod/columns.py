"""The columns of Pod (FK-425)."""

from __future__ import annotations

from msgspec import Struct

from ....api.kind import Column
from ....base.json_types import Json
from ....codec import ages
from ....codec.cells import AGE, NONE, column, condition, member


class _Seen(Struct):
    """What the statuses of a pod's containers come to."""

    reason: str
    ready: int = 0
    restarts: int = 0
    last: str = ""
    initializing: bool = False

    def restarted(self, one: Json) -> None:
        """Count the restarts of a container."""
        self.restarts += one.get("restartCount", 0)
        self.last = max(self.last, member("lastState", "terminated", "finishedAt")(one))


def _statuses(pod: Json, name: str = "containerStatuses") -> list[Json]:
    return list(member("status", name, default=())(pod))


def _sidecars(pod: Json) -> set[str]:
    found = member("spec", "initContainers", default=())(pod)
    return {one["name"] for one in found if one.get("restartPolicy") == "Always"}


def _seen(pod: Json) -> _Seen:
    gated = condition(pod, "PodScheduled").get("reason") == "SchedulingGated"
    told = member("status", "reason")(pod) or member("status", "phase")(pod)
    seen = _Seen("SchedulingGated" if gated else told)
    _initializing(pod, seen)
    if seen.initializing and condition(pod, "Initialized").get("status") != "True":
        return seen
    seen.restarts, seen.last = 0, ""
    for one in _statuses(pod, "initContainerStatuses"):
        if one["name"] in _sidecars(pod):
            seen.restarted(one)
    _of_containers(pod, seen)
    return seen


def _initializing(pod: Json, seen: _Seen) -> None:
    total = len(member("spec", "initContainers", default=())(pod))
    for index, one in enumerate(_statuses(pod, "initContainerStatuses")):
        seen.restarted(one)
        state = one.get("state") or {}
        ended = state.get("terminated")
        if ended is not None and ended.get("exitCode") == 0:
            continue
        if one["name"] in _sidecars(pod) and one.get("started"):
            seen.ready += bool(one.get("ready"))
            continue
        waiting = (state.get("waiting") or {}).get("reason", "")
        word = waiting if waiting != "PodInitializing" else ""
        seen.reason = f"Init:{_termination(ended) if ended is not None else word or f'{index}/{total}'}"
        seen.initializing = True
        return


def _of_containers(pod: Json, seen: _Seen) -> None:
    running = False
    for one in reversed(_statuses(pod)):
        seen.restarted(one)
        state = one.get("state") or {}
        if waiting := (state.get("waiting") or {}).get("reason"):
            seen.reason = waiting
        elif (ended := state.get("terminated")) is not None:
            seen.reason = _termination(ended)
        elif one.get("ready") and state.get("running") is not None:
            running = True
            seen.ready += 1
    if seen.reason == "Completed" and running:
        seen.reason = "Running" if condition(pod, "Ready").get("status") == "True" else "NotReady"


def _ready(pod: Json) -> str:
    total = len(member("spec", "containers", default=())(pod)) + len(_sidecars(pod))
    return f"{_seen(pod).ready}/{total}"


def _reason(pod: Json) -> str:
    """Return the word that says best how the pod is."""
    if "deletionTimestamp" in pod["metadata"]:
        if member("status", "reason")(pod) == "NodeLost":
            return "Unknown"
        if member("status", "phase")(pod) not in {"Succeeded", "Failed"}:
            return "Terminating"
    return _seen(pod).reason


def _termination(ended: Json) -> str:
    if ended.get("reason"):
        return str(ended["reason"])
    return f"Signal:{ended['signal']}" if ended.get("signal") else f"ExitCode:{ended.get('exitCode', 0)}"


def _restarts(pod: Json, now: float) -> str:
    seen = _seen(pod)
    return (
        f"{seen.restarts} ({ages.since(seen.last, now)} ago)"
        if seen.restarts and seen.last
        else str(seen.restarts)
    )


def _gates(pod: Json) -> str:
    gates = member("spec", "readinessGates", default=())(pod)
    true = sum(condition(pod, one["conditionType"]).get("status") == "True" for one in gates)
    return f"{true}/{len(gates)}" if gates else NONE


POD = (
    column("Ready", _ready),
    column("Status", _reason),
    Column(name="Restarts", cell=_restarts),
    AGE,
    column("IP", lambda pod: member("status", "podIP")(pod) or NONE, wide=True),
    column("Node", lambda pod: member("spec", "nodeName")(pod) or NONE, wide=True),
    column("Nominated Node", lambda pod: member("status", "nominatedNodeName")(pod) or NONE, wide=True),
    column("Readiness Gates", _gates, wide=True),
)

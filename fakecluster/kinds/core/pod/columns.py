"""The columns of Pod (FK-425)."""

from __future__ import annotations

from msgspec import Struct

from ....api.kind import Column
from ....base.json_types import Json
from ....codec import ages
from ....codec.cells import AGE, NONE, column, condition, member


class _ContainerSummary(Struct):
    """What the statuses of a pod's containers come to."""

    reason: str
    ready: int = 0
    restarts: int = 0
    last: str = ""
    initializing: bool = False

    def count_restarts(self, container_status: Json) -> None:
        """Count the restarts of a container."""
        self.restarts += container_status.get("restartCount", 0)
        self.last = max(self.last, member("lastState", "terminated", "finishedAt")(container_status))


def _statuses(pod: Json, name: str = "containerStatuses") -> list[Json]:
    return list(member("status", name, default=())(pod))


def _sidecars(pod: Json) -> set[str]:
    init_containers = member("spec", "initContainers", default=())(pod)
    return {container["name"] for container in init_containers if container.get("restartPolicy") == "Always"}


def _summarize(pod: Json) -> _ContainerSummary:
    gated = condition(pod, "PodScheduled").get("reason") == "SchedulingGated"
    reason = member("status", "reason")(pod) or member("status", "phase")(pod)
    summary = _ContainerSummary("SchedulingGated" if gated else reason)
    _initializing(pod, summary)
    if summary.initializing and condition(pod, "Initialized").get("status") != "True":
        return summary
    summary.restarts, summary.last = 0, ""
    for container_status in _statuses(pod, "initContainerStatuses"):
        if container_status["name"] in _sidecars(pod):
            summary.count_restarts(container_status)
    _of_containers(pod, summary)
    return summary


def _initializing(pod: Json, summary: _ContainerSummary) -> None:
    total = len(member("spec", "initContainers", default=())(pod))
    for index, container_status in enumerate(_statuses(pod, "initContainerStatuses")):
        summary.count_restarts(container_status)
        state = container_status.get("state") or {}
        ended = state.get("terminated")
        if ended is not None and ended.get("exitCode") == 0:
            continue
        if container_status["name"] in _sidecars(pod) and container_status.get("started"):
            summary.ready += bool(container_status.get("ready"))
            continue
        waiting = (state.get("waiting") or {}).get("reason", "")
        word = waiting if waiting != "PodInitializing" else ""
        summary.reason = f"Init:{_termination(ended) if ended is not None else word or f'{index}/{total}'}"
        summary.initializing = True
        return


def _of_containers(pod: Json, summary: _ContainerSummary) -> None:
    running = False
    for container_status in reversed(_statuses(pod)):
        summary.count_restarts(container_status)
        state = container_status.get("state") or {}
        if waiting := (state.get("waiting") or {}).get("reason"):
            summary.reason = waiting
        elif (ended := state.get("terminated")) is not None:
            summary.reason = _termination(ended)
        elif container_status.get("ready") and state.get("running") is not None:
            running = True
            summary.ready += 1
    if summary.reason == "Completed" and running:
        summary.reason = "Running" if condition(pod, "Ready").get("status") == "True" else "NotReady"


def _ready(pod: Json) -> str:
    total = len(member("spec", "containers", default=())(pod)) + len(_sidecars(pod))
    return f"{_summarize(pod).ready}/{total}"


def _reason(pod: Json) -> str:
    """Return the Status column: a reason or a phase."""
    if "deletionTimestamp" in pod["metadata"]:
        if member("status", "reason")(pod) == "NodeLost":
            return "Unknown"
        if member("status", "phase")(pod) not in {"Succeeded", "Failed"}:
            return "Terminating"
    return _summarize(pod).reason


def _termination(ended: Json) -> str:
    if ended.get("reason"):
        return str(ended["reason"])
    return f"Signal:{ended['signal']}" if ended.get("signal") else f"ExitCode:{ended.get('exitCode', 0)}"


def _restarts(pod: Json, current_time: float) -> str:
    summary = _summarize(pod)
    return (
        f"{summary.restarts} ({ages.since(summary.last, current_time)} ago)"
        if summary.restarts and summary.last
        else str(summary.restarts)
    )


def _gates(pod: Json) -> str:
    gates = member("spec", "readinessGates", default=())(pod)
    true = sum(condition(pod, gate["conditionType"]).get("status") == "True" for gate in gates)
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

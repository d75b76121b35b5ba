"""The columns of Pod (FK-425)."""

from __future__ import annotations

from typing import Any

from ...kinds import Column
from .. import ages
from .cells import AGE, NONE, column, condition, containers, member, pairs

Json = Any


def _statuses(pod: Json, name: str = "containerStatuses") -> list[Json]:
    return list(member("status", name, default=())(pod))


def _ready(pod: Json) -> str:
    total = len(member("spec", "containers", default=())(pod))
    return f"{sum(bool(one.get('ready')) for one in _statuses(pod))}/{total}"


def _reason(pod: Json) -> str:
    """Return the word that says best how the pod is."""
    gated = condition(pod, "PodScheduled").get("reason") == "SchedulingGated"
    phase = member("status", "reason")(pod) or (
        "SchedulingGated" if gated else member("status", "phase")(pod)
    )
    found = _initializing(pod) or _of_containers(pod) or phase
    if "deletionTimestamp" in pod["metadata"] and phase not in {"Succeeded", "Failed"}:
        return "Unknown" if member("status", "reason")(pod) == "NodeLost" else "Terminating"
    return str(found)


def _initializing(pod: Json) -> str:
    found = _statuses(pod, "initContainerStatuses")
    for index, one in enumerate(found):
        state = one.get("state") or {}
        ended = state.get("terminated")
        if ended is not None and ended.get("exitCode") == 0:
            continue
        if ended is not None:
            return f"Init:{_termination(ended)}"
        waiting = (state.get("waiting") or {}).get("reason", "")
        if waiting and waiting != "PodInitializing":
            return f"Init:{waiting}"
        return f"Init:{index}/{len(found)}"
    return ""


def _of_containers(pod: Json) -> str:
    word, running = "", False
    for one in reversed(_statuses(pod)):
        state = one.get("state") or {}
        if waiting := (state.get("waiting") or {}).get("reason"):
            word = waiting
        elif (ended := state.get("terminated")) is not None:
            word = _termination(ended)
        elif one.get("ready") and state.get("running") is not None:
            running = True
    if word == "Completed" and running:
        return "Running" if condition(pod, "Ready").get("status") == "True" else "NotReady"
    return word


def _termination(ended: Json) -> str:
    if ended.get("reason"):
        return str(ended["reason"])
    return f"Signal:{ended['signal']}" if ended.get("signal") else f"ExitCode:{ended.get('exitCode', 0)}"


def _restarts(pod: Json, now: float) -> str:
    found = _statuses(pod)
    count = sum(one.get("restartCount", 0) for one in found)
    ends = [member("lastState", "terminated", "finishedAt", default=None)(one) for one in found]
    last = max(filter(None, ends), default=None)
    return f"{count} ({ages.since(last, now)} ago)" if count and last else str(count)


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
POD_TEMPLATE = (
    *(
        Column(name=one.name, cell=one.cell)  # shown without -o wide here
        for one in containers("template")
    ),
    column("Pod Labels", lambda obj: pairs(member("template", "metadata", "labels")(obj))),
)
TABLES = {("", "pods"): POD, ("", "podtemplates"): POD_TEMPLATE}

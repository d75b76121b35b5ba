"""What a kubelet writes into a pod's status as the pod runs and ends (FK-480)."""

from __future__ import annotations

import hashlib

from ...base.json_types import Json
from .scripts import ScriptStep


def running(pod: Json, current_time: str) -> Json:
    """Return the status of a pod whose containers run."""
    address = _address(pod["metadata"]["uid"])
    status = {
        **pod.get("status", {}),
        "phase": "Running",
        # The first start counts, also when containers start again.
        "startTime": pod.get("status", {}).get("startTime", current_time),
    }
    conditions = _with(
        status, current_time, Initialized="True", ContainersReady="True", Ready="True", PodScheduled="True"
    )
    states = [
        _container(container, {"running": {"startedAt": current_time}}, ready=True)
        for container in pod["spec"]["containers"]
    ]
    return {
        **status,
        "conditions": conditions,
        "hostIP": "192.168.0.1",
        "hostIPs": [{"ip": "192.168.0.1"}],
        "podIP": address,
        "podIPs": [{"ip": address}],
        "containerStatuses": states,
        **_before_the_others(pod, current_time),
    }


def terminal(pod: Json, step: ScriptStep, current_time: str) -> Json:
    """Return the status of a pod whose containers have ended."""
    status = {
        **pod.get("status", {}),
        "phase": step.phase,
        "startTime": pod.get("status", {}).get("startTime", current_time),
    }
    reason = "PodCompleted" if step.phase == "Succeeded" else "PodFailed"
    conditions = _with(status, current_time, reason, ContainersReady="False", Ready="False")
    started = status["startTime"]
    terminated = {
        "exitCode": step.exit_code,
        "reason": "Completed" if step.exit_code == 0 else "Error",
        "startedAt": started,
        "finishedAt": current_time,
    }
    states = [
        _container(container, {"terminated": terminated}, ready=False)
        for container in pod["spec"]["containers"]
    ]
    before = _before_the_others(pod, started, current_time)
    return {**status, "conditions": conditions, "containerStatuses": states, **before}


def _before_the_others(pod: Json, started: str, end: str | None = None) -> Json:
    """Return the states of the containers that ran before the others;
    sidecars run beside them until the pod's end.
    """
    states = [_early_state(container, started, end) for container in pod["spec"].get("initContainers") or ()]
    return {"initContainerStatuses": states} if states else {}


def _early_state(container: Json, started: str, end: str | None) -> Json:
    is_sidecar = container.get("restartPolicy") == "Always"
    # A sidecar runs beside the others, until the end of the pod.
    if is_sidecar and end is None:
        return _container(container, {"running": {"startedAt": started}}, ready=True)
    # Other init containers have ended when the pod started.
    finished = end if is_sidecar else started
    completed = {"exitCode": 0, "reason": "Completed", "startedAt": started, "finishedAt": finished}
    return {**_container(container, {"terminated": completed}, ready=True), "started": False}


def _with(status: Json, current_time: str, reason: str = "", **values: str) -> list[Json]:
    """Return the conditions with these; one that does not change keeps its time."""
    old = {condition["type"]: condition for condition in status.get("conditions", ())}
    new = {
        kind: {"type": kind, "status": value, "lastProbeTime": None, "lastTransitionTime": current_time}
        | ({"reason": reason} if reason else {})
        for kind, value in values.items()
        # Only those that change get a new time.
        if old.get(kind, {}).get("status") != value
    }
    return [
        *(new.get(kind, condition) for kind, condition in old.items()),
        *(condition for kind, condition in new.items() if kind not in old),
    ]


def _container(container: Json, state: Json, *, ready: bool) -> Json:
    image = container.get("image", "")
    return {
        "name": container["name"],
        "state": state,
        "lastState": {},
        "ready": ready,
        "restartCount": 0,
        "started": ready,
        "image": image,
        "imageID": f"sha256:{hashlib.sha256(image.encode()).hexdigest()}",
    }


def _address(uid: str) -> str:
    # From the uid, so that each run with one seed has the same addresses.
    low, high, last = hashlib.sha256(uid.encode()).digest()[:3]
    return f"10.{244 + low % 4}.{high}.{last}"

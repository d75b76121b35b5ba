"""What a pod's failure means under a Job's podFailurePolicy (FK-474)."""

from __future__ import annotations

from typing import Literal

from ...base.json_types import Json

Action = Literal["FailJob", "Ignore", "Count", "FailIndex", ""]


def judge(policy: Json, pod: Json) -> tuple[Action, int]:
    """Return the action of the first rule that a failed pod matches, and the rule's number."""
    # The first matching rule decides, whatever the later ones say.
    for number, rule in enumerate((policy or {}).get("rules", ())):
        if _exit_codes(rule.get("onExitCodes"), pod) or _conditions(rule.get("onPodConditions"), pod):
            return rule["action"], number
    return "", -1


def message(policy: Json, pod: Json) -> str:
    """Word the failure of the whole Job by a pod that matches a rule FailJob; empty when none does."""
    action, number = judge(policy, pod)
    if action != "FailJob":
        return ""
    rule, name = policy["rules"][number], f"{pod['metadata']['namespace']}/{pod['metadata']['name']}"
    if container_status := _exit_codes(rule.get("onExitCodes"), pod):
        code = container_status["state"]["terminated"]["exitCode"]
        return f"Container {container_status['name']} for pod {name} failed with exit code {code} matching FailJob rule at index {number}"
    condition = _conditions(rule.get("onPodConditions"), pod)
    return f"Pod {name} has condition {condition['type']} matching FailJob rule at index {number}"


def _exit_codes(requirement: Json, pod: Json) -> Json:
    """Return the container status that meets the requirement, None when none does."""
    if not requirement:
        return None
    container_name = requirement.get("containerName")
    status = pod.get("status", {})
    statuses = (*(status.get("containerStatuses") or ()), *(status.get("initContainerStatuses") or ()))
    for container_status in statuses:
        code = (container_status.get("state", {}).get("terminated") or {}).get("exitCode", 0)
        # An exit code of 0 is no failure, and also what a container has that still runs.
        if code == 0 or (container_name and container_status["name"] != container_name):
            continue
        if (code in requirement["values"]) == (requirement["operator"] == "In"):
            return container_status
    return None


def _conditions(patterns: Json, pod: Json) -> Json:
    """Return the pod's condition that meets one of the patterns, None when none does."""
    for pattern in patterns or ():
        for condition in pod.get("status", {}).get("conditions", ()):
            # A pattern without a status means True.
            if (condition["type"], condition["status"]) == (pattern["type"], pattern.get("status", "True")):
                return condition
    return None

"""What every design reads of Kueue's objects, and the environment that it is started in."""

import os
from datetime import UTC, datetime
from typing import Any

Object = dict[str, Any]
OURS = os.environ["KUEUE_CONFORMANCE_CONTROLLER_NAME"]
VERDICTS = os.environ.get("KUEUE_CONFORMANCE_VERDICT_URL", "")
CLAIMS = os.environ.get("KUEUE_CONFORMANCE_CLAIMS_URL", "")
MISTAKE = os.environ.get("MISTAKE", "")
LONGEST_MESSAGE = 1000
FINAL = ("Retry", "Rejected")


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _time_of_start(now: str = _now()) -> str:
    return now


def timestamp() -> str:
    return _time_of_start() if MISTAKE == "frozen-time" else _now()


def cut(text: str) -> str:
    errors = "strict" if MISTAKE == "bytes-cut-in-a-letter" else "ignore"
    return text.encode()[:LONGEST_MESSAGE].decode(errors=errors)


def condition(document: Object, name: str) -> Object:
    conditions = document.get("status", {}).get("conditions", [])
    return next((condition for condition in conditions if condition["type"] == name), {})


def is_true(document: Object, name: str) -> bool:
    return condition(document, name).get("status") == "True"


def entries_of(workload: Object) -> list[Object]:
    return workload.get("status", {}).get("admissionChecks", [])


def is_ours(check: Object) -> bool:
    return check["spec"]["controllerName"] == OURS and "deletionTimestamp" not in check["metadata"]


def may_act(workload: Object) -> bool:
    """Tell whether a Workload may be judged: it has quota, and is neither on its way out nor at its end."""
    is_evicted = is_true(workload, "Evicted")
    if MISTAKE == "any-evicted-condition":
        is_evicted = bool(condition(workload, "Evicted"))
    is_finished = is_true(workload, "Finished") and MISTAKE != "acts-on-finished"
    is_leaving = "deletionTimestamp" in workload["metadata"] or workload["spec"].get("active") is False
    return is_true(workload, "QuotaReserved") and not (is_evicted or is_finished or is_leaving)


def active_condition(
    check: Object, status: str = "True", reason: str = "Active", message: str = ""
) -> Object:
    """Return the Active condition of a check; its time moves with its status."""
    old = condition(check, "Active")
    since = old["lastTransitionTime"] if old.get("status") == status else timestamp()
    generation = check["metadata"]["generation"]
    values = {"status": status, "reason": reason, "message": message, "observedGeneration": generation}
    return {"type": "Active", "lastTransitionTime": since, **values}


def conditions_with(check: Object, active: Object) -> list[Object]:
    """Return the conditions of a check with this Active condition, those of others unchanged."""
    conditions = check.get("status", {}).get("conditions", [])
    return [*(condition for condition in conditions if condition["type"] != "Active"), active]


def entry(old: Object, verdict: Object) -> Object:
    """Return the entry with a verdict. Raises ValueError for one that is none."""
    state, text = verdict["state"], verdict.get("message", "")
    if state not in ("Pending", "Ready", *FINAL):
        raise ValueError(f"{state} is no state")
    if old["state"] in FINAL:
        return old
    if state == "Pending" == old["state"] and text:
        return {**old, "message": cut(text)}
    if state in ("Pending", old["state"]):
        return old
    count = {"retryCount": old["retryCount"]} if "retryCount" in old else {}
    message = cut(text or f"the budget office says {state}")
    return {
        "name": old["name"],
        "state": state,
        "message": message,
        "lastTransitionTime": timestamp(),
        **count,
    }


def delay(verdict: Object) -> Object:
    """Return the delay of a Retry as an entry has it. Raises ValueError for one that is none."""
    seconds = verdict.get("requeueAfterSeconds")
    if verdict["state"] != "Retry" or seconds is None:
        return {}
    if type(seconds) is not int or not 0 <= seconds < 2**31:
        raise ValueError(f"{seconds} is no delay")
    return {"requeueAfterSeconds": seconds // 60 * 60 if MISTAKE == "whole-minutes" else seconds}


def pod_set_updates(workload: Object, verdict: Object) -> Object:
    """Return the updates of a Ready as an entry has them. Raises ValueError where there are no such pods, or
    they have another value already.
    """
    updates = verdict.get("podSetUpdates") if verdict["state"] == "Ready" else None
    templates = {pod_set["name"]: pod_set["template"] for pod_set in workload["spec"]["podSets"]}
    for update in updates or ():
        if update["name"] not in templates:
            raise ValueError(f"there are no pods {update['name']}")
        template = templates[update["name"]]
        has = {**template.get("metadata", {}), "nodeSelector": template["spec"].get("nodeSelector", {})}
        for field in ("labels", "annotations", "nodeSelector"):
            for key, value in update.get(field, {}).items():
                if (has.get(field) or {}).get(key, value) != value:
                    raise ValueError(f"the pods {update['name']} have another {field} {key}")
    return {"podSetUpdates": updates} if updates else {}

"""The job integration of bare Workloads, which have none:
gives quota back after an eviction (admission.md AC-289, AC-338).

Written by server-side apply as `kueue-admission`, as AC-338 asks, so that no second owner appears.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...base.json_types import Json
from ...base.numbers import moment
from ...base.objects import Condition
from ...case.context import CaseContext
from ..checks.check import timestamp
from .conditions import unreserved_reason
from .view import view_of

MANAGER = "kueue-admission"
_RAN = "accumulatedPastExecutionTimeSeconds"
_OWNED = (
    "Admitted",
    "Evicted",
    "Preempted",
    "QuotaReserved",
    "Requeued",
    "Finished",
    "PodsReady",
    "DeactivationTarget",
)
_AT_ONCE = ("Preempted", "NodeFailures")
_CARRIED = ("requeueState", "admissionChecks", "schedulingStats", _RAN)


class ReleaseStandIn:
    """A stand-in: `act` releases every evicted bare Workload of a namespace unless its pods are held."""

    def __init__(self, context: CaseContext, namespace: str) -> None:
        self._context = context
        self._namespace = namespace
        self._client = context.client.with_agent("job-stand-in", reports_writes=False)
        self.pods_are_held = False
        self._read = 0
        self._waiting: set[str] = set()
        """The Workloads that were evicted and hold their quota, as the story tells it."""

    def act(self) -> bool:
        """Release what can be released; tells whether there was something."""
        if self.pods_are_held or not self._any_evicted():
            return False
        workloads = self._context.client.list("Workload", self._namespace)
        evicted = [workload for workload in workloads if _waits(workload)]
        for workload in evicted:
            self._client.apply(released_manifest(workload, self._context), manager=MANAGER, sub="status")
        return bool(evicted)

    def _any_evicted(self) -> bool:
        """Read new changes; tell whether a Workload waits for
        its release, so that the server is asked only then.
        """
        fresh = self._context.cluster.recorder.arrivals(self._read)
        self._read += len(fresh)
        for change in fresh:
            if (change.kind, change.namespace) == ("Workload", self._namespace):
                (self._waiting.add if change.after and _waits(change.after) else self._waiting.discard)(
                    change.name
                )
        return bool(self._waiting)


def released_manifest(workload: Json, context: CaseContext) -> Json:
    """Return the apply that takes a Workload's quota back (AC-252, AC-259, AC-260, AC-268, AC-269)."""
    status, evicted = workload["status"], _condition(workload, "Evicted")
    current_time, ready = (
        timestamp(context.cluster.now()),
        all(entry["state"] == "Ready" for entry in workload["status"].get("admissionChecks", [])),
    )
    common_fields = {
        "message": evicted["message"],
        "lastTransitionTime": current_time,
        "observedGeneration": workload["metadata"]["generation"],
    }
    requeued = "True" if evicted["reason"] in _AT_ONCE else "False"
    new: Mapping[str, Any] = {
        "QuotaReserved": {
            "status": "False",
            "reason": unreserved_reason(context.dialect, "evaluation"),
            **common_fields,
        },
        **(
            {"Requeued": {"status": requeued, "reason": evicted["reason"], **common_fields}}
            if context.dialect.fact("requeued-condition")
            else {}
        ),
        **(
            {"Admitted": {**common_fields, **_no_reservation(ready, context)}}
            if _is(workload, "Admitted") or context.dialect.fact("names-causes")
            else {}
        ),
    }
    owned_conditions = {
        condition["type"]: condition for condition in status["conditions"] if condition["type"] in _OWNED
    }
    conditions = [
        _update_condition(owned_conditions.get(name, {"type": name}), new.get(name, {}))
        for name in {**owned_conditions, **new}
    ]
    carried = {key: status[key] for key in _CARRIED if key in status}
    return {
        "kind": "Workload",
        "metadata": {
            "name": workload["metadata"]["name"],
            "namespace": workload["metadata"]["namespace"],
            "uid": workload["metadata"]["uid"],
        },
        "status": {**carried, **_with_past_time(workload, context), "conditions": conditions},
    }


def _update_condition(old: Condition, new: Condition) -> Condition:
    """Return a condition after a write of it; its time changes with its status (AC-110)."""
    updated: Condition = {**old, **new}
    if old.get("status") == new.get("status"):
        updated["lastTransitionTime"] = old["lastTransitionTime"]
    return updated


def _with_past_time(workload: Json, context: CaseContext) -> Json:
    """Return the whole seconds that it was admitted so far, with those of before (AC-129, AC-289)."""
    if not _is(workload, "Admitted") or not context.dialect.fact("counts-execution-time"):
        return {}
    since = moment(_condition(workload, "Admitted")["lastTransitionTime"])
    ran = workload["status"].get(_RAN, 0) + int(context.cluster.now() - since)
    return {_RAN: ran} if ran else {}


def _no_reservation(ready: bool, context: CaseContext) -> Json:
    lacking = "" if ready else "-and-checks"
    return {
        "status": "False",
        "reason": context.dialect.fact(f"reason-without-quota{lacking}"),
        "message": context.dialect.fact(f"message-without-quota{lacking}"),
    }


def _condition(workload: Json, name: str) -> Condition:
    return view_of(workload).condition(name)


def _waits(workload: Json) -> bool:
    """Tell whether a bare Workload was evicted and holds its quota;
    a finished one is not changed (AC-320).
    """
    bare = not workload["metadata"].get("ownerReferences")
    has_quota = _is(workload, "QuotaReserved") and not _is(workload, "Finished")
    return bare and has_quota and _is(workload, "Evicted")


def _is(workload: Json, name: str) -> bool:
    return bool(_condition(workload, name).get("status") == "True")

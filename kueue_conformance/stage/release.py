"""The job integration of bare Workloads, which have none: gives quota back after an eviction (admission.md AC-289, AC-338).

Written by server-side apply as `kueue-admission`, as AC-338 asks, so that no second owner appears.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from ..bench import Bench
from ..numbers import moment
from .check import timestamp

Json: TypeAlias = Any
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


class Release:
    """A stand-in: `act` releases every evicted bare Workload of a namespace unless its pods are held."""

    def __init__(self, bench: Bench, namespace: str) -> None:
        self._bench = bench
        self._namespace = namespace
        self._client = bench.client.acting_as("job-stand-in", told=False)
        self.pods_are_held = False
        self._read = 0
        self._evicts = False

    def act(self) -> bool:
        """Release what can be released; tells whether there was something."""
        if self.pods_are_held or not self._somebody_was_evicted():
            return False
        bare = [
            one
            for one in self._bench.client.list("Workload", self._namespace)
            if not one["metadata"].get("ownerReferences")
        ]
        evicted = [one for one in bare if _is(one, "Evicted") and _is(one, "QuotaReserved")]
        for found in evicted:
            self._client.apply(released(found, self._bench), manager=MANAGER, sub="status")
        return bool(evicted)

    def _somebody_was_evicted(self) -> bool:
        """Read the story on: until it tells of an eviction there is nothing to ask the server for."""
        story = self._bench.cluster.recorder.changes()
        fresh, self._read = story[self._read :], len(story)
        self._evicts = self._evicts or any(
            (one.kind, one.namespace) == ("Workload", self._namespace)
            and one.after
            and _is(one.after, "Evicted")
            for one in fresh
        )
        return self._evicts


def released(found: Json, bench: Bench) -> Json:
    """Return the apply that takes a Workload's quota back (AC-252, AC-259, AC-260, AC-268, AC-269)."""
    status, evicted = found["status"], _condition(found, "Evicted")
    now, ready = (
        timestamp(bench.cluster.now()),
        all(one["state"] == "Ready" for one in found["status"].get("admissionChecks", [])),
    )
    told = {
        "message": evicted["message"],
        "lastTransitionTime": now,
        "observedGeneration": found["metadata"]["generation"],
    }
    requeued = "True" if evicted["reason"] in _AT_ONCE else "False"
    new = {
        "QuotaReserved": {"status": "False", "reason": "Pending", **told},
        **({"Requeued": {"status": requeued, "reason": evicted["reason"], **told}} if bench.dialect.fact("requeued-condition") else {}),
        **({"Admitted": {**_no_reservation(ready), **told, "message": _no_reservation(ready)["message"]}} if _is(found, "Admitted") else {}),
    }  # fmt: skip
    kept = {one["type"]: one for one in status["conditions"] if one["type"] in _OWNED}
    conditions = [{"type": name, **kept.get(name, {}), **new.get(name, {})} for name in {**kept, **new}]
    carried = {key: status[key] for key in _CARRIED if key in status}
    return {
        "kind": "Workload",
        "metadata": {
            "name": found["metadata"]["name"],
            "namespace": found["metadata"]["namespace"],
            "uid": found["metadata"]["uid"],
        },
        "status": {**carried, **_with_past_time(found, bench), "conditions": conditions},
    }


def _with_past_time(found: Json, bench: Bench) -> Json:
    """Return the whole seconds that it was admitted so far, with those of before (AC-129, AC-289)."""
    if not _is(found, "Admitted") or not bench.dialect.fact("counts-execution-time"):
        return {}
    since = moment(_condition(found, "Admitted")["lastTransitionTime"])
    ran = found["status"].get(_RAN, 0) + int(bench.cluster.now() - since)
    return {_RAN: ran} if ran else {}


def _no_reservation(ready: bool) -> Json:
    reason, more = (
        ("NoReservation", "") if ready else ("NoReservationUnsatisfiedChecks", " and not all checks ready")
    )
    return {"status": "False", "reason": reason, "message": f"The workload has no reservation{more}"}


def _condition(found: Json, name: str) -> Json:
    return next((one for one in (found.get("status") or {}).get("conditions", []) if one["type"] == name), {})


def _is(found: Json, name: str) -> bool:
    return bool(_condition(found, name).get("status") == "True")

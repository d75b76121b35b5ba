"""Kueue, played by the scenario: writes the status of Workloads exactly as Kueue would (admission.md §2.4, §2.7, §2.12).

Status is written by server-side apply with the manager `kueue-admission` and a resourceVersion (AC-370, AC-371), the list of
checks by PUT as `kueue` (AC-359, AC-373). A conflict is answered by reading anew.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from ..bench import Bench
from ..client import ApiError
from .check import Check, timestamp
from .queue import Queue
from .release import MANAGER, released
from .stage import Stage
from .workload import Workload

Json: TypeAlias = Any
AGENT = "kueue"
_OWNED = (
    "QuotaReserved", "BlockedOnPreemptionGates", "Evicted", "Admitted", "Preempted", "Requeued", "DeactivationTarget",
    "Finished", "PodsReady",
)  # fmt: skip
_APPLIED = (
    "admission", "requeueState", "resourceRequests", "accumulatedPastExecutionTimeSeconds", "schedulingStats",
    "admissionChecks",
)  # fmt: skip
_FLAVOR = "default-flavor"


class ScriptedKueue:
    """The control plane's part, in the words of a scenario; what it writes is the whole of what Kueue does."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._bench: Bench = stage.bench
        self._client = stage.bench.client.acting_as(AGENT)

    def prechecks(self, queue: Queue) -> Workload:
        """Take a new Workload in: quota is reserved, then its queue's checks are listed (AC-379)."""
        workload = queue.submit()
        self.reserves(workload)
        self.lists(workload, *queue.checks)
        return workload

    def takes_in(self, workload: Workload, check: Check) -> None:
        """Take in a Workload that does not exist yet and needs this check alone; it has no queue."""
        name, place = workload.name, workload.namespace
        Queue(self._bench, self._stage.names, name, place, (), ()).submit(cpu="1", name=name)
        self.reserves(workload)
        self.lists(workload, check)

    def lists(self, workload: Workload, *checks: Check) -> None:
        """Bring the list of checks in step: new ones Pending, others dropped, known ones untouched (AC-357, AC-358)."""

        def listed(current: Json) -> Json:
            status = current.get("status", {})
            known = {one["name"]: one for one in status.get("admissionChecks", [])}
            names = sorted(check.name for check in checks)
            entries = [known.get(name) or self._pending(name, "") for name in names]
            return {**current, "status": {**status, "admissionChecks": entries}}

        self._client.update("Workload", workload.name, listed, namespace=workload.namespace, sub="status")

    def reserves(self, workload: Workload) -> None:
        """Reserve quota in the Workload's ClusterQueue; an eviction is over with that (AC-283, AC-266)."""

        def reserved(found: Json) -> Json:
            queue = found["spec"]["queueName"]
            said = {"QuotaReserved": ("True", "QuotaReserved", f"Quota reserved in ClusterQueue {queue}")}
            for name in ("Evicted", "Preempted"):
                if _is(found, name):
                    said[name] = (
                        "False",
                        "QuotaReserved",
                        f"Previously: {_condition(found, name)['message']}",
                    )
            return {**self._told(found, said), "admission": self._admission(found, queue)}

        self._apply(workload, reserved)

    def admits(self, workload: Workload) -> None:
        """Admit a Workload that has quota (AC-285)."""
        said = {"Admitted": ("True", "Admitted", "The workload is admitted")}
        self._apply(workload, lambda found: self._told(found, said))

    def evicts(
        self, workload: Workload, reason: str = "Preempted", message: str = "Preempted to make room"
    ) -> None:
        """Evict: every check is undecided again; the quota is still held (AC-340, AC-341)."""

        def evicted(found: Json) -> Json:
            status = self._told(found, {"Evicted": ("True", reason, message)})
            entries = [self._reset(one) for one in status.get("admissionChecks", [])]
            return {
                **status, "schedulingStats": _counted(status, reason),
                **({"admissionChecks": entries} if entries else {}),
            }  # fmt: skip

        self._apply(workload, evicted)

    def releases(self, workload: Workload) -> None:
        """Give the quota of an evicted Workload back, when its pods are gone (AC-289)."""

        def freed(found: Json) -> Json:
            status: Json = released(found, self._bench)["status"]
            return status

        self._apply(workload, freed)

    def evicts_and_releases(self, workload: Workload, reason: str = "Preempted") -> None:
        """Evict a Workload whose pods are gone at once."""
        self.evicts(workload, reason)
        self.releases(workload)

    def takes_back(self, workload: Workload) -> None:
        """Cancel a reservation without an eviction, as when the ClusterQueue is stopped; entries stay (AC-254, AC-398)."""

        def cancelled(found: Json) -> Json:
            text = f"ClusterQueue {found['spec']['queueName']} is stopped"
            status = self._told(found, {"QuotaReserved": ("False", "Inadmissible", text)})
            return {key: value for key, value in status.items() if key != "admission"}

        self._apply(workload, cancelled)

    def finishes(self, workload: Workload) -> None:
        """Declare the work done (AC-271)."""
        said = {"Finished": ("True", "Succeeded", "Job finished successfully")}
        self._apply(workload, lambda found: self._told(found, said))

    def overwrites(self, workload: Workload, check: Check) -> None:
        """Put a verdict back to Pending, as an apply made from an older copy does (AC-372)."""

        def older(found: Json) -> Json:
            status = found["status"]
            entries = [
                self._pending(one["name"], "") if one["name"] == check.name else one
                for one in status["admissionChecks"]
            ]
            return {**status, "admissionChecks": entries}

        self._apply(workload, older)

    def _apply(self, workload: Workload, change: Callable[[Json], Json]) -> None:
        while True:
            found = self._client.get("Workload", workload.name, workload.namespace)
            metadata = {
                key: found["metadata"][key] for key in ("name", "namespace", "uid", "resourceVersion")
            }
            manifest = {"kind": "Workload", "metadata": metadata, "status": _applied(change(found))}
            try:
                self._client.apply(manifest, manager=MANAGER, sub="status")
            except ApiError as error:
                if error.code != 409:
                    raise
            else:
                return

    def _told(self, found: Json, said: Mapping[str, tuple[str, str, str]]) -> Json:
        """Return the status with some conditions set (AC-273)."""
        status = found.get("status") or {}
        told = {one["type"]: one for one in status.get("conditions", [])}
        for name, (value, reason, message) in said.items():
            moved = told.get(name, {}).get("status") != value
            since = self._now() if moved else told[name]["lastTransitionTime"]
            told[name] = {
                "type": name, "status": value, "reason": reason, "message": message, "lastTransitionTime": since,
                "observedGeneration": found["metadata"]["generation"],
            }  # fmt: skip
        return {**status, "conditions": list(told.values())}

    def _admission(self, found: Json, queue: str) -> Json:
        known = self._bench.client.find("ClusterQueue", queue) or {}
        groups = known.get("spec", {}).get("resourceGroups", [])
        flavor = groups[0]["flavors"][0]["name"] if groups else _FLAVOR
        return {
            "clusterQueue": queue,
            "podSetAssignments": [_assignment(one, flavor) for one in found["spec"]["podSets"]],
        }

    def _pending(self, name: str, message: str) -> Json:
        return {"name": name, "state": "Pending", "message": message, "lastTransitionTime": self._now()}

    def _reset(self, entry: Json) -> Json:
        if entry["state"] == "Pending":
            return entry
        fresh = self._pending(entry["name"], f"Reset to Pending after eviction. Previously: {entry['state']}")
        kept = {key: entry[key] for key in ("requeueAfterSeconds",) if key in entry}
        retried = {"retryCount": entry.get("retryCount", 0) + 1} if entry["state"] == "Retry" else {}
        return {**fresh, **kept, **retried}

    def _now(self) -> str:
        return timestamp(self._bench.cluster.now())


def _applied(status: Json) -> Json:
    conditions = [one for one in status.get("conditions", []) if one["type"] in _OWNED]
    return {**{key: status[key] for key in _APPLIED if key in status}, "conditions": conditions}


def _assignment(pods: Json, flavor: str) -> Json:
    containers = pods["template"]["spec"]["containers"]
    requests: Mapping[str, str] = containers[0].get("resources", {}).get("requests", {})
    return {
        "name": pods["name"], "count": pods["count"], "flavors": dict.fromkeys(requests, flavor),
        "resourceUsage": dict(requests),
    }  # fmt: skip


def _counted(status: Json, reason: str) -> Json:
    stats = status.get("schedulingStats") or {}
    evictions: Sequence[Json] = stats.get("evictions", [])
    new: Json = {"underlyingCause": "", "count": 0}
    known = next((one for one in evictions if one["reason"] == reason), new)
    others = [one for one in evictions if one["reason"] != reason]
    return {**stats, "evictions": [*others, {**known, "reason": reason, "count": known["count"] + 1}]}


def _condition(found: Json, name: str) -> Json:
    conditions = (found.get("status") or {}).get("conditions", [])
    return next((one for one in conditions if one["type"] == name), {})


def _is(found: Json, name: str) -> bool:
    return bool(_condition(found, name).get("status") == "True")

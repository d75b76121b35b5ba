"""A scripted Kueue: writes the status of Workloads exactly as Kueue does (admission.md §2.4, §2.7, §2.12).

Status is written by server-side apply with the manager `kueue-admission` and a resourceVersion (AC-370,
AC-371), the list of checks by PUT as `kueue` (AC-359, AC-373). A conflict is answered by reading anew.
Reasons are those of the dialect, and from 0.20 on a second apply says that checks are not ready (KV-03,
KV-16). `workload_status` has what is written.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...base.json_types import Json
from ...case.context import CaseContext
from ...wire.client import ApiError
from ..checks.check import Check, timestamp
from ..making import templated_workloads
from ..queues.queue import Queue
from ..stage import Stage
from ..workloads.conditions import unreserved_reason
from ..workloads.release import MANAGER, released_manifest
from ..workloads.workload import Workload
from ..workloads.workload_set import WorkloadSet
from . import workload_status
from .workload_status import NewConditions, is_true

AGENT = "kueue"
_LONG_AGO_SECONDS = 3600.0
_LARGE_BYTES = 60_000
"""An event of this size comes in several pieces, as TLS has no more than 16 KiB in one record."""


class ScriptedKueue:
    """The control plane's writes, called by a scenario; nothing else acts as Kueue."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._context: CaseContext = stage.context
        self._client = stage.context.client.with_agent(AGENT)
        self._spare = ""
        """A flavor for what is taken in without a queue: a controller may look up what is assigned."""

    def precheck(self, queue: Queue, **spec: Any) -> Workload:
        """Take a new Workload in: quota is reserved, then its queue's checks are listed (AC-379)."""
        workload = queue.submit(**spec)
        self.precheck_existing(workload, queue)
        return workload

    def precheck_existing(self, workload: Workload, queue: Queue) -> None:
        """Take in a Workload that exists."""
        self.reserve(workload)
        self.list_checks(workload, *queue.checks)
        self.explain_unadmitted(workload)

    def precheck_many(self, queue: Queue, number: int) -> WorkloadSet:
        """Take in so many Workloads that ask for little,
        each by one write: it is their number that counts.
        """

        flavor = self._flavor_of(queue.name)

        def precheck(current: Json) -> Json:
            reserved = {**current, "status": self._with_reservation(current, flavor)}
            return self._with_checks(reserved, queue.checks, self._now())

        return WorkloadSet([self._precheck_by(queue, precheck) for _ in range(number)])

    def _precheck_by(self, queue: Queue, change: Callable[[Json], Json]) -> Workload:
        workload = queue.submit(cpu="1m")
        self._client.update("Workload", workload.name, change, namespace=workload.namespace, sub="status")
        return workload

    def precheck_odd(self, queue: Queue, oddity: str) -> Workload:
        """Submit a Workload in an odd state that a later write corrects."""
        workload = queue.submit_without_requests() if oddity == "no flavors" else queue.submit()
        if oddity == "no checks":
            self.list_checks(workload)
        if oddity == "unknown conditions":
            self.set_unknown_condition(workload)
        if oddity == "large":
            workload.annotate("example.com/notes", "x" * _LARGE_BYTES)
        if oddity != "no status":
            self.reserve(workload)
        return workload

    def precheck_for(self, workload: Workload, check: Check) -> None:
        """Take in a Workload that does not exist yet and needs this check alone; it has no queue."""
        name, namespace = workload.name, workload.namespace
        self.recreate(workload, Queue(self._context, self._stage.names, name, namespace, (), [check]))

    def recreate(self, workload: Workload, queue: Queue) -> None:
        """Delete a Workload, if there is one, and take another one of its name in."""
        if workload.exists():
            workload.delete()
        queue.submit(cpu="1", name=workload.name)
        self.precheck_existing(workload, queue)

    def list_checks(self, workload: Workload, *checks: Check, ago: float = 0.0) -> None:
        """Bring the list of checks in step: new ones Pending,
        others dropped, known ones untouched (AC-357, AC-358).
        """
        since = timestamp(self._context.cluster.now() - ago)
        where = {"namespace": workload.namespace, "sub": "status"}
        self._client.update(
            "Workload", workload.name, lambda current: self._with_checks(current, checks, since), **where
        )

    def _with_checks(self, current: Json, checks: Sequence[Check], since: str) -> Json:
        status = current.get("status", {})
        existing = {entry["name"]: entry for entry in status.get("admissionChecks", [])}
        # In the order of names, whatever the order in the ClusterQueue.
        names = sorted(check.name for check in checks)
        entries = [existing.get(name) or workload_status.pending(name, "", since) for name in names]
        return {**current, "status": {**status, "admissionChecks": entries}}

    def list_checks_long_ago(self, workload: Workload, *checks: Check) -> None:
        """List checks with the time of long ago, as for a Workload that has waited since then."""
        self.list_checks(workload, *checks, ago=_LONG_AGO_SECONDS)

    def reserve(self, workload: Workload, on: str = "") -> None:
        """Reserve quota in the Workload's ClusterQueue, `on` a flavor of it;
        an eviction is over with that (AC-283, AC-266).
        """
        self._apply(workload, lambda current: self._with_reservation(current, on))
        # The first word about the admission comes with `precheck`, so that a scenario has the reservation
        # alone; what was said before is corrected.
        if workload_status.condition(self._read(workload), "Admitted"):
            self.explain_unadmitted(workload)

    def explain_unadmitted(self, workload: Workload) -> None:
        """Say of a Workload with quota that its checks are not ready, where the release does (KV-03).

        The apply has the whole list of checks, which is `kueue-admission`'s from then on (KV-16).
        """
        current = self._read(workload)
        cause = self._cause_of_no_admission("checks")
        said = workload_status.condition(current, "Admitted").get("reason")
        is_news = said != self._context.dialect.fact("reason-without-checks")
        if cause and is_news and workload_status.waits_for_checks(current):
            self._apply(workload, lambda latest: self._with_conditions(latest, cause))

    def _cause_of_no_admission(self, lacking: str) -> NewConditions:
        """Return why a Workload is not admitted that lacks its `quota` or `checks`, nothing where the release
        does not say it.
        """
        fact = self._context.dialect.fact
        if not fact("names-causes"):
            return {}
        return {"Admitted": ("False", fact(f"reason-without-{lacking}"), fact(f"message-without-{lacking}"))}

    def _with_reservation(self, current: Json, on: str) -> Json:
        queue = current["spec"]["queueName"]
        new_conditions: NewConditions = {
            "QuotaReserved": ("True", "QuotaReserved", f"Quota reserved in ClusterQueue {queue}")
        }
        # A reservation ends an eviction by setting the condition to False; it is not removed
        # (AC-266).
        for name in ("Evicted", "Preempted"):
            if is_true(current, name):
                before = workload_status.condition(current, name)["message"]
                new_conditions[name] = ("False", "QuotaReserved", f"Previously: {before}")
        return {
            **self._with_conditions(current, new_conditions),
            "admission": self._admission(current, queue, on),
        }

    def admit(self, workload: Workload) -> None:
        """Admit a Workload that has quota (AC-285)."""
        new_conditions: NewConditions = {"Admitted": ("True", "Admitted", "The workload is admitted")}
        self._apply(workload, lambda current: self._with_conditions(current, new_conditions))

    def evict(
        self, workload: Workload, reason: str = "Preempted", message: str = "Preempted to make room"
    ) -> None:
        """Evict: every check is undecided again; the quota is still held (AC-340, AC-341)."""

        def with_eviction(current: Json) -> Json:
            new_conditions: NewConditions = {"Evicted": ("True", reason, message)}
            if reason == "Preempted":
                new_conditions["Preempted"] = ("True", "InClusterQueue", message)
            status, current_time = self._with_conditions(current, new_conditions), self._now()
            entries = status.get("admissionChecks", [])
            # The oldest dialect leaves the states as they are at an eviction (D-11).
            if self._context.dialect.fact("reset-on-eviction"):
                entries = [workload_status.reset(entry, current_time) for entry in entries]
            return {
                **status,
                "schedulingStats": workload_status.count_eviction(status, reason),
                **({"admissionChecks": entries} if entries else {}),
            }

        self._apply(workload, with_eviction)

    def release(self, workload: Workload) -> None:
        """Give the quota of an evicted Workload back, when its pods are gone (AC-289)."""

        def without_quota(current: Json) -> Json:
            status: Json = released_manifest(current, self._context)["status"]
            return status

        self._apply(workload, without_quota)

    def evict_and_release(self, workload: Workload, reason: str = "Preempted") -> None:
        """Evict a Workload whose pods are gone at once."""
        self.evict(workload, reason)
        self.release(workload)

    def requeue(self, workload: Workload, on: str = "") -> None:
        """Evict a Workload, give its quota back and reserve it anew, in writes without a pause."""
        self.evict_and_release(workload)
        self.reserve(workload, on)

    def deactivate(self, workload: Workload) -> None:
        """Deactivate and evict a Workload that a check has rejected (AC-290, AC-293)."""
        workload.deactivate()
        self.evict_and_release(workload, self._context.dialect.fact("rejected-reasons")[0])

    def cancel_reservation(self, workload: Workload) -> None:
        """Cancel a reservation without an eviction, as when the
        ClusterQueue is stopped; entries stay (AC-254, AC-398).
        """

        def without_reservation(current: Json) -> Json:
            text = f"ClusterQueue {current['spec']['queueName']} is stopped"
            reason = unreserved_reason(self._context.dialect, "suspended")
            new_conditions: NewConditions = {
                "QuotaReserved": ("False", reason, text),
                **self._cause_of_no_admission("quota"),
            }
            status = self._with_conditions(current, new_conditions)
            return {key: value for key, value in status.items() if key != "admission"}

        self._apply(workload, without_reservation)

    def finish(self, workload: Workload, *, well: bool = True) -> None:
        """Declare the work done, well or not (AC-271)."""
        reason = "Succeeded" if well else "Failed"
        new_conditions: NewConditions = {"Finished": ("True", reason, f"Job finished: {reason}")}
        self._apply(workload, lambda current: self._with_conditions(current, new_conditions))

    def overwrite_verdict(self, workload: Workload, check: Check) -> None:
        """Put a verdict back to Pending, as an apply made from an older copy does (AC-372)."""

        def with_older_entry(current: Json) -> Json:
            status = current["status"]
            entries = [
                workload_status.pending(entry["name"], "", self._now())
                if entry["name"] == check.name
                else entry
                for entry in status["admissionChecks"]
            ]
            return {**status, "admissionChecks": entries}

        self._apply(workload, with_older_entry)

    def set_other_status_fields(self, workload: Workload) -> None:
        """Fill the status fields that a check controller does not use."""
        self._apply(workload, lambda current: {**current["status"], **workload_status.FULL})

    def set_unknown_condition(self, workload: Workload) -> None:
        """Set an unknown condition, as a later release might."""
        fresh = {
            "type": "Postponed",
            "status": "True",
            "reason": "Sometime",
            "message": "of a later release",
            "lastTransitionTime": self._now(),
        }

        def with_condition(current: Json) -> Json:
            status = current.get("status", {})
            others = [
                condition for condition in status.get("conditions", []) if condition["type"] != fresh["type"]
            ]
            return {**current, "status": {**status, "conditions": [*others, fresh]}}

        self._client.update(
            "Workload", workload.name, with_condition, namespace=workload.namespace, sub="status"
        )

    def add_finalizer(self, check: Check) -> None:
        """Keep an AdmissionCheck that a ClusterQueue uses (AC-400)."""
        self._client.merge(
            "AdmissionCheck", check.name, {"metadata": {"finalizers": [workload_status.IN_USE]}}
        )
        # Nothing else removes it, and the clean-up would wait for ever.
        self._context.client.afterwards(lambda: self.remove_finalizer(check))

    def remove_finalizer(self, check: Check) -> None:
        """Keep an AdmissionCheck no longer: no ClusterQueue uses it (AC-401)."""

        def without_finalizer(current: Json) -> Json:
            finalizers = [
                finalizer
                for finalizer in current["metadata"].get("finalizers", [])
                if finalizer != workload_status.IN_USE
            ]
            return {**current, "metadata": {**current["metadata"], "finalizers": finalizers}}

        if self._client.find("AdmissionCheck", check.name):
            self._client.update("AdmissionCheck", check.name, without_finalizer)

    def _apply(self, workload: Workload, change: Callable[[Json], Json]) -> None:
        while True:
            current = self._read(workload)
            # uid and resourceVersion make the apply a conditional one: a Workload made anew
            # is not hit.
            metadata = {
                key: current["metadata"][key] for key in ("name", "namespace", "uid", "resourceVersion")
            }
            status = workload_status.fields_to_apply(
                change(current), self._context.dialect.fact("status-lacks")
            )
            try:
                self._client.apply(
                    {"kind": "Workload", "metadata": metadata, "status": status},
                    manager=MANAGER,
                    sub="status",
                )
            except ApiError as error:
                # A conflict: the verdict of the subject came between, and the status is made anew
                # from it.
                if error.code != 409:
                    raise
            else:
                return

    def _read(self, workload: Workload) -> Json:
        return self._client.get("Workload", workload.name, workload.namespace)

    def _with_conditions(self, current: Json, new_conditions: NewConditions) -> Json:
        return workload_status.with_conditions(current, new_conditions, self._now())

    def _admission(self, current: Json, queue: str, flavor: str) -> Json:
        chosen = flavor or self._flavor_of(queue)
        return {
            "clusterQueue": queue,
            "podSetAssignments": [
                workload_status.assignment(pod_set, chosen, self._topology_assignment(pod_set))
                for pod_set in current["spec"]["podSets"]
            ],
        }

    def _topology_assignment(self, pod_set: Json) -> Json:
        """Return where the pods of a pod set go, None where they may go anywhere."""
        template = self._context.workload_template
        if template is None or "topologyRequest" not in pod_set:
            return None
        levels = templated_workloads.topology_of(template, pod_set)
        return templated_workloads.topology_assignment(levels, pod_set["count"])

    def _flavor_of(self, queue: str) -> str:
        cluster_queue = self._context.client.find("ClusterQueue", queue) or {}
        groups = cluster_queue.get("spec", {}).get("resourceGroups", [])
        if groups:
            return str(groups[0]["flavors"][0]["name"])
        # One for the whole case: it stands for no quota.
        self._spare = self._spare or self._stage.make_flavor()
        return self._spare

    def _now(self) -> str:
        return timestamp(self._context.cluster.now())

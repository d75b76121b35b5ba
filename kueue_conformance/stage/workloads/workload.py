"""A Workload, bare or of a Job: facts about it, and actions on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from ...base.json_types import Json
from ...history.fact import Fact
from ..answer import Answer, expect_refusal, try_request
from ..checks.check import Check, timestamp
from .conditions import ConditionFacts
from .endings import finish, finish_job, tell_pods_ready
from .field_owners import FieldOwnerFacts
from .history_facts import HistoryFacts
from .job import Job
from .job_facts import JobFacts
from .provisioning_facts import ProvisioningFacts
from .queue_position import PositionFacts
from .requeue_facts import RequeueFacts
from .states import StateFacts

HELD = "kueue.x-k8s.io/resource-in-use"
KEPT = "example.com/kept"
JOB_KIND = {"apiVersion": "batch/v1", "kind": "Job"}


class LocalQueue(Protocol):
    """A LocalQueue to which a Workload can be moved."""

    name: str


class Workload(
    StateFacts,
    ConditionFacts,
    ProvisioningFacts,
    HistoryFacts,
    RequeueFacts,
    FieldOwnerFacts,
    PositionFacts,
    JobFacts,
):
    """Predicates give a `Fact`; they read the object anew each time.

    KEP words where the KEP has one (admission.md §2.1).
    """

    # What it is

    def exists(self) -> Fact:
        """The Workload object is there."""
        view = self._read()
        return self._fact(view, bool(view.object), "it exists")

    def is_gone(self) -> Fact:
        """The Workload object is no longer there."""
        return self.exists().negate()

    def has_flavor(self, name: str) -> Fact:
        """Some resource is assigned to the flavor."""
        view = self._read()
        return self._fact(
            view, name in view.flavors(), f"flavor {name} is assigned", f"assigned flavors {view.flavors()}"
        )

    def has_admission(self, queue: LocalQueue, **pod_sets: Json) -> Fact:
        """The reservation is in this ClusterQueue,
        for exactly these pod sets, each with at least these fields.
        """
        view = self._read()
        admission = view.admission or {}
        assignments = {
            assignment["name"]: assignment for assignment in admission.get("podSetAssignments", [])
        }
        holds = admission.get("clusterQueue") == queue.name and assignments.keys() == pod_sets.keys()
        holds = holds and all(
            fields.items() <= assignments[name].items() for name, fields in pod_sets.items()
        )
        return self._fact(view, holds, f"reserved in {queue.name} with {pod_sets}", f"{admission}")

    def has_spec(self, **spec: Any) -> Fact:
        """The spec has these fields."""
        stored_spec = self.object.get("spec", {})
        observed = {name: stored_spec.get(name) for name in spec}
        return Fact(observed == spec, f"{self} asks for {spec}", f"{observed}")

    def has_annotation(self, name: str, value: str | None) -> Fact:
        """It has this annotation; None: it has none of this name."""
        annotation = (self.object.get("metadata", {}).get("annotations") or {}).get(name)
        return Fact(
            annotation == value, f"{self}: the annotation {name} is {value!r}", f"it is {annotation!r}"
        )

    def has_resource_requests(self, **resources: Json) -> Fact:
        """The status tells which resources were considered
        for each pod set, when there was no quota for them.
        """
        resource_requests = self._read().status.get("resourceRequests") or ()
        observed = {pod_set["name"]: pod_set.get("resources") for pod_set in resource_requests}
        return Fact(observed == resources, f"{self} was considered with {resources}", f"{observed}")

    def has_pod_sets(self, **counts: int) -> Fact:
        """It has exactly these pod sets, each with so many pods."""
        observed = {
            pod_set["name"]: pod_set["count"] for pod_set in self.object.get("spec", {}).get("podSets", [])
        }
        return Fact(observed == counts, f"{self} has the pod sets {counts}", f"{observed}")

    # What is done to it

    def set_pods_ready(self, ready: bool, reason: str) -> None:
        """Say of a bare Workload that its pods are ready,
        or why they are not, as an integration would write it.
        """
        tell_pods_ready(self._context, self.namespace, self.name, ready=ready, reason=reason)

    def set_verdicts(self, verdicts: Mapping[Check, str], **fields: Any) -> None:
        """Give several verdicts in one write, as if their controllers had answered at the same moment."""
        first, *_ = verdicts
        first.answer_together(self, {check.name: state for check, state in verdicts.items()}, **fields)

    def deactivate(self) -> None:
        """Set spec.active to false, as a user does."""
        self._context.client.merge(
            "Workload", self.name, {"spec": {"active": False}}, namespace=self.namespace
        )

    def reactivate(self) -> None:
        """Set spec.active to true, as a user does."""
        self._context.client.merge(
            "Workload", self.name, {"spec": {"active": True}}, namespace=self.namespace
        )

    def remove_gate(self) -> None:
        """Remove the Workload's admission gate."""
        gate = {"metadata": {"annotations": {"kueue.x-k8s.io/admission-gated-by": None}}}
        self._context.client.merge("Workload", self.name, gate, namespace=self.namespace)

    def set_queue(self, queue: LocalQueue) -> None:
        """Set spec.queueName to another LocalQueue, as a user does."""
        self._context.client.merge(
            "Workload", self.name, {"spec": {"queueName": queue.name}}, namespace=self.namespace
        )

    def try_to_move(self, queue: LocalQueue) -> Answer:
        """Try to move it to another LocalQueue, which must be refused, and return the answer."""
        return expect_refusal(lambda: self.set_queue(queue))

    def try_to_change(self, **sections: Any) -> Answer:
        """Try to change fields of metadata, spec or status; return the server's answer."""
        sub, client = ("status" if "status" in sections else ""), self._context.client
        return try_request(
            lambda: client.merge("Workload", self.name, sections, namespace=self.namespace, sub=sub)
        )

    def try_to_set_condition(self, condition: str) -> Answer:
        """Try to put a status with only this condition; return the server's answer."""
        claim = {
            "type": condition,
            "status": "True",
            "reason": "Testing",
            "message": "claimed by a scenario",
            "lastTransitionTime": timestamp(self._context.cluster.now()),
        }
        return self.try_to_change(status={"conditions": [claim]})

    def set_evicted(self, reason: str) -> None:
        """Set Evicted=True with this reason, as another part of the cluster does that has found one."""
        evicted = {
            "type": "Evicted",
            "status": "True",
            "reason": reason,
            "message": "said by a scenario",
            "lastTransitionTime": timestamp(self._context.cluster.now()),
        }
        other_conditions = [
            condition for condition in self.object["status"]["conditions"] if condition["type"] != "Evicted"
        ]
        self.try_to_change(status={"conditions": [*other_conditions, evicted]})

    def set_waiting_reason(self, reason: str) -> None:
        """Set the reason of QuotaReserved=False, as the integration of a job does."""
        reservation = {
            "type": "QuotaReserved",
            "status": "False",
            "reason": reason,
            "message": "said by a scenario",
        }
        conditions = self.object["status"]["conditions"]
        new = [
            {**condition, **reservation} if condition["type"] == reservation["type"] else condition
            for condition in conditions
        ]
        self.try_to_change(status={"conditions": new})

    def set_priority(self, number: int) -> None:
        """Set spec.priority, as a user or an integration does."""
        self._context.client.merge(
            "Workload", self.name, {"spec": {"priority": number}}, namespace=self.namespace
        )

    def set_reclaimable_pods(self, pods: int, pod_set: str = "main") -> None:
        """Set the number of reclaimable pods, as a job integration does."""
        given_back = {"reclaimablePods": [{"name": pod_set, "count": pods}]}
        self._context.client.merge(
            "Workload", self.name, {"status": given_back}, namespace=self.namespace, sub="status"
        )

    def in_version(self, version: str) -> Json:
        """Return the object in a version of the API."""
        return self._context.client.speaking(version).get("Workload", self.name, self.namespace)

    def touch(self) -> None:
        """Change an unused label, so that every watcher gets an event."""
        label = {"kueue-conformance.dev/touched": str(self.history.last_revision)}
        self._context.client.merge(
            "Workload", self.name, {"metadata": {"labels": label}}, namespace=self.namespace
        )

    def add_foreign_finalizer(self) -> None:
        """Put a finalizer of another client on it, so that its deletion takes a while."""
        self._context.client.merge(
            "Workload", self.name, {"metadata": {"finalizers": [KEPT]}}, namespace=self.namespace
        )
        self._context.client.afterwards(self.remove_foreign_finalizer)

    def remove_foreign_finalizer(self) -> None:
        """Remove that finalizer."""

        def without_finalizer(current: Json) -> Json:
            finalizers = [
                finalizer for finalizer in current["metadata"].get("finalizers", []) if finalizer != KEPT
            ]
            return {**current, "metadata": {**current["metadata"], "finalizers": finalizers}}

        if self.exists():
            self._context.client.update("Workload", self.name, without_finalizer, namespace=self.namespace)

    def delete(self) -> None:
        """Delete the Job, or the bare Workload."""
        self._context.client.delete("Job" if self.job else "Workload", self.job or self.name, self.namespace)

    def delete_workload(self) -> None:
        """Delete the Workload itself, also that of a Job."""
        self._context.client.delete("Workload", self.name, self.namespace)

    def force_delete(self) -> None:
        """Delete the Workload itself without Kueue's leave: its finalizers are removed first."""
        self._context.client.merge(
            "Workload", self.name, {"metadata": {"finalizers": None}}, namespace=self.namespace
        )
        self.delete_workload()

    def has_kueue_finalizer(self) -> Fact:
        """Kueue's finalizer keeps it."""
        names = self.object.get("metadata", {}).get("finalizers") or []
        return Fact(HELD in names, f"{self} has the finalizer {HELD}", f"it has {names}")

    def has_foreign_finalizer(self) -> Fact:
        """The finalizer of another client keeps it."""
        names = self.object["metadata"].get("finalizers") or []
        return Fact(KEPT in names, f"{self} has the finalizer {KEPT}", f"it has {names}")

    def add_reference_to(self, job: Job) -> None:
        """Add a reference to a Job that does not control it, as a user's own tool does."""
        owner = {**JOB_KIND, "name": job.name, "uid": job.object["metadata"]["uid"]}
        self._context.client.merge(
            "Workload", self.name, {"metadata": {"ownerReferences": [owner]}}, namespace=self.namespace
        )

    def annotate(self, name: str, value: str) -> None:
        """Set an annotation, as any user may."""
        self._context.client.merge(
            "Workload", self.name, {"metadata": {"annotations": {name: value}}}, namespace=self.namespace
        )

    def label_as_orphan(self) -> None:
        """Label a bare Workload as one of a Job, with Kueue's finalizer beside those that it has; it has no
        owner, so that the Job is gone (AC-297).
        """
        label = {"kueue.x-k8s.io/job-uid": "00000000-0000-4000-8000-000000000000"}
        finalizers = [*(self.object["metadata"].get("finalizers") or ()), HELD]
        self._context.client.merge(
            "Workload",
            self.name,
            {"metadata": {"labels": label, "finalizers": finalizers}},
            namespace=self.namespace,
        )

    def finish(self) -> None:
        """Finish it successfully: the Job succeeds, or a bare Workload gets Finished=True."""
        if self.job:
            finish_job(self._context, self.namespace, self.job)
        else:
            finish(self._context, self.namespace, self.name)

    def state_without_entries(self) -> tuple[Any, Any]:
        """Return spec and status as `state` does, but for the checks."""
        spec, status = self.state()
        return spec, {key: value for key, value in (status or {}).items() if key != "admissionChecks"}

    def state(self) -> tuple[Any, Any]:
        """Return spec and status, for a later comparison."""
        workload = self.object
        return workload.get("spec"), workload.get("status")

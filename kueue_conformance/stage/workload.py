"""A Workload, bare or made for a Job: what it was asked for, what can be seen of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, TypeAlias

from ..fact import Fact
from ..numbers import moment
from .answer import Answer, refused, tried
from .attempts import Attempts
from .check import Check, timestamp
from .endings import finish, finish_job, tell_pods_ready
from .entries import Entries
from .past import Past

Json: TypeAlias = Any
KEPT = "example.com/kept"


class LocalQueue(Protocol):
    """Where a Workload can be moved to."""

    name: str


class Workload(Entries, Past, Attempts):
    """Predicates give a `Fact`; they read the object anew each time. KEP words where the KEP has one (admission.md §2.1)."""

    # What it is

    def is_suspended(self) -> Fact:
        """Suspended: no quota is reserved, no admission is set, and it is not Admitted."""
        view = self._read()
        return self._fact(view, view.holds_nothing, "Suspended (no quota reserved)")

    def is_prechecked(self) -> Fact:
        """Prechecked: quota is reserved, and the Workload is not admitted."""
        view = self._read()
        reserved = view.is_true("QuotaReserved") and bool(view.admission)
        return self._fact(
            view, reserved and not view.is_true("Admitted"), "Prechecked (QuotaReserved=True, not Admitted)"
        )

    def is_admitted(self) -> Fact:
        """Admitted, with quota."""
        view = self._read()
        return self._fact(view, view.is_true("Admitted") and view.is_true("QuotaReserved"), "Admitted")

    def is_evicted(self) -> Fact:
        """Evicted=True."""
        view = self._read()
        return self._fact(view, view.is_true("Evicted"), "Evicted=True")

    def is_rejected(self) -> Fact:
        """Rejected: no quota, and never tried again without a human action (D-08)."""
        view = self._read()
        out = {"deactivated": not view.active, "finished": view.is_true("Finished")}[
            self._bench.dialect.fact("reject")
        ]
        return self._fact(view, out and view.holds_nothing, "Rejected (given up and without quota)")

    def is_inactive(self) -> Fact:
        """spec.active is false."""
        view = self._read()
        return self._fact(view, not view.active, "spec.active is false")

    def is_active_and_suspended(self) -> Fact:
        """spec.active is not false, and no quota is reserved."""
        view = self._read()
        return self._fact(view, view.active and view.holds_nothing, "active, and Suspended")

    def exists(self) -> Fact:
        """The Workload object is there."""
        view = self._read()
        return self._fact(view, bool(view.object), "it exists")

    def is_gone(self) -> Fact:
        """The Workload object is no longer there."""
        return self.exists().denied()

    def waits_for_requeue(self) -> Fact:
        """status.requeueState is set."""
        view = self._read()
        return self._fact(
            view, "requeueState" in view.status, "requeueState is set", f"{view.status.get('requeueState')}"
        )

    def holds_quota(self) -> Fact:
        """Quota is reserved, and its assignment is set."""
        view = self._read()
        return self._fact(view, view.is_true("QuotaReserved") and bool(view.admission), "it holds quota")

    def lacks(self, condition: str) -> Fact:
        """There is no condition of this type."""
        view = self._read()
        return self._fact(view, not view.condition(condition), f"no condition {condition}")

    def is_finished(self) -> Fact:
        """Finished=True."""
        view = self._read()
        return self._fact(view, view.is_true("Finished"), "Finished=True")

    def has_reason(self, condition: str, *reasons: str) -> Fact:
        """The condition is True or False for one of these reasons."""
        view = self._read()
        held = view.condition(condition).get("reason", "") in reasons
        return self._fact(view, held, f"{condition} with reason {' or '.join(reasons)}")

    def says_just(self, condition: str, text: str) -> Fact:
        """The condition's message is exactly this text."""
        message = self._read().condition(condition).get("message", "")
        return Fact(message == text, f"{self}: {condition} says {text!r}", f"it says {message!r}")

    def has_condition(self, condition: str, status: str, *reasons: str) -> Fact:
        """The condition has this status, for one of the reasons (any when none is named); an empty status means any."""
        view = self._read()
        found = view.condition(condition)
        held = bool(found) and status in ("", found["status"]) and (not reasons or found["reason"] in reasons)
        return self._fact(view, held, f"{condition}={status or 'any'} {' or '.join(reasons)}")

    def condition(self, condition: str) -> Json:
        """Return a condition as it is now, empty when there is none."""
        return self._read().condition(condition)

    def waited_for(self, condition: str) -> float:
        """Return how many seconds after its creation a condition took its status."""
        view = self._read()
        return moment(view.condition(condition)["lastTransitionTime"]) - moment(
            view.object["metadata"]["creationTimestamp"]
        )

    def says(self, condition: str, text: str) -> Fact:
        """The condition's message contains a text."""
        view = self._read()
        message = view.condition(condition).get("message", "")
        return self._fact(view, text in message, f"{condition} with the message {text!r}", repr(message))

    def uses_flavor(self, name: str) -> Fact:
        """Some resource is assigned to the flavor."""
        view = self._read()
        return self._fact(
            view, name in view.flavors(), f"flavor {name} is assigned", f"assigned flavors {view.flavors()}"
        )

    def has_admission(self, queue: LocalQueue, **pod_sets: Json) -> Fact:
        """The reservation is in this ClusterQueue, for exactly these pod sets, each with at least these fields."""
        view = self._read()
        admission = view.admission or {}
        told = {one["name"]: one for one in admission.get("podSetAssignments", [])}
        held = admission.get("clusterQueue") == queue.name and told.keys() == pod_sets.keys()
        held = held and all(wanted.items() <= told[name].items() for name, wanted in pod_sets.items())
        return self._fact(view, held, f"reserved in {queue.name} with {pod_sets}", f"{admission}")

    def belongs_to_its_job(self) -> Fact:
        """The Job owns and manages it, and a finalizer keeps it as long as Kueue needs it."""
        metadata = self.object.get("metadata", {})
        owners = [one for one in metadata.get("ownerReferences", []) if one.get("controller")]
        held = [one["name"] for one in owners] == [self.job] and bool(metadata.get("finalizers"))
        return Fact(held, f"{self} is managed by Job {self.job}", f"{owners}, {metadata.get('finalizers')}")

    def is_the_only_one(self) -> Fact:
        """No other Workload was made for the Job."""
        owned = [one for one in self._bench.client.list("Workload", self.namespace) if self._is_ours(one)]
        names = [one["metadata"]["name"] for one in owned]
        return Fact(names == [self.name], f"{self} is the only one of Job {self.job}", f"{names}")

    def asks_for(self, **spec: Any) -> Fact:
        """The spec has these fields."""
        told = self.object.get("spec", {})
        seen = {name: told.get(name) for name in spec}
        return Fact(seen == spec, f"{self} asks for {spec}", f"{seen}")

    def has_pods(self, **counts: int) -> Fact:
        """It has exactly these pod sets, each with so many pods."""
        seen = {one["name"]: one["count"] for one in self.object.get("spec", {}).get("podSets", [])}
        return Fact(seen == counts, f"{self} has the pod sets {counts}", f"{seen}")

    # What is done to it

    def has_pods_ready(self, ready: bool, reason: str) -> None:
        """Say of a bare Workload that its pods are ready, or why they are not, as an integration would write it."""
        tell_pods_ready(self._bench, self.namespace, self.name, ready=ready, reason=reason)

    def is_judged(self, verdicts: Mapping[Check, str], **more: Any) -> None:
        """Give several verdicts in one write, as if their controllers had answered at the same moment."""
        first, *_ = verdicts
        first.answer_together(self, {check.name: state for check, state in verdicts.items()}, **more)

    def deactivate(self) -> None:
        """Set spec.active to false, as a user does."""
        self._bench.client.merge("Workload", self.name, {"spec": {"active": False}}, namespace=self.namespace)

    def reactivate(self) -> None:
        """Set spec.active to true, as a user does."""
        self._bench.client.merge("Workload", self.name, {"spec": {"active": True}}, namespace=self.namespace)

    def ungate(self) -> None:
        """Take the admission gate away from the Workload."""
        gate = {"metadata": {"annotations": {"kueue.x-k8s.io/admission-gated-by": None}}}
        self._bench.client.merge("Workload", self.name, gate, namespace=self.namespace)

    def moves_to(self, queue: LocalQueue) -> None:
        """Set spec.queueName to another LocalQueue, as a user does."""
        self._bench.client.merge(
            "Workload", self.name, {"spec": {"queueName": queue.name}}, namespace=self.namespace
        )

    def refusal_of_move(self, queue: LocalQueue) -> Answer:
        """Try to move it to another LocalQueue, which must be refused, and return the answer."""
        return refused(lambda: self.moves_to(queue))

    def changes(self, **sections: Any) -> Answer:
        """Change fields of metadata, spec or status, as anybody may try to; return what the server says against it."""
        sub, client = ("status" if "status" in sections else ""), self._bench.client
        return tried(lambda: client.merge("Workload", self.name, sections, namespace=self.namespace, sub=sub))

    def claims(self, condition: str) -> Answer:
        """Put a condition into the status without anything else; return what the server says against it."""
        claim = {
            "type": condition, "status": "True", "reason": "Testing", "message": "claimed by a scenario",
            "lastTransitionTime": timestamp(self._bench.cluster.now()),
        }  # fmt: skip
        return self.changes(status={"conditions": [claim]})

    def has_priority(self, number: int) -> None:
        """Set spec.priority, as a user or an integration does."""
        self._bench.client.merge(
            "Workload", self.name, {"spec": {"priority": number}}, namespace=self.namespace
        )

    def gives_back(self, pods: int, pod_set: str = "main") -> None:
        """Say that so many pods are not needed any more, as a job integration does."""
        given_back = {"reclaimablePods": [{"name": pod_set, "count": pods}]}
        self._bench.client.merge(
            "Workload", self.name, {"status": given_back}, namespace=self.namespace, sub="status"
        )

    def in_version(self, version: str) -> Json:
        """Return the object as it is read in a version of the API."""
        return self._bench.client.speaking(version).get("Workload", self.name, self.namespace)

    def touch(self) -> None:
        """Change a label that means nothing, so that whoever watches looks again."""
        label = {"kueue-conformance.dev/touched": str(self.history.last_revision)}
        self._bench.client.merge(
            "Workload", self.name, {"metadata": {"labels": label}}, namespace=self.namespace
        )

    def is_kept(self) -> None:
        """Have somebody else put a finalizer on it, so that its deletion takes a while."""
        self._bench.client.merge(
            "Workload", self.name, {"metadata": {"finalizers": [KEPT]}}, namespace=self.namespace
        )
        self._bench.client.afterwards(self.is_let_go)

    def is_let_go(self) -> None:
        """Take that finalizer away again."""

        def freed(current: Json) -> Json:
            kept = [one for one in current["metadata"].get("finalizers", []) if one != KEPT]
            return {**current, "metadata": {**current["metadata"], "finalizers": kept}}

        if self.exists():
            self._bench.client.update("Workload", self.name, freed, namespace=self.namespace)

    def delete(self) -> None:
        """Delete the Job, or the bare Workload."""
        self._bench.client.delete("Job" if self.job else "Workload", self.job or self.name, self.namespace)

    def is_deleted(self) -> None:
        """Delete the Workload itself, whatever it was made for."""
        self._bench.client.delete("Workload", self.name, self.namespace)

    def is_left_by_a_job(self) -> None:
        """Label a bare Workload as one that was made for a Job; nobody owns it, so that the Job is gone (AC-297)."""
        label = {"kueue.x-k8s.io/job-uid": "00000000-0000-4000-8000-000000000000"}
        self._bench.client.merge(
            "Workload", self.name, {"metadata": {"labels": label}}, namespace=self.namespace
        )

    def finish(self) -> None:
        """Have it end well: the Job succeeds, or Finished=True on a bare Workload."""
        if self.job:
            finish_job(self._bench, self.namespace, self.job)
        else:
            finish(self._bench, self.namespace, self.name)

    def state_without_entries(self) -> tuple[Any, Any]:
        """Return spec and status as `state` does, but for the checks."""
        spec, status = self.state()
        return spec, {key: value for key, value in (status or {}).items() if key != "admissionChecks"}

    def state(self) -> tuple[Any, Any]:
        """Return spec and status as they are now, to compare them later."""
        found = self.object
        return found.get("spec"), found.get("status")

"""A job of the kind that the judged integration brings, and its Workload."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from ...base.job_fields import FAILED, QUEUE_LABEL, RUNNING, STOPPED, SUCCEEDED, value_at
from ...base.json_types import Json
from ...case.context import CaseContext, within
from ...history.fact import Fact, Premise
from ...history.story import SUBJECT
from ...subject.job_kind import JobKind, patch_at, with_value_at
from ...subject.job_options import RECLAIMABLE, STARTING
from ..checks.check import timestamp
from ..workloads.job import KEPT, PRIORITY_LABEL
from ..workloads.workload import Workload
from .pod_templates import meaning, request_amounts, requests, section

OPERATOR = "job-operator"
"""The first word of the User-Agent of the kind's operator, which the harness plays."""


class LocalQueue(Protocol):
    """A LocalQueue to which a job can be moved."""

    name: str


class IntegratedJob:
    """One job, read anew by each fact."""

    def __init__(self, context: CaseContext, kind: JobKind, namespace: str, name: str) -> None:
        self._context = context
        self._kind = kind
        self.namespace = namespace
        self.name = name
        self._start_time = ""
        """When its pods began; empty while none is there."""

    @property
    def object(self) -> Json:
        """The current job; empty when it does not exist."""
        return self._context.client.find(self._kind.kind, self.name, self.namespace) or {}

    @property
    def uid(self) -> str:
        """Its uid, empty when it does not exist."""
        return str(self.object.get("metadata", {}).get("uid", ""))

    @property
    def workload(self) -> Workload:
        """The Workload of the present job of this name."""
        return Workload(
            self._context, self.namespace, job=self.name, job_kind=self._kind.kind, job_uid=self.uid
        )

    @property
    def reference(self) -> Json:
        """The owner reference by which it controls something."""
        own = {"apiVersion": self.object["apiVersion"], "kind": self._kind.kind, "name": self.name}
        return {**own, "uid": self.uid, "controller": True, "blockOwnerDeletion": True}

    @property
    def workload_uid(self) -> str:
        """The uid of its Workload, for a later comparison."""
        return str(self.workload.object["metadata"]["uid"])

    @property
    def templates(self) -> Sequence[Json]:
        """The pod templates of its pod sets, for a later comparison."""
        return self._kind.templates(self.object)

    @property
    def main_pod_set(self) -> str:
        """The name of its main pod set in its Workload."""
        number = list(self._kind.pod_sets).index(self._kind.main)
        return str(self.workload.object["spec"]["podSets"][number]["name"])

    @property
    def _main_template(self) -> Json:
        return value_at(self.object, self._kind.main.template)

    # Facts

    def is_running(self) -> Fact:
        """It is there and not suspended."""
        return self._fact(bool(self.object) and not self._kind.is_suspended(self.object), "not suspended")

    def is_suspended(self) -> Fact:
        """It is there and suspended."""
        return self._fact(self._kind.is_suspended(self.object), "suspended")

    def is_gone(self) -> Fact:
        """It does not exist any more."""
        return Fact(not self.object, f"{self} is gone", "it is there")

    def was_started(self, times: int) -> Fact:
        """The integration has started it so often."""
        count = sum(
            self._kind.is_suspended(change.before or {})
            and bool(change.after)
            and not self._kind.is_suspended(change.after or {})
            for change in self._story().by(SUBJECT)
        )
        return Fact(count == times, f"{self} was started {times} time(s)", f"{count} time(s)")

    def was_written(self) -> Fact:
        """The integration has written it, or its status."""
        writes = [*self._story().by(SUBJECT)]
        return Fact(bool(writes), f"{self} was written by the integration", f"{len(writes)} write(s)")

    def has_templates(self, expected: Sequence[Json]) -> Fact:
        """Its pod templates are exactly these, in whichever form its integration writes them."""
        observed = self.templates
        holds = [*map(meaning, observed)] == [*map(meaning, expected)]
        return Fact(holds, f"{self} has the templates {expected}", f"{observed}")

    def has_in_template(self, field: str, expected: Mapping[str, str]) -> Fact:
        """The template of its main pod set has these labels, annotations or entries of nodeSelector."""
        observed = section(self._main_template, field)
        return Fact(
            expected.items() <= observed.items(),
            f"the {field} of {self} has {dict(expected)}",
            f"{dict(observed)}",
        )

    def has_none_in_templates(self, field: str, keys: Mapping[str, str]) -> Fact:
        """No pod template has any of these labels, annotations or entries of nodeSelector."""
        observed = [section(template, field) for template in self.templates]
        holds = not any(keys.items() & section.items() for section in observed)
        return Fact(holds, f"the {field} of {self} has none of {dict(keys)}", f"{observed}")

    def has_no_toleration(self, toleration: Mapping[str, str]) -> Fact:
        """No pod template tolerates this."""
        observed = [template["spec"].get("tolerations", []) for template in self.templates]
        holds = not any(dict(toleration) in tolerations for tolerations in observed)
        return Fact(holds, f"{self} does not tolerate {dict(toleration)}", f"{observed}")

    def has_toleration(self, toleration: Mapping[str, str]) -> Fact:
        """The template of its main pod set tolerates this, and says so once."""
        observed = self._main_template["spec"].get("tolerations", [])
        return Fact(
            observed.count(dict(toleration)) == 1, f"{self} tolerates {dict(toleration)}", f"{observed}"
        )

    def is_described_by_its_workload(self) -> Fact:
        """The pod sets of its Workload have its counts, and the containers of its templates."""
        expected = [*zip(self._kind.counts(self.object), map(requests, self.templates), strict=True)]
        pod_sets = self.workload.object.get("spec", {}).get("podSets", [])
        observed = [(pod_set["count"], requests(pod_set["template"])) for pod_set in pod_sets]
        holds = [*map(request_amounts, observed)] == [*map(request_amounts, expected)]
        return Fact(holds, f"the Workload of {self} has the pod sets {expected}", f"{observed}")

    def is_controller_of_its_workload(self) -> Fact:
        """Its Workload is controlled by this very job: by apiVersion, kind, name and uid."""
        current = self.object
        expected = (current["apiVersion"], self._kind.kind, self.name, self.uid)
        owners = self.workload.object.get("metadata", {}).get("ownerReferences", [])
        observed = [
            tuple(owner[name] for name in ("apiVersion", "kind", "name", "uid"))
            for owner in owners
            if owner.get("controller")
        ]
        return Fact(observed == [expected], f"{self} controls its Workload: {expected}", f"{observed}")

    def has_priority_in_workload(self, name: str, value: int) -> Fact:
        """Its Workload has this WorkloadPriorityClass, with its value."""
        spec = self.workload.object.get("spec", {})
        observed = (spec.get("priorityClassRef", {}).get("name"), spec.get("priority"))
        return Fact(
            observed == (name, value), f"the Workload of {self} has priority {name}, {value}", f"{observed}"
        )

    def has_another_workload_than(self, uid: str) -> Fact:
        """It has one Workload, which is not the one of this uid."""
        uids = [workload["metadata"]["uid"] for workload in self._workloads()]
        return Fact(
            len(uids) == 1 and uids != [uid], f"{self} has one Workload, and not that of uid {uid}", f"{uids}"
        )

    def has_workload(self, uid: str) -> Fact:
        """It has one Workload, which is the one of this uid."""
        uids = [workload["metadata"]["uid"] for workload in self._workloads()]
        return Fact(uids == [uid], f"{self} has one Workload, that of uid {uid}", f"{uids}")

    def has_no_workload(self) -> Fact:
        """No Workload belongs to a job of its name."""
        names = [workload["metadata"]["name"] for workload in self._workloads()]
        return Fact(not names, f"{self} has no Workload", f"{names}")

    def has_pods(self, pods: int) -> Fact:
        """Its main pod set has so many pods."""
        count = value_at(self.object, self._kind.main.count)
        return Fact(count == pods, f"{self} has {pods} pod(s)", f"{count}")

    def is_managed_by(self, controller: str) -> Fact:
        """Its field says that this controller runs it."""
        observed = value_at(self.object, tuple(self._kind.options.managed_by))
        return Fact(observed == controller, f"{self} is managed by {controller}", f"{observed}")

    def has_event(self, reason: str) -> Fact:
        """An Event with this reason was told about it."""
        reasons = [
            event["reason"]
            for event in self._context.client.list("Event", self.namespace)
            if event["involvedObject"].get("uid") == self.uid
        ]
        return Fact(reason in reasons, f"an Event {reason} about {self}", f"{reasons}")

    def has_reclaimable_pods(self, pods: int) -> Fact:
        """Its Workload says that so many pods of its main pod set will not run again."""
        status, name = self.workload.object.get("status", {}), self.main_pod_set
        observed = [entry["count"] for entry in status.get("reclaimablePods", []) if entry["name"] == name]
        return Fact(observed == [pods], f"{pods} pod(s) of {self} are reclaimable", f"{observed}")

    def has_label(self, name: str, value: str) -> Fact:
        """It has this label."""
        labels = self.object.get("metadata", {}).get("labels") or {}
        return Fact(labels.get(name) == value, f"{self} has the label {name}={value}", f"{labels}")

    def has_one_workload(self) -> Fact:
        """Exactly one Workload belongs to a job of its name."""
        names = [workload["metadata"]["name"] for workload in self._workloads()]
        return Fact(len(names) == 1, f"{self} has one Workload", f"{names}")

    def has_no_quota(self) -> Fact:
        """No Workload of a job of its name holds quota, unless it is Finished."""
        holding = [
            workload["metadata"]["name"]
            for workload in self._workloads()
            if _is_true(workload, "QuotaReserved") and not _is_true(workload, "Finished")
        ]
        return Fact(not holding, f"no Workload of {self} holds quota", f"{holding}")

    # What its user does

    def set_label(self, name: str, value: str) -> None:
        """Put a label on it that means nothing to Kueue."""
        self._merge({"metadata": {"labels": {name: value}}})

    def suspend(self) -> None:
        """Hold it back by hand."""
        self._merge(patch_at(self._kind.suspend, True))

    def resume(self) -> None:
        """Let it run by hand."""
        self._merge(patch_at(self._kind.suspend, False))

    def set_queue(self, queue: LocalQueue) -> None:
        """Name another LocalQueue."""
        self._merge({"metadata": {"labels": {QUEUE_LABEL: queue.name}}})

    def set_priority_class(self, name: str) -> None:
        """Name another WorkloadPriorityClass."""
        self._merge({"metadata": {"labels": {PRIORITY_LABEL: name}}})

    def set_parallelism(self, pods: int) -> None:
        """Let its main pod set have so many pods."""
        self._merge(patch_at(self._kind.main.count, pods))

    def set_cpu(self, cpu: str) -> None:
        """Change what each pod of its main pod set requests."""
        path = (*self._kind.main.template, "spec", "containers")

        def with_request(current: Json) -> Json:
            first, *others = value_at(current, path)
            changed = {**first, "resources": {"requests": {"cpu": cpu}}}
            return with_value_at(current, path, [changed, *others])

        self._context.client.update(self._kind.kind, self.name, with_request, namespace=self.namespace)

    def delete(self) -> None:
        """Delete it."""
        self._context.client.delete(self._kind.kind, self.name, self.namespace)

    def keep(self) -> None:
        """Put a finalizer of another client on it, so that its deletion takes a while."""
        self._merge({"metadata": {"finalizers": [KEPT]}})
        self._context.client.afterwards(self.let_go)

    def let_go(self) -> None:
        """Remove that finalizer."""
        if self.object:
            self._merge({"metadata": {"finalizers": None}})

    def add_workload(self) -> None:
        """Create a second Workload that it controls, as a restored backup does."""
        first = self.workload.object
        metadata = {name: first["metadata"][name] for name in ("labels", "ownerReferences")}
        second = {
            "apiVersion": first["apiVersion"],
            "kind": first["kind"],
            "metadata": {**metadata, "name": f"{self.name}-restored", "namespace": self.namespace},
            "spec": first["spec"],
        }
        self._context.client.create(second)

    # What the operator of its kind does

    def begin_pods(self) -> None:
        """Let its pods run."""
        self._set_status(RUNNING)

    def begin_some_pods(self) -> None:
        """Let its pods run, and not all be ready."""
        self._set_status(STARTING)

    def end_some_pods(self, pods: int) -> None:
        """Let so many of its pods end well, and the others run."""
        self._set_status(RECLAIMABLE, ended=pods)

    def end_pods(self) -> None:
        """Let no pod of it be left."""
        self._set_status(STOPPED)

    def succeed(self) -> None:
        """Let it end well."""
        self._set_status(SUCCEEDED)

    def fail(self) -> None:
        """Let it fail for good."""
        self._set_status(FAILED)

    def _set_status(self, state: str, ended: int = 0) -> None:
        """Bring a state about: by the driver that is declared for it, else by writing the status."""
        pods, time = sum(self._kind.counts(self.object)), timestamp(self._context.cluster.now())
        self._start_time = self._start_time or time
        words = {"parallelism": pods, "ended": ended, "left": pods - ended}
        times = {"time": time, "startTime": self._start_time}
        if state == STOPPED:
            self._start_time = ""
        driver = self._kind.drivers.get(state)
        if driver is not None:
            identity = {"name": self.name, "namespace": self.namespace, "state": state}
            driver.bring_about(
                {**identity, **{word: str(value) for word, value in words.items()}},
                self._context.cluster.kubeconfig,
            )
            within("react", lambda: self._has_come_about(state))
            return
        operator = self._context.client.with_agent(OPERATOR)
        status = self._kind.status(state, **words, **times)
        operator.merge(self._kind.kind, self.name, {"status": status}, namespace=self.namespace, sub="status")

    def _has_come_about(self, state: str) -> Premise:
        observed = self.object.get("status")
        return Premise(
            self._kind.fields.is_in(self.object, state),
            f"the operator of {self} writes the status of job.status.{state}",
            f"{observed}",
        )

    def _merge(self, patch: Json) -> None:
        self._context.client.merge(self._kind.kind, self.name, patch, namespace=self.namespace)

    def _story(self) -> Any:
        return self._context.history.of(self._kind.kind, self.name, self.namespace)

    def _workloads(self) -> list[Json]:
        return [
            workload
            for workload in self._context.client.list("Workload", self.namespace)
            for owner in workload["metadata"].get("ownerReferences", [])
            if (owner["kind"], owner["name"]) == (self._kind.kind, self.name)
        ]

    def _fact(self, holds: bool, expected: str) -> Fact:
        suspended = self._kind.is_suspended(self.object)
        observed = ("suspended" if suspended else "not suspended") if self.object else "it is gone"
        return Fact(holds, f"{self} is {expected}", observed)

    def __str__(self) -> str:
        return f"{self._kind.kind} {self.name}"


def _is_true(workload: Json, name: str) -> bool:
    conditions = workload.get("status", {}).get("conditions", [])
    return any(condition["type"] == name and condition["status"] == "True" for condition in conditions)

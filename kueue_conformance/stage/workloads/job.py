"""The Job of a Workload."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from ...base.job_fields import QUEUE_LABEL
from ...base.json_types import Json
from ...case.context import CaseContext
from ...history.fact import Fact
from ..answer import Answer, try_request
from ..checks.check import timestamp
from .endings import fail_job, write_job_status

KEPT = "example.com/kept"
STOPPING = "kueue.x-k8s.io/stopping"
MIN_PARALLELISM = "kueue.x-k8s.io/job-min-parallelism"
PRIORITY_LABEL = "kueue.x-k8s.io/priority-class"
TIMEOUTS = "kueue.x-k8s.io/wait-for-pods-ready"
TIME_LIMIT_LABEL = "kueue.x-k8s.io/max-exec-time-seconds"


class LocalQueue(Protocol):
    """A LocalQueue to which a Job can be moved."""

    name: str


class Job:
    """One Job, read anew by each fact."""

    def __init__(self, context: CaseContext, namespace: str, name: str) -> None:
        self._context = context
        self.namespace = namespace
        self.name = name

    @property
    def object(self) -> Json:
        """The current Job; empty when it does not exist."""
        return self._context.client.find("Job", self.name, self.namespace) or {}

    def is_suspended(self) -> Fact:
        """spec.suspend is true."""
        return self._fact(self.object["spec"].get("suspend") is True, "suspended")

    def is_stopped(self) -> Fact:
        """It is suspended, and no longer marked as one that is being stopped (AC-336)."""
        marked = (self.object["metadata"].get("annotations") or {}).get(STOPPING)
        return self._fact(self.object["spec"].get("suspend") is True and not marked, "stopped for good")

    def is_being_stopped(self) -> Fact:
        """It is suspended, and marked as one whose stop is not over (AC-336)."""
        marked = (self.object["metadata"].get("annotations") or {}).get(STOPPING) == "true"
        return self._fact(marked and self.object["spec"].get("suspend") is True, "marked as being stopped")

    def has_priority_class(self, name: str | None) -> Fact:
        """It names this WorkloadPriorityClass, None: none."""
        observed = (self.object["metadata"].get("labels") or {}).get(PRIORITY_LABEL)
        return Fact(observed == name, f"Job {self.name} has priority class {name}", f"{observed}")

    def has_annotation(self, name: str, value: str) -> Fact:
        """It bears this annotation."""
        annotations = self.object["metadata"].get("annotations") or {}
        return Fact(annotations.get(name) == value, f"Job {self.name} has {name}={value}", f"{annotations}")

    def is_started(self) -> Fact:
        """spec.suspend is false."""
        return self._fact(self.object["spec"].get("suspend") is False, "started")

    def has_in_template(self, field: str, expected: Mapping[str, str]) -> Fact:
        """The pod template has these labels, annotations or nodeSelector entries."""
        observed = self._template(field)
        return Fact(
            expected.items() <= observed.items(),
            f"the template's {field} contains {dict(expected)}",
            f"{dict(observed)}",
        )

    def has_none_in_template(self, field: str, *keys: str) -> Fact:
        """The pod template has none of these labels, annotations or nodeSelector entries."""
        observed = self._template(field)
        return Fact(
            not observed.keys() & set(keys),
            f"the template's {field} lacks {sorted(keys)}",
            f"{dict(observed)}",
        )

    def has_toleration(self, toleration: Mapping[str, str], times: int = 1) -> Fact:
        """The pod template has the toleration exactly so many times."""
        tolerations = self.object["spec"]["template"]["spec"].get("tolerations", [])
        return Fact(
            tolerations.count(dict(toleration)) == times,
            f"toleration {dict(toleration)} occurs {times} time(s)",
            f"{tolerations}",
        )

    def has_toleration_count(self, times: int) -> Fact:
        """The pod template has so many tolerations."""
        tolerations = self.object["spec"]["template"]["spec"].get("tolerations", [])
        return Fact(len(tolerations) == times, f"Job {self.name} has {times} toleration(s)", f"{tolerations}")

    def has_parallelism(self, pods: int) -> Fact:
        """spec.parallelism is this number."""
        observed = self.object["spec"].get("parallelism")
        return Fact(observed == pods, f"Job {self.name} has parallelism {pods}", f"{observed}")

    def has_completions(self, pods: int) -> Fact:
        """spec.completions is this number."""
        observed = self.object["spec"].get("completions")
        return Fact(observed == pods, f"Job {self.name} has completions {pods}", f"{observed}")

    @property
    def template(self) -> Json:
        """The pod template, for a later comparison."""
        return self.object["spec"]["template"]

    @property
    def pod_count(self) -> int:
        """The number of pods that it runs at once, for a later comparison."""
        spec = self.object["spec"]
        return min(int(spec["parallelism"]), int(spec.get("completions", spec["parallelism"])))

    @property
    def min_parallelism(self) -> int | None:
        """The number of pods at once that are enough for it; None where it takes all or none."""
        text = (self.object["metadata"].get("annotations") or {}).get(MIN_PARALLELISM)
        return None if text is None else int(text)

    @property
    def time_limit(self) -> int | None:
        """Its maximum execution time in seconds; None where it has none."""
        text = self.object["metadata"]["labels"].get(TIME_LIMIT_LABEL)
        return None if text is None else int(text)

    def has_template(self, expected: Json) -> Fact:
        """The pod template is exactly this."""
        return Fact(
            self.template == expected, f"Job {self.name} has the template {expected}", f"{self.template}"
        )

    # What is done to it

    def set_pods(
        self, active: int, *, ready: int | None = None, succeeded: int = 0, terminating: int | None = None
    ) -> None:
        """Set the number of its active pods, all ready by default, and of those that have succeeded or are
        terminating, as a Job controller does.
        """
        counts = {"active": active, "ready": active if ready is None else ready, "succeeded": succeeded}
        self._set_status({**counts, "terminating": terminating})

    def set_indexes(self, active: int, *, completed: str = "", failed: str = "") -> None:
        """Set which indexes have completed, and which have failed for good: `0,2-4`."""
        indexes = {"completedIndexes": completed, "failedIndexes": failed or None}
        self._set_status({"active": active, "ready": active, **indexes})

    def fail(self, message: str) -> None:
        """Make it Failed, as a Job controller does."""
        fail_job(self._context, self.namespace, self.name, message)

    def add_foreign_finalizer(self) -> None:
        """Put a finalizer of another client on it, so that its deletion takes a while."""
        self._merge({"metadata": {"finalizers": [KEPT]}})
        self._context.client.afterwards(self.remove_foreign_finalizer)

    def remove_foreign_finalizer(self) -> None:
        """Remove that finalizer."""
        if self.object:
            self._merge({"metadata": {"finalizers": None}})

    def suspend(self) -> None:
        """Set spec.suspend to true, as a user pauses a Job."""
        self._merge({"spec": {"suspend": True}})

    def unsuspend(self) -> None:
        """Set spec.suspend to false, as a user starts a Job without waiting for Kueue."""
        self._merge({"spec": {"suspend": False}})

    def set_queue(self, queue: LocalQueue) -> None:
        """Name another LocalQueue."""
        self._merge({"metadata": {"labels": {QUEUE_LABEL: queue.name}}})

    def set_priority_class(self, name: str) -> None:
        """Name a WorkloadPriorityClass."""
        self._merge({"metadata": {"labels": {PRIORITY_LABEL: name}}})

    def try_to_remove_priority_class(self) -> Answer:
        """Try to name no WorkloadPriorityClass any more, which Kueue's webhook refuses where it is called."""
        return try_request(lambda: self._merge({"metadata": {"labels": {PRIORITY_LABEL: None}}}))

    def set_min_parallelism(self, pods: int | None) -> None:
        """Let it do with so many pods at once; None removes the annotation."""
        text = None if pods is None else str(pods)
        self._merge({"metadata": {"annotations": {MIN_PARALLELISM: text}}})

    def set_time_limit(self, seconds: int | None) -> None:
        """Set its maximum execution time; None removes the label."""
        text = None if seconds is None else str(seconds)
        self._merge({"metadata": {"labels": {TIME_LIMIT_LABEL: text}}})

    def set_timeouts(self, text: str | None) -> None:
        """Set the annotation about how long its pods may take; None removes it."""
        self._merge({"metadata": {"annotations": {TIMEOUTS: text}}})

    def try_to_set_timeouts(self, text: str | None) -> Answer:
        """Try to set that annotation, which Kueue's webhook may refuse where it is called."""
        return try_request(lambda: self.set_timeouts(text))

    def set_pod_fields(self, **fields: Any) -> None:
        """Set fields of the spec of its pods by a merge patch; None removes a field."""
        self._merge({"spec": {"template": {"spec": fields}}})

    def remove_gate(self) -> None:
        """Remove the Job's admission gate, as its user does."""
        self.set_gates(None)

    def set_gates(self, names: str | None) -> None:
        """Set the Job's admission gates, separated by commas; None removes the annotation."""
        self._merge({"metadata": {"annotations": {"kueue.x-k8s.io/admission-gated-by": names}}})

    def set_cpu_request(self, cpu: str, *, of: str = "containers") -> None:
        """Change the CPU request of the first of the `containers` or `initContainers` of each pod."""

        def with_cpu_request(current: Json) -> Json:
            template = current["spec"]["template"]
            first, *other_containers = template["spec"][of]
            containers = [{**first, "resources": {"requests": {"cpu": cpu}}}, *other_containers]
            pods = {**template, "spec": {**template["spec"], of: containers}}
            return {**current, "spec": {**current["spec"], "template": pods}}

        self._context.client.update("Job", self.name, with_cpu_request, namespace=self.namespace)

    def set_parallelism(self, pods: int) -> None:
        """Set spec.parallelism, as a user may also while it runs."""
        self._merge({"spec": {"parallelism": pods}})

    def _set_status(self, fields: Json) -> None:
        current_time = timestamp(self._context.cluster.now())

        def change(job: Json) -> Json:
            began = job.get("status", {}).get("startTime", current_time)
            return {**fields, "startTime": None if job["spec"].get("suspend") else began}

        write_job_status(self._context, self.namespace, self.name, change)

    def _merge(self, patch: Json) -> None:
        self._context.client.merge("Job", self.name, patch, namespace=self.namespace)

    def _template(self, field: str) -> Mapping[str, str]:
        template = self.object["spec"]["template"]
        suspension: Mapping[str, str] = (
            template["spec"] if field == "nodeSelector" else template.get("metadata", {})
        ).get(field) or {}
        return suspension

    def _fact(self, holds: bool, expected: str) -> Fact:
        observed = "suspended" if self.object["spec"].get("suspend") else "not suspended"
        return Fact(holds, f"Job {self.name} is {expected}", observed)

"""A batch/v1 Job: its requests, whether it is suspended or finished (AC-330…336)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from reference_impl.api import numbers
from reference_impl.api.objects import JobStatus, ObjectMeta
from reference_impl.api.resource import Json, Key

QUEUE_LABEL: Final = "kueue.x-k8s.io/queue-name"
PRIORITY_CLASS_LABEL: Final = "kueue.x-k8s.io/priority-class"
PREBUILT_LABEL: Final = "kueue.x-k8s.io/prebuilt-workload-name"
MAX_EXECUTION_LABEL: Final = "kueue.x-k8s.io/max-exec-time-seconds"
STOPPING_ANNOTATION: Final = "kueue.x-k8s.io/stopping"
MIN_PARALLELISM_ANNOTATION: Final = "kueue.x-k8s.io/job-min-parallelism"
SYNC_COMPLETIONS_ANNOTATION: Final = "kueue.x-k8s.io/job-completions-equal-parallelism"
MAIN: Final = "main"
# Labels by which the Job controller knows its pods; they belong to no Workload, unlike
# `batch.kubernetes.io/job-name` (PD-07).
TRACKING_LABELS: Final = (
    "controller-uid",
    "job-name",
    "batch.kubernetes.io/controller-uid",
)


@dataclass(frozen=True, slots=True)
class JobOutcome:
    """How a Job ended."""

    succeeded: bool
    message: str


@dataclass(frozen=True, slots=True)
class Job:
    """One revision of a Job."""

    object: Json

    @property
    def metadata(self) -> ObjectMeta:
        """Return the metadata."""
        metadata: ObjectMeta = self.object["metadata"]
        return metadata

    @property
    def spec(self) -> Json:
        """Return the spec."""
        return self.object["spec"]

    @property
    def status(self) -> JobStatus:
        """Return the status, empty when absent."""
        status: JobStatus | None = self.object.get("status")
        return status or {}

    @property
    def template(self) -> Json:
        """Return the pod template."""
        return self.spec["template"]

    @property
    def key(self) -> Key:
        """Return namespace and name."""
        return Key(self.metadata["namespace"], self.metadata["name"])

    @property
    def labels(self) -> Mapping[str, str]:
        """Return the labels."""
        return self.metadata.get("labels") or {}

    @property
    def annotations(self) -> Mapping[str, str]:
        """Return the annotations."""
        return self.metadata.get("annotations") or {}

    @property
    def queue_name(self) -> str:
        """Return its LocalQueue, empty when Kueue does not manage it."""
        return str(self.labels.get(QUEUE_LABEL, ""))

    @property
    def prebuilt(self) -> str:
        """Return the name of the prebuilt Workload, empty when Kueue makes one."""
        return str(self.labels.get(PREBUILT_LABEL, ""))

    @property
    def is_deleting(self) -> bool:
        """Tell whether it is being deleted."""
        return "deletionTimestamp" in self.metadata

    @property
    def is_suspended(self) -> bool:
        """Tell whether it is held back; one that is still being stopped is not (AC-336)."""
        # The annotation is set until the template is restored: a Job in between is
        # suspended for Kubernetes, but not yet for Kueue.
        return bool(self.spec.get("suspend")) and self.annotations.get(STOPPING_ANNOTATION) != "true"

    @property
    def is_active(self) -> bool:
        """Tell whether pods of it are left."""
        return bool(self.status.get("active"))

    @property
    def outcome(self) -> JobOutcome | None:
        """Return how it ended, None while it has not."""
        for condition in self.status.get("conditions") or ():
            if condition["type"] in {"Complete", "Failed"} and condition["status"] == "True":
                return JobOutcome(condition["type"] == "Complete", condition.get("message", ""))
        return None

    @property
    def parallelism(self) -> int:
        """Return how many pods may run at once."""
        return int(self.spec.get("parallelism", 1))

    @property
    def completions(self) -> int:
        """Return how many pods have to succeed."""
        return int(self.spec.get("completions", self.parallelism))

    @property
    def is_indexed(self) -> bool:
        """Tell whether each of its completions has an index."""
        return bool(self.spec.get("completionMode") == "Indexed")

    @property
    def pod_count(self) -> int:
        """Return how many pods it needs at once."""
        return min(self.parallelism, self.completions)

    @property
    def min_count(self) -> int | None:
        """Return with how many pods it would do, None when it takes all or nothing."""
        text = self.annotations.get(MIN_PARALLELISM_ANNOTATION, "")
        number = numbers.parse_int64(text)
        # Go converts with int32(n): what is too large wraps, and is not refused.
        return None if number is None else numbers.of_32_bits(number)

    @property
    def max_execution_seconds(self) -> int | None:
        """Return how long it may run, None without a limit."""
        text = self.labels.get(MAX_EXECUTION_LABEL, "")
        number = numbers.parse_int64(text) or 0
        return numbers.of_32_bits(number) if number > 0 else None

    @property
    def syncs_completions(self) -> bool:
        """Tell whether completions follow parallelism."""
        return bool(self.annotations.get(SYNC_COMPLETIONS_ANNOTATION) == "true")

    @property
    def has_ready_pods(self) -> bool:
        """Tell whether every pod is ready or done."""
        done = int(self.status.get("succeeded") or 0) + int(self.status.get("ready") or 0)
        return done >= self.pod_count

    @property
    def pod_sets(self) -> list[Json]:
        """Return the podSets of a Workload for this Job."""
        pod_set = {"name": MAIN, "count": self.pod_count, "template": without_tracking(self.template)}
        if self.min_count is not None:
            pod_set["minCount"] = self.min_count
        return [pod_set]


def without_tracking(template: Json) -> Json:
    """Return a pod template without the labels of the Job controller."""
    metadata = template.get("metadata") or {}
    labels = {k: v for k, v in (metadata.get("labels") or {}).items() if k not in TRACKING_LABELS}
    rest = {name: value for name, value in metadata.items() if name not in {"labels", "creationTimestamp"}}
    return {**template, "metadata": {**rest, "labels": labels} if labels else rest}

"""Which fields of a job hold it back, describe its pods, and tell how it goes (JI-001)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from types import MappingProxyType
from typing import Any, Self

from .json_types import Json

RUNNING, STOPPED, SUCCEEDED, FAILED = "running", "stopped", "succeeded", "failed"
QUEUE_LABEL = "kueue.x-k8s.io/queue-name"
_PLACE = "${"
_NO_STATUSES: Mapping[str, Json] = MappingProxyType({})

FieldPath = tuple[str, ...]


def value_at(document: Json, path: Sequence[str]) -> Json:
    """Return the value of a field of an object, None where there is none."""
    return reduce(lambda value, name: value.get(name) if isinstance(value, Mapping) else None, path, document)


@dataclass(frozen=True, slots=True)
class PodSetPaths:
    """Where a job describes the pods of one pod set."""

    template: FieldPath
    count: FieldPath
    """Empty where it is one pod."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobFields:
    """The fields of a kind of jobs, by which any job of it is read."""

    kind: str
    suspend: FieldPath
    pod_sets: Sequence[PodSetPaths]
    statuses: Mapping[str, Json] = field(default_factory=lambda: _NO_STATUSES)
    """What the operator of the kind writes into a status, by state; a text such as `${time}` is any value."""
    managed_by: FieldPath = ()
    """Empty where the kind has no such field."""

    def is_suspended(self, job: Json) -> bool:
        """Tell whether a job is held back; one that does not say so runs."""
        return value_at(job, self.suspend) is True

    def templates(self, job: Json) -> list[Json]:
        """Return the pod templates of a job, in the order of its pod sets."""
        return [value_at(job, pod_set.template) for pod_set in self.pod_sets]

    def counts(self, job: Json) -> list[int]:
        """Return how many pods each pod set of a job has."""
        return [int(value_at(job, pod_set.count) or 0) if pod_set.count else 1 for pod_set in self.pod_sets]

    def has_pods(self, job: Json) -> bool:
        """Tell whether pods of a job are left, by what its operator has written."""
        status = (job or {}).get("status") or {}
        has_begun = any(status.get(name) for name in self.statuses[RUNNING])
        # An integration may take fields such as startTime away while pods are left.
        return has_begun and not any(_matches(self.statuses[state], status) for state in _WITHOUT_PODS)

    def has_ended(self, job: Json, *states: str) -> bool:
        """Tell whether a job has succeeded or failed for good, or is in one of these states."""
        status = (job or {}).get("status") or {}
        return any(_matches(self.statuses[state], status) for state in states or (SUCCEEDED, FAILED))

    def is_in(self, job: Json, state: str) -> bool:
        """Tell whether the status of a job has all that its operator writes in a state."""
        return _matches(self.statuses[state], (job or {}).get("status") or {})

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {
            "kind": self.kind,
            "suspend": list(self.suspend),
            "podSets": [
                {"template": list(pod_set.template), "count": list(pod_set.count)}
                for pod_set in self.pod_sets
            ],
            "status": dict(self.statuses),
            "managedBy": list(self.managed_by),
        }

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Self:
        """Return the fields that JSON of `to_dict` says."""
        return cls(
            kind=document["kind"],
            suspend=tuple(document["suspend"]),
            pod_sets=[
                PodSetPaths(tuple(pod_set["template"]), tuple(pod_set["count"]))
                for pod_set in document["podSets"]
            ],
            statuses=document["status"],
            managed_by=tuple(document["managedBy"]),
        )


_WITHOUT_PODS = (STOPPED, SUCCEEDED, FAILED)


def _matches(pattern: Json, value: Json) -> bool:
    """Tell whether a status has all that a pattern has: a place for any value, or a list of other length
    too.
    """
    if isinstance(pattern, Mapping):
        return all(_matches(inner, value_at(value, (name,))) for name, inner in pattern.items())
    if isinstance(pattern, list):
        items = value if isinstance(value, list) else []
        return all(any(_matches(inner, item) for item in items) for inner in pattern)
    if isinstance(pattern, str) and pattern.startswith(_PLACE):
        return bool(value)
    # The API server leaves out a number that is 0.
    return bool(pattern == value or (not pattern and not value))


BATCH_JOBS = JobFields(
    kind="Job",
    suspend=("spec", "suspend"),
    pod_sets=(PodSetPaths(("spec", "template"), ("spec", "parallelism")),),
    # The least that tells a state from the others: programs of several releases write these statuses.
    statuses={
        RUNNING: {"active": "${parallelism}"},
        STOPPED: {"active": 0},
        SUCCEEDED: {"conditions": [{"type": "Complete", "status": "True"}]},
        FAILED: {"conditions": [{"type": "Failed", "status": "True"}]},
    },
    managed_by=("spec", "managedBy"),
)
"""How a batch/v1 Job is read: a control plane integrates these itself, and other kinds mostly have the same
fields.
"""

"""The shapes of objects that rules and scenarios read, as type checkers see them: plain JSON at run time.

Every field may be absent, also one that the API requires: a subject that leaves it out is judged for it.
"""

from __future__ import annotations

from typing import Any, Literal, TypedDict

CheckStateName = Literal["Pending", "Ready", "Retry", "Rejected"]
ConditionStatus = Literal["True", "False", "Unknown"]


class OwnerReference(TypedDict, total=False):
    """One of `metadata.ownerReferences`."""

    apiVersion: str
    kind: str
    name: str
    uid: str
    controller: bool
    blockOwnerDeletion: bool


class ObjectMeta(TypedDict, total=False):
    """The metadata of an object; a cluster-scoped one has no namespace."""

    name: str
    namespace: str
    uid: str
    resourceVersion: str
    generation: int
    creationTimestamp: str
    # Being there is the mark: its value may lie in the future while a grace period runs.
    deletionTimestamp: str
    labels: dict[str, str]
    annotations: dict[str, str]
    finalizers: list[str]
    ownerReferences: list[OwnerReference]


class Condition(TypedDict, total=False):
    """A metav1.Condition."""

    type: str
    status: ConditionStatus
    reason: str
    message: str
    lastTransitionTime: str
    # Left out for 0, as Go does with omitempty.
    observedGeneration: int


class PodSetUpdate(TypedDict, total=False):
    """What a check controller adds to the pods of one pod set."""

    name: str
    labels: dict[str, str]
    annotations: dict[str, str]
    nodeSelector: dict[str, str]
    tolerations: list[Any]


class CheckState(TypedDict, total=False):
    """One of a Workload's `status.admissionChecks`."""

    name: str
    state: CheckStateName
    message: str
    lastTransitionTime: str
    # Of KEP-993: releases of Kueue prune it.
    reason: str
    # 0 is a value of its own, "at once", and differs from absent.
    requeueAfterSeconds: int
    retryCount: int
    podSetUpdates: list[PodSetUpdate]


class PodSetAssignment(TypedDict, total=False):
    """The flavors of one pod set of an admission."""

    name: str
    count: int
    flavors: dict[str, str]
    resourceUsage: dict[str, str]
    topologyAssignment: Any


class Admission(TypedDict, total=False):
    """Where a Workload has quota."""

    clusterQueue: str
    podSetAssignments: list[PodSetAssignment]


class RequeueState(TypedDict, total=False):
    """How often a Workload was requeued, and until when it waits."""

    count: int
    requeueAt: str


class ReclaimablePod(TypedDict, total=False):
    """How many pods of a pod set need their quota no longer."""

    name: str
    count: int


class WorkloadStatus(TypedDict, total=False):
    """The status of a Workload."""

    conditions: list[Condition]
    admission: Admission
    admissionChecks: list[CheckState]
    requeueState: RequeueState
    reclaimablePods: list[ReclaimablePod]
    resourceRequests: list[Any]
    schedulingStats: Any
    accumulatedPastExecutionTimeSeconds: int


class JobCondition(TypedDict, total=False):
    """A condition of a batch/v1 Job, whose type is older than metav1.Condition and has no generation."""

    type: str
    status: ConditionStatus
    reason: str
    message: str
    lastProbeTime: str
    lastTransitionTime: str


class JobStatus(TypedDict, total=False):
    """The status of a batch/v1 Job."""

    conditions: list[JobCondition]
    active: int
    ready: int
    succeeded: int
    failed: int
    # Ranges as text, such as "0-2,5": only Jobs with completionMode Indexed have them.
    completedIndexes: str
    failedIndexes: str
    startTime: str
    completionTime: str


class ProvisioningRequestStatus(TypedDict, total=False):
    """The status of a ProvisioningRequest."""

    conditions: list[Condition]
    provisioningClassDetails: dict[str, str]

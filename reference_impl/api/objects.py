"""The shapes of objects that decisions read and write, as type checkers see them: plain JSON at run time.

Fields that the API requires are required here; whether a client keeps to it is the schema's concern (`crds`).
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

CheckStateName = Literal["Pending", "Ready", "Retry", "Rejected"]


class OwnerReference(TypedDict):
    """One of `metadata.ownerReferences`."""

    apiVersion: str
    kind: str
    name: str
    uid: str
    controller: NotRequired[bool]
    blockOwnerDeletion: NotRequired[bool]


class ObjectMeta(TypedDict):
    """The metadata of a stored object; a cluster-scoped one has no namespace."""

    name: str
    uid: str
    resourceVersion: str
    creationTimestamp: str
    # Absent, not empty, for cluster-scoped objects: Go leaves empty strings out.
    namespace: NotRequired[str]
    # Kinds without a spec that is versioned, such as ConfigMaps, have no generation.
    generation: NotRequired[int]
    # Being there is the mark: its value may lie in the future while a grace period runs.
    deletionTimestamp: NotRequired[str]
    labels: NotRequired[dict[str, str]]
    annotations: NotRequired[dict[str, str]]
    finalizers: NotRequired[list[str]]
    ownerReferences: NotRequired[list[OwnerReference]]


class Condition(TypedDict):
    """A metav1.Condition; a message may be empty, and is there."""

    type: str
    status: Literal["True", "False", "Unknown"]
    reason: str
    # metav1.Condition has no omitempty here: an empty message is written as "", never left
    # out, and the schema requires it.
    message: str
    lastTransitionTime: str
    # Left out for 0, as Go does with omitempty: what writes no generation has no field.
    observedGeneration: NotRequired[int]


class PodSetUpdate(TypedDict):
    """What a check controller adds to the pods of one pod set."""

    name: str
    labels: NotRequired[dict[str, str]]
    annotations: NotRequired[dict[str, str]]
    nodeSelector: NotRequired[dict[str, str]]
    tolerations: NotRequired[list[Any]]


class CheckState(TypedDict):
    """One of a Workload's `status.admissionChecks`."""

    name: str
    state: CheckStateName
    message: str
    lastTransitionTime: str
    # Of KEP-993: releases of Kueue prune it.
    reason: NotRequired[str]
    # Pointers in Go: 0 is a value of its own, "at once", and differs from absent.
    requeueAfterSeconds: NotRequired[int]
    retryCount: NotRequired[int]
    podSetUpdates: NotRequired[list[PodSetUpdate]]


class PodSetAssignment(TypedDict):
    """The flavors of one pod set of an admission."""

    name: str
    # Without a count an assignment is for all pods of its pod set.
    count: NotRequired[int]
    # Both maps are absent, not empty, where no resource group covers a request.
    flavors: NotRequired[dict[str, str]]
    resourceUsage: NotRequired[dict[str, str]]
    topologyAssignment: NotRequired[Any]


class Admission(TypedDict):
    """Where a Workload has quota."""

    clusterQueue: str
    podSetAssignments: list[PodSetAssignment]


class RequeueState(TypedDict, total=False):
    """How often a Workload was requeued, and until when it waits."""

    count: int
    requeueAt: str


class ReclaimablePod(TypedDict):
    """How many pods of a pod set need their quota no longer."""

    name: str
    count: int


class WorkloadStatus(TypedDict, total=False):
    """The status of a Workload."""

    # Nothing is required: a subresource is empty until its first write, and an apply that
    # leaves a field out gives it up (AC-371).
    conditions: list[Condition]
    admission: Admission
    admissionChecks: list[CheckState]
    requeueState: RequeueState
    reclaimablePods: list[ReclaimablePod]
    resourceRequests: list[Any]
    schedulingStats: Any
    accumulatedPastExecutionTimeSeconds: int
    clusterName: str
    nominatedClusterNames: list[str]
    unhealthyNodes: list[Any]


class JobCondition(TypedDict):
    """A condition of a batch/v1 Job."""

    # A type of its own, older than metav1.Condition: reason, message and times may be
    # missing, and there is no generation.
    type: str
    status: Literal["True", "False", "Unknown"]
    reason: NotRequired[str]
    message: NotRequired[str]
    lastProbeTime: NotRequired[str]
    lastTransitionTime: NotRequired[str]


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
    uncountedTerminatedPods: Any


class ProvisioningRequestStatus(TypedDict, total=False):
    """The status of a ProvisioningRequest."""

    conditions: list[Condition]
    provisioningClassDetails: dict[str, str]

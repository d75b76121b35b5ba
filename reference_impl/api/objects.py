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
    namespace: NotRequired[str]
    generation: NotRequired[int]
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
    message: str
    lastTransitionTime: str
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
    reason: NotRequired[str]
    requeueAfterSeconds: NotRequired[int]
    retryCount: NotRequired[int]
    podSetUpdates: NotRequired[list[PodSetUpdate]]


class PodSetAssignment(TypedDict):
    """The flavors of one pod set of an admission."""

    name: str
    count: NotRequired[int]
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
    completedIndexes: str
    failedIndexes: str
    startTime: str | None
    completionTime: str
    uncountedTerminatedPods: Any


class ProvisioningRequestStatus(TypedDict, total=False):
    """The status of a ProvisioningRequest."""

    conditions: list[Condition]
    provisioningClassDetails: dict[str, str]

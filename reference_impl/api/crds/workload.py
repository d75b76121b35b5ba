"""Workload: its requests, and its status (AC-090…101, AC-110…132)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from .common import Conditions, Tolerations
from .pods import POD_TEMPLATE
from .vocabulary import (
    ATOMIC,
    WRITTEN,
    CelRule,
    CheckName,
    Count,
    Int32,
    Name,
    PodSetName,
    Quantity,
    SchemaKeywords,
    Shape,
    Time,
    at_least,
    items,
    length,
    list_map_keys,
    only,
    since,
)

EXECUTION_TIME = (0, 9)
MULTI_CLUSTER = (0, 13)
"""The releases that brought these; rules about them are no older."""


class SliceConstraint(Shape):
    """One level of slices."""

    size: Annotated[Int32, at_least(1)]
    topology: Annotated[str, length(1, 63)]


LIMITED_SLICES = ("0.20.0-devel",)
"""The release in which sizes of slices and counts of groups have a minimum (KV-24)."""
NO_PODS_WOULD_DO = ("0.20.0",)
"""The release in which minCount may be 0 (KV-59)."""


class TopologyRequest(Shape):
    """How close together the pods must be; not simulated, kept as written."""

    go = "PodSetTopologyRequest"

    required: Annotated[str | None, length(0, 63)] = None
    preferred: Annotated[str | None, length(0, 63)] = None
    unconstrained: bool | None = None
    pod_index_label: Annotated[str | None, length(0, 317)] = None
    sub_group_index_label: Annotated[str | None, length(0, 317)] = None
    sub_group_count: Annotated[Int32 | None, at_least(0, since=LIMITED_SLICES)] = None
    pod_set_group_name: Annotated[str | None, length(0, 256)] = None
    pod_set_slice_required_topology: Annotated[str | None, length(0, 63)] = None
    pod_set_slice_size: Annotated[Int32 | None, at_least(1, since=LIMITED_SLICES)] = None
    podset_slice_required_topology_constraints: Annotated[
        tuple[SliceConstraint, ...], items(0, 3), ATOMIC
    ] = ()


class PodSet(Shape):
    """Pods that are alike."""

    rules = (
        CelRule(
            "has(self.minCount) ? self.minCount <= self.count : true",
            "minCount should be positive and less or equal to count",
        ),
    )

    name: Annotated[PodSetName, "The name within the Workload."] = "main"
    template: Annotated[Any, SchemaKeywords(POD_TEMPLATE), WRITTEN, "The pods."]
    count: Annotated[Count, WRITTEN, "How many pods."] = 1
    min_count: Annotated[
        Int32 | None,
        at_least(1, gone=NO_PODS_WOULD_DO),
        at_least(0, since=NO_PODS_WOULD_DO),
        "How many pods would do.",
    ] = None
    topology_request: Annotated[TopologyRequest | None, since(0, 9)] = None


class PriorityClassRef(Shape):
    """Where the priority comes from."""

    rules = (
        CelRule(
            "self.group == 'scheduling.k8s.io' ? self.kind == 'PriorityClass' : true",
            "only the PriorityClass kind is allowed for the scheduling.k8s.io group",
        ),
        CelRule(
            "self.group == 'kueue.x-k8s.io' ? self.kind == 'WorkloadPriorityClass' : true",
            "only the WorkloadPriorityClass kind is allowed for the kueue.x-k8s.io group",
        ),
    )

    group: Literal["kueue.x-k8s.io", "scheduling.k8s.io"]
    kind: Literal["WorkloadPriorityClass", "PriorityClass"]
    name: Annotated[Name, length(1, 253)]


class NamedGate(Shape):
    """A gate by name."""

    name: Annotated[str, length(1, 63)]


class WorkloadSpec(Shape):
    """The requests of a Workload."""

    rules = (
        CelRule(
            "has(self.priorityClassRef) ? has(self.priority) : true",
            "priority should not be nil when priorityClassRef is set",
        ),
    )

    active: Annotated[bool, "False takes the Workload out of the queue and stops it when it runs."] = True
    maximum_execution_time_seconds: Annotated[
        Int32 | None, at_least(1), since(*EXECUTION_TIME), "How long it may run altogether."
    ] = None
    pod_sets: Annotated[
        tuple[PodSet, ...], items(1, 18), list_map_keys("name"), "Groups of pods that are alike."
    ] = ()
    preemption_gates: Annotated[tuple[NamedGate, ...], items(0, 8), list_map_keys("name"), since(0, 17)] = ()
    priority: Annotated[Int32 | None, "Higher goes first."] = None
    priority_class_ref: PriorityClassRef | None = None
    queue_name: Annotated[Name | None, "The LocalQueue."] = None


NamePart = Annotated[str, length(0, 63)]
ONE_FOR_ALL = CelRule(
    "has(self.universal) != has(self.individual)",
    "exactly one of the fields in [universal individual] must be set",
)


class LevelNames(Shape):
    """Names of domains with what they have in common taken out."""

    prefix: NamePart | None = None
    roots: Annotated[tuple[NamePart, ...], items(1, 100_000), ATOMIC]
    suffix: NamePart | None = None


class LevelValues(Shape):
    """The names of the domains on one level: one for all, or one for each."""

    rules = (ONE_FOR_ALL,)

    individual: LevelNames | None = None
    universal: NamePart | None = None


class PodCounts(Shape):
    """How many pods each domain gets: one number for all, or one for each."""

    rules = (ONE_FOR_ALL,)

    individual: Annotated[tuple[Annotated[Int32, at_least(1)], ...], items(1, 100_000), ATOMIC] = ()
    universal: Annotated[Int32 | None, at_least(1)] = None


class AssignmentSlice(Shape):
    """Some of the domains."""

    rules = (
        CelRule(
            "has(self.podCounts.individual) ? size(self.podCounts.individual) == self.domainCount : true",
            "podCounts.individual must have length equal to domainCount",
        ),
        CelRule(
            "self.valuesPerLevel.all(level, "
            "has(level.individual) ? size(level.individual.roots) == self.domainCount : true)",
            "valuesPerLevel.individual, if set, must have roots of length equal to domainCount "
            "of this TopologyAssignmentSlice",
        ),
    )

    domain_count: Annotated[Int32, at_least(1)]
    pod_counts: PodCounts
    values_per_level: Annotated[tuple[LevelValues, ...], items(1, 16), ATOMIC]


class TopologyAssignment(Shape):
    """Where the pods go; kept as written (AC-208)."""

    rules = (
        CelRule(
            "self.slices.all(one, size(self.levels) == size(one.valuesPerLevel))",
            "valuesPerLevel must have the same length as the number of levels in this TopologyAssignment",
        ),
    )

    levels: Annotated[tuple[Annotated[str, length(0, 317)], ...], items(1, 16), ATOMIC]
    slices: Annotated[tuple[AssignmentSlice, ...], items(0, 1000), ATOMIC]


class PodSetAssignment(Shape):
    """What a group of pods got."""

    name: Annotated[PodSetName, "The group."] = "main"
    flavors: Annotated[Mapping[str, Name] | None, "The flavor of each resource."] = None
    resource_usage: Annotated[Mapping[str, Quantity] | None, "What all of its pods use together."] = None
    count: Annotated[Count | None, "How many pods are admitted."] = None
    topology_assignment: Annotated[TopologyAssignment | None, since(0, 9)] = None
    delayed_topology_request: Annotated[Literal["Pending", "Ready"] | None, length(0, 7)] = None


class Admission(Shape):
    """The reservation."""

    cluster_queue: Annotated[Name | None, WRITTEN, "The ClusterQueue that admits."] = None
    pod_set_assignments: Annotated[tuple[PodSetAssignment, ...], items(0, 18), list_map_keys("name")] = ()


class PodSetUpdate(Shape):
    """What a check wants changed in the pods before they start."""

    name: Annotated[PodSetName, "The group of pods."]
    labels: Mapping[str, str] | None = None
    annotations: Mapping[str, str] | None = None
    node_selector: Mapping[str, str] | None = None
    tolerations: Tolerations = ()


class CheckState(Shape):
    """The answer of one check."""

    go = "AdmissionCheckState"

    last_transition_time: Annotated[Time, WRITTEN, "When the state last changed."]
    message: Annotated[str, length(0, 32768), WRITTEN, "The answer in words for people."]
    name: Annotated[CheckName, "The AdmissionCheck."]
    pod_set_updates: Annotated[tuple[PodSetUpdate, ...], items(0, 18), ATOMIC] = ()
    reason: Annotated[
        str | None, only("kep993"), "Why; PreemptionRequired with Pending asks for preemptions."
    ] = None
    requeue_after_seconds: Annotated[
        Int32 | None, at_least(0), since(0, 15), "How long to wait before the next try after Retry."
    ] = None
    retry_count: Annotated[Int32 | None, at_least(0), since(0, 15), "How often the check has said Retry."] = (
        None
    )
    state: Annotated[Literal["Pending", "Ready", "Retry", "Rejected"], "The answer."]


class RequeueState(Shape):
    """When the Workload goes back to its queue."""

    count: Annotated[Count | None, "How often it went back."] = None
    requeue_at: Time | None = None


class ReclaimablePods(Shape):
    """Pods that need no quota any more."""

    go = "ReclaimablePod"

    count: Annotated[Count, WRITTEN]
    name: PodSetName


class PodSetRequests(Shape):
    """The requests of a group of pods, overhead and limits considered."""

    name: PodSetName
    resources: Mapping[str, Quantity] | None = None


class Evictions(Shape):
    """How often a Workload was evicted for a reason."""

    go = "WorkloadSchedulingStatsEviction"

    count: Annotated[Count, WRITTEN]
    reason: Annotated[str, length(0, 316), WRITTEN]
    underlying_cause: Annotated[str, length(0, 316), WRITTEN]


class SchedulingStats(Shape):
    """What happened so far."""

    evictions: Annotated[
        tuple[Evictions, ...], items(0, 256), list_map_keys("reason", "underlyingCause")
    ] = ()


class UnhealthyNode(Shape):
    """A node that failed."""

    name: Annotated[str, length(0, 63)]


class GateState(Shape):
    """Whether a gate is open."""

    last_transition_time: Annotated[Time, WRITTEN]
    name: Annotated[str, length(1, 63)]
    position: Literal["Closed", "Open"]


ClusterName = Annotated[str, length(0, 256)]


class WorkloadStatus(Shape):
    """Where the Workload stands."""

    rules = (
        CelRule(
            "has(oldSelf.clusterName) && has(self.clusterName) ? self.clusterName == oldSelf.clusterName : true",
            "clusterName is immutable once set",
            MULTI_CLUSTER,
        ),
        CelRule(
            "!has(self.clusterName) || !has(self.nominatedClusterNames) || size(self.nominatedClusterNames) == 0",
            "clusterName and nominatedClusterNames are mutually exclusive",
            MULTI_CLUSTER,
        ),
    )

    accumulated_past_execution_time_seconds: Annotated[Int32 | None, since(*EXECUTION_TIME)] = None
    admission: Admission | None = None
    admission_checks: Annotated[tuple[CheckState, ...], items(0, 8), list_map_keys("name")] = ()
    cluster_name: Annotated[ClusterName | None, since(*MULTI_CLUSTER)] = None
    conditions: Conditions = ()
    nominated_cluster_names: Annotated[
        tuple[ClusterName, ...], items(0, 20), ATOMIC, since(*MULTI_CLUSTER)
    ] = ()
    preemption_gates: Annotated[tuple[GateState, ...], items(0, 8), list_map_keys("name"), since(0, 17)] = ()
    reclaimable_pods: Annotated[tuple[ReclaimablePods, ...], items(0, 18), list_map_keys("name")] = ()
    requeue_state: RequeueState | None = None
    resource_requests: Annotated[
        tuple[PodSetRequests, ...], items(0, 18), list_map_keys("name"), since(0, 7)
    ] = ()
    scheduling_stats: Annotated[SchedulingStats | None, since(0, 12)] = None
    unhealthy_nodes: Annotated[
        tuple[UnhealthyNode, ...], items(0, 8), list_map_keys("name"), since(0, 13)
    ] = ()


def _true(condition: str, version: str) -> str:
    """Return a CEL expression: a condition of an object is True."""
    return (
        f"has({version}.status) && has({version}.status.conditions) && "
        f"{version}.status.conditions.exists(c, c.type == '{condition}' && c.status == 'True')"
    )


def frozen(condition: str, unchanged: str, message: str, since: tuple[int, ...] = (0,)) -> CelRule:
    """Return the rule that something stays the same while a condition is True, before and after."""
    both = " && ".join(_true(condition, version) for version in ("oldSelf", "self"))
    return CelRule(f"({both}) ? ({unchanged}) : true", message, since)


def immutable_once_reserved(unchanged: str, message: str) -> CelRule:
    """Return the rule that something stays the same when
    quota was reserved, even by what takes the quota away.
    """
    return CelRule(f"({_true('QuotaReserved', 'oldSelf')}) ? ({unchanged}) : true", message)


def same(field: str) -> str:
    """Return a CEL expression: a field is the same in both objects, or absent in both."""
    return f"has(oldSelf.{field}) == has(self.{field}) && (!has(self.{field}) || oldSelf.{field} == self.{field})"


REF = "spec.priorityClassRef"
BOTH_REFS = f"has(oldSelf.{REF}) && has(self.{REF})"
WHILE_RESERVED = "while workload quota reserved"
RESERVED = f"is immutable {WHILE_RESERVED}"


class Workload(Shape):
    """Pods that are admitted together or not at all."""

    rules = (
        CelRule(
            "has(self.status) && has(self.status.conditions) && self.status.conditions.exists(c, "
            "c.type == 'QuotaReserved' && c.status == 'True') && has(self.status.admission) ? "
            "size(self.spec.podSets) == size(self.status.admission.podSetAssignments) : true",
            "podSetAssignments must have the same number of podSets as the spec",
        ),
        immutable_once_reserved(f"has(oldSelf.{REF}) == has(self.{REF})", f"priorityClassRef {RESERVED}"),
        immutable_once_reserved(
            f"{BOTH_REFS} ? oldSelf.{REF}.group == self.{REF}.group : true",
            f"priorityClassRef.group {RESERVED}",
        ),
        immutable_once_reserved(
            f"{BOTH_REFS} ? oldSelf.{REF}.kind == self.{REF}.kind : true",
            f"priorityClassRef.kind {RESERVED}",
        ),
        immutable_once_reserved(
            f"{BOTH_REFS} && self.{REF}.group == 'scheduling.k8s.io' && self.{REF}.kind == 'PriorityClass' "
            f"? oldSelf.{REF}.name == self.{REF}.name : true",
            f"priorityClassRef.name is immutable for scheduling.k8s.io/priorityclass {WHILE_RESERVED}",
        ),
        frozen("QuotaReserved", same("spec.queueName"), f"queueName {RESERVED}"),
        frozen(
            "Admitted",
            same("spec.maximumExecutionTimeSeconds"),
            f"maximumExecutionTimeSeconds {RESERVED}",
            EXECUTION_TIME,
        ),
    )

    spec: Annotated[WorkloadSpec | None, WRITTEN] = None
    status: Annotated[WorkloadStatus | None, WRITTEN] = None

"""v1beta1, which is served beside v1beta2: what differs from it, shape by shape (AC-010…132, AC-200…211).

A class ending in `1` holds the fields that v1beta1 has otherwise or besides; a field that is not named here
is the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Literal

from .checks import AdmissionCheckSpec, AdmissionCheckStatus, ParametersReference
from .common import AnyTaints, Condition, FairSharingStatus, LooseTolerations, ResourceGroup
from .edition import Difference
from .flavors import WorkloadPriorityClass
from .provisioning import (
    NodeSelectorUpdate,
    ProvisioningRequestConfigSpec,
    ProvisioningUpdates,
)
from .queues import (
    AdmissionScope,
    CheckRule,
    ChecksStrategy,
    ClusterQueueSpec,
    ClusterQueueStatus,
    ConsumedResources,
    FlavorFungibility,
    LocalFlavorUsages,
    LocalQueueStatus,
)
from .stored import (
    IMMUTABLE,
    LEVEL_RULES,
    UNCHANGED,
    ClusterProfileReference,
    KubeConfig,
    MultiKueueClusterSpec,
    MultiKueueClusterStatus,
    MultiKueueConfigSpec,
    TopologyLevel,
    TopologySpec,
)
from .vocabulary import (
    ATOMIC,
    ATOMIC_MAP,
    LABEL,
    SET,
    SUBDOMAIN,
    WRITTEN,
    CelRule,
    Int32,
    Int64,
    Name,
    Shape,
    Time,
    at_least,
    entries,
    items,
    length,
    list_map_keys,
    pattern,
    since,
)
from .workload import (
    MULTI_CLUSTER,
    RESERVED,
    Admission,
    CheckState,
    Evictions,
    PodSet,
    PodSetAssignment,
    PodSetUpdate,
    SchedulingStats,
    TopologyRequest,
    UnhealthyNode,
    Workload,
    WorkloadSpec,
    WorkloadStatus,
    immutable_once_reserved,
)

VERSION = "v1beta1"
RENAMED: Mapping[str, str] = MappingProxyType({".spec.cohortName": ".spec.cohort"})
"""Paths of printer columns."""
Conditions = Annotated[tuple[Condition, ...], list_map_keys("type")]
CheckName = Annotated[str, length(0, 316)]


class ParametersReference1(Shape):
    """Nothing is too short."""

    api_group: Annotated[str, length(0, 253), SUBDOMAIN, "Its API group."]
    kind: Annotated[str, length(0, 63), pattern("^(?i)[a-z]([-a-z0-9]*[a-z0-9])?$"), "Its kind."]
    name: Annotated[str, length(0, 63), LABEL, "Its name."]


class AdmissionCheckSpec1(Shape):
    """Any controller name, and a delay that is not read (AC-016, AC-019)."""

    controller_name: Annotated[str, CelRule("self == oldSelf", "field is immutable"), "The controller."]
    retry_delay_minutes: Annotated[Int64, "Has no effect."] = 15


class WithConditions(Shape):
    """As many conditions as one likes."""

    conditions: Conditions = ()


class CheckRule1(Shape):
    """A list of flavors that may repeat itself, for a name that may be empty."""

    name: Annotated[CheckName, "The AdmissionCheck."]
    on_flavors: Annotated[tuple[Name, ...], since(0, 7), "Only for these flavors; none means all."] = ()


class ChecksStrategy1(Shape):
    """A list that may be empty and may repeat itself."""

    admission_checks: tuple[CheckRule, ...] = ()


class AdmissionScope1(Shape):
    """Any word."""

    admission_mode: str


class FlavorFungibility1(Shape):
    """Words of old."""

    when_can_borrow: Literal["MayStopSearch", "TryNextFlavor", "Borrow"] = "MayStopSearch"
    when_can_preempt: Literal["MayStopSearch", "TryNextFlavor", "Preempt"] = "TryNextFlavor"


class ClusterQueueSpec1(Shape):
    """The checks as a list of names, and the cohort by its old name."""

    admission_checks: Annotated[tuple[CheckName, ...], "Checks for every flavor."] = ()
    cohort: Annotated[Name | None, "The cohort whose unused quota may be borrowed."] = None


class PendingWorkload(Shape):
    """One that waits."""

    name: str
    namespace: str


class PendingWorkloadsStatus(Shape):
    """Pending Workloads; never filled any more (AC-051)."""

    cluster_queue_pending_workload: Annotated[tuple[PendingWorkload, ...], ATOMIC] = ()
    last_change_time: Annotated[Time, WRITTEN]


class ClusterQueueStatus1(WithConditions):
    """With the queue itself."""

    pending_workloads_status: PendingWorkloadsStatus | None = None


class FairSharingStatus1(Shape):
    """With what was used lately."""

    admission_fair_sharing_status: ConsumedResources | None = None


class FlavorTopology(Shape):
    """How the nodes of a flavor lie to each other."""

    go = "TopologyInfo"

    levels: Annotated[tuple[str, ...], items(1, 16), ATOMIC]
    name: Name


class QueueFlavor(Shape):
    """A flavor that a LocalQueue offers."""

    go = "LocalQueueFlavorStatus"

    name: Name
    node_labels: Annotated[Mapping[str, str] | None, entries(8), ATOMIC_MAP] = None
    node_taints: AnyTaints = ()
    resources: Annotated[tuple[str, ...], items(0, 64), SET] = ()
    topology: FlavorTopology | None = None


class LocalQueueStatus1(WithConditions):
    """The usage by its old name, and the flavors."""

    flavor_usage: Annotated[LocalFlavorUsages, "Quota held by admitted Workloads."] = ()
    flavors: Annotated[tuple[QueueFlavor, ...], items(0, 64), list_map_keys("name")] = ()


class TopologyRequest1(Shape):
    """Names of any length."""

    pod_index_label: str | None = None
    pod_set_group_name: str | None = None
    pod_set_slice_required_topology: str | None = None
    preferred: str | None = None
    required: str | None = None
    sub_group_count: Int32 | None = None
    sub_group_index_label: str | None = None


class TopologySpec1(Shape):
    """Levels that never change (KV-23)."""

    levels: Annotated[
        tuple[TopologyLevel, ...], items(1, 16), ATOMIC, CelRule(UNCHANGED, IMMUTABLE), *LEVEL_RULES
    ]


class TopologyDomain(Shape):
    """How many pods go where."""

    count: Annotated[Int32, at_least(1)]
    values: Annotated[tuple[str, ...], items(1, 16), ATOMIC]


class TopologyAssignment1(Shape):
    """Where the pods go, domain by domain (AC-208)."""

    go = "TopologyAssignment"

    domains: tuple[TopologyDomain, ...]
    levels: Annotated[tuple[str, ...], items(1, 16), ATOMIC]


class PodSetAssignment1(Shape):
    """With its domains."""

    delayed_topology_request: str | None = None
    topology_assignment: TopologyAssignment1 | None = None


class Admission1(Shape):
    """Both must be said."""

    cluster_queue: Annotated[Name, "The ClusterQueue that admits."]
    pod_set_assignments: Annotated[tuple[PodSetAssignment, ...], items(0, 18), list_map_keys("name")]


class ProvisioningUpdates1(Shape):
    """A list that may repeat itself."""

    node_selector: Annotated[tuple[NodeSelectorUpdate, ...], items(0, 8)] = ()


class ResourceGroup1(Shape):
    """A list of resources of which nothing is said."""

    covered_resources: Annotated[tuple[str, ...], items(1, 64)]


class ProvisioningRequestConfigSpec1(Shape):
    """Nothing is too short."""

    provisioning_class_name: Name


class KubeConfig1(Shape):
    """Anywhere."""

    location: str
    location_type: Annotated[Literal["Secret", "Path"], WRITTEN] = "Secret"


class MultiKueueClusterSpec1(Shape):
    """Both ways to reach it, side by side."""

    cluster_profile_ref: ClusterProfileReference | None = None
    kube_config: KubeConfig


class MultiKueueConfigSpec1(Shape):
    """Names of any length."""

    clusters: Annotated[tuple[str, ...], items(1, 20), SET]


class WorkloadSpec1(Shape):
    """The pods must be said; the priority class is a word and a name."""

    pod_sets: Annotated[
        tuple[PodSet, ...], items(1, 18), list_map_keys("name"), "Groups of pods that are alike."
    ]
    priority_class_name: Annotated[str | None, length(0, 253), SUBDOMAIN, "The class of the priority."] = None
    priority_class_source: Annotated[
        Literal["kueue.x-k8s.io/workloadpriorityclass", "scheduling.k8s.io/priorityclass", ""],
        "Of which kind the class is.",
    ] = ""


class SchedulingStats1(Shape):
    """Any number of reasons."""

    evictions: Annotated[tuple[Evictions, ...], list_map_keys("reason", "underlyingCause")] = ()


class WorkloadStatus1(WithConditions):
    """A field with a slip of the pen, and names of any length."""

    accumulated_past_exexcution_time_seconds: Annotated[Int32 | None, since(0, 9)] = None
    cluster_name: Annotated[str | None, since(*MULTI_CLUSTER)] = None
    nominated_cluster_names: Annotated[tuple[str, ...], items(0, 20), ATOMIC, since(*MULTI_CLUSTER)] = ()
    unhealthy_nodes: Annotated[tuple[UnhealthyNode, ...], since(0, 13)] = ()


class UnhealthyNode1(Shape):
    """Any name."""

    name: str


class CheckState1(Shape):
    """The answer of a check whose name may be empty."""

    name: Annotated[CheckName, "The AdmissionCheck."]


class PodSetUpdate1(Shape):
    """A list of tolerations of which nothing is said."""

    tolerations: LooseTolerations = ()


class WorkloadPriorityClass1(Shape):
    """Any description."""

    description: Annotated[str | None, "When to use the class."] = None


PRIORITY = CelRule(
    "has(self.priorityClassName) ? has(self.priority) : true",
    "priority should not be nil when priorityClassName is set",
)
BORROWING = CelRule(
    "!has(self.cohort) && has(self.resourceGroups) ? self.resourceGroups.all(rg, "
    "rg.flavors.all(f, f.resources.all(r, !has(r.borrowingLimit)))) : true",
    "borrowingLimit must be nil when cohort is empty",
)
KUEUES_OWN = "kueue.x-k8s.io/workloadpriorityclass"


def _presence_in_both(*fields: str) -> str:
    return " && ".join(f"has({version}.spec.{field})" for field in fields for version in ("oldSelf", "self"))


SOURCE = immutable_once_reserved(
    f"{_presence_in_both('priorityClassSource')} "
    "? self.spec.priorityClassSource == oldSelf.spec.priorityClassSource : true",
    f"priorityClassSource {RESERVED}",
)
CLASS = immutable_once_reserved(
    f"{_presence_in_both('priorityClassSource', 'priorityClassName')} "
    f"&& self.spec.priorityClassSource != '{KUEUES_OWN}' "
    "? self.spec.priorityClassName == oldSelf.spec.priorityClassName : true",
    f"priorityClassName {RESERVED} and priorityClassSource is not equal to {KUEUES_OWN}",
)
COUNTED, *KEPT = (rule for rule in Workload.rules if "priorityClassRef" not in rule.message)
WORKLOAD_RULES = (COUNTED, SOURCE, CLASS, *KEPT)

DIFFERENCES: Mapping[type[Shape], Difference] = MappingProxyType(
    {
        AdmissionCheckSpec: Difference(AdmissionCheckSpec1),
        AdmissionCheckStatus: Difference(WithConditions),
        AdmissionScope: Difference(AdmissionScope1),
        Admission: Difference(Admission1),
        CheckRule: Difference(CheckRule1),
        CheckState: Difference(CheckState1),
        ChecksStrategy: Difference(ChecksStrategy1),
        ClusterQueueSpec: Difference(
            ClusterQueueSpec1, frozenset({"cohortName", "concurrentAdmissionPolicy"}), (BORROWING,)
        ),
        ClusterQueueStatus: Difference(ClusterQueueStatus1),
        FairSharingStatus: Difference(FairSharingStatus1),
        FlavorFungibility: Difference(FlavorFungibility1),
        LocalQueueStatus: Difference(LocalQueueStatus1, frozenset({"flavorsUsage"})),
        KubeConfig: Difference(KubeConfig1),
        MultiKueueClusterStatus: Difference(WithConditions),
        MultiKueueConfigSpec: Difference(MultiKueueConfigSpec1, frozenset({"quotaManagement"})),
        ParametersReference: Difference(ParametersReference1),
        MultiKueueClusterSpec: Difference(MultiKueueClusterSpec1, frozenset({"clusterSource"})),
        PodSetAssignment: Difference(PodSetAssignment1),
        ProvisioningRequestConfigSpec: Difference(ProvisioningRequestConfigSpec1),
        ProvisioningUpdates: Difference(ProvisioningUpdates1),
        PodSetUpdate: Difference(PodSetUpdate1),
        ResourceGroup: Difference(ResourceGroup1),
        SchedulingStats: Difference(SchedulingStats1),
        UnhealthyNode: Difference(UnhealthyNode1),
        TopologySpec: Difference(TopologySpec1),
        TopologyRequest: Difference(TopologyRequest1, frozenset({"podsetSliceRequiredTopologyConstraints"})),
        Workload: Difference(rules=WORKLOAD_RULES),
        WorkloadPriorityClass: Difference(WorkloadPriorityClass1),
        WorkloadSpec: Difference(
            WorkloadSpec1, frozenset({"priorityClassRef", "preemptionGates"}), (PRIORITY,)
        ),
        WorkloadStatus: Difference(
            WorkloadStatus1, frozenset({"accumulatedPastExecutionTimeSeconds", "preemptionGates"})
        ),
    }
)

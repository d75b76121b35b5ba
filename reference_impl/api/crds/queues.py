"""ClusterQueue, LocalQueue and Cohort (AC-030…051, AC-070…077, AC-185)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import field

from .common import (
    Conditions,
    FairSharing,
    FairSharingStatus,
    FlavorUsages,
    LabelSelector,
    ResourceGroups,
    StopPolicy,
)
from .vocabulary import (
    SET,
    WRITTEN,
    CelRule,
    CheckName,
    Int32,
    Int64,
    Name,
    Quantity,
    SchemaKeywords,
    Shape,
    Time,
    items,
    length,
    list_map_keys,
    since,
)

MODE_BY_DEFAULT = ("0.21.0-rc.0",)
"""The first release that moves Workloads to preferred flavors where a migration has no mode (D12)."""
Search = Literal["MayStopSearch", "TryNextFlavor"]


class FlavorFungibility(Shape):
    """When the next flavor is tried although this one could do."""

    rules = (
        CelRule(
            "!has(self.preference) || "
            "(self.whenCanBorrow == 'TryNextFlavor' && self.whenCanPreempt == 'TryNextFlavor')",
            "preference can only be set when both whenCanBorrow and whenCanPreempt are TryNextFlavor",
        ),
    )

    preference: Literal["BorrowingOverPreemption", "PreemptionOverBorrowing"] | None = None
    when_can_borrow: Search = "MayStopSearch"
    when_can_preempt: Search = "TryNextFlavor"


class BorrowWithinCohort(Shape):
    """Whether Workloads of others may be preempted while borrowing."""

    policy: Literal["Never", "LowerPriority"] = "Never"
    max_priority_threshold: Annotated[Int32 | None, "Only Workloads up to this priority are preempted."] = (
        None
    )


class Preemption(Shape):
    """Which Workloads may be preempted."""

    go = "ClusterQueuePreemption"

    rules = (
        CelRule(
            "!(self.reclaimWithinCohort == 'Never' && has(self.borrowWithinCohort) && "
            "self.borrowWithinCohort.policy != 'Never')",
            "reclaimWithinCohort=Never and borrowWithinCohort.Policy!=Never",
        ),
    )

    borrow_within_cohort: BorrowWithinCohort = field(default_factory=BorrowWithinCohort)
    reclaim_within_cohort: Literal["Never", "LowerPriority", "Any"] = "Never"
    within_cluster_queue: Literal["Never", "LowerPriority", "LowerOrNewerEqualPriority"] = "Never"


class CheckRule(Shape):
    """A check that Workloads must pass."""

    go = "AdmissionCheckStrategyRule"

    name: Annotated[CheckName, "The AdmissionCheck."]
    on_flavors: Annotated[
        tuple[Name, ...], items(0, 64), SET, since(0, 7), "Only for these flavors; none means all."
    ] = ()


class ChecksStrategy(Shape):
    """The checks of a queue."""

    go = "AdmissionChecksStrategy"

    admission_checks: Annotated[tuple[CheckRule, ...], items(1, 64), list_map_keys("name")]


class AdmissionScope(Shape):
    """How admission orders Workloads of several LocalQueues."""

    admission_mode: Literal["UsageBasedAdmissionFairSharing", "NoAdmissionFairSharing"]


class MigrationConstraints(Shape):
    """How far a Workload may move."""

    go = "ConcurrentAdmissionConstraints"

    last_acceptable_flavor_name: Annotated[Name | None, "The least preferred flavor worth a move."] = None


class Migration(Shape):
    """Whether a Workload that runs moves on to a flavor that comes earlier."""

    go = "ConcurrentAdmissionMigration"

    constraints: MigrationConstraints | None = None
    mode: Annotated[
        Literal["TryPreferredFlavors", "RetainFirstAdmission"],
        length(0, 253),
        SchemaKeywords({"default": "TryPreferredFlavors"}, since=MODE_BY_DEFAULT),
    ]


class ConcurrentAdmissionPolicy(Shape):
    """How a Workload tries several flavors at once (alpha: stored, without effect here)."""

    migration: Migration


class ClusterQueueSpec(Shape):
    """The quota of the queue, and the namespaces that may use it."""

    rules = (
        CelRule(
            "!has(self.cohortName) && has(self.resourceGroups) ? self.resourceGroups.all(rg, "
            "rg.flavors.all(f, f.resources.all(r, !has(r.borrowingLimit)))) : true",
            "borrowingLimit must be nil when cohort is empty",
        ),
    )

    admission_checks_strategy: ChecksStrategy | None = None
    admission_scope: Annotated[AdmissionScope | None, since(0, 13)] = None
    concurrent_admission_policy: Annotated[ConcurrentAdmissionPolicy | None, since(0, 18)] = None
    cohort_name: Annotated[Name | None, "The cohort whose unused quota may be borrowed."] = None
    fair_sharing: FairSharing | None = None
    flavor_fungibility: FlavorFungibility = field(default_factory=FlavorFungibility)
    namespace_selector: Annotated[
        LabelSelector | None, "Namespaces that may submit; absent means none, empty means all."
    ] = None
    preemption: Preemption = field(default_factory=Preemption)
    queueing_strategy: Annotated[
        Literal["StrictFIFO", "BestEffortFIFO"], "Whether one that does not fit holds up those behind it."
    ] = "BestEffortFIFO"
    resource_groups: ResourceGroups = ()
    stop_policy: Annotated[StopPolicy, "Hold stops reservations, HoldAndDrain also evicts."] = "None"


class OrchestratorReference(Shape):
    """The object whose capacity became quota."""

    api_group: str
    kind: str
    name: str


class EffectiveQuotas(Shape):
    """Quota in the place of that of the spec (alpha: stored, without effect here; KV-63)."""

    orchestrator_ref: OrchestratorReference
    resource_groups: ResourceGroups = ()


class ClusterQueueStatus(Shape):
    """What happens in the queue."""

    admitted_workloads: Annotated[Int32 | None, "Workloads that are admitted."] = None
    conditions: Conditions = ()
    effective_quotas: Annotated[EffectiveQuotas | None, since(0, 20, 0)] = None
    fair_sharing: FairSharingStatus | None = None
    flavors_reservation: Annotated[FlavorUsages, "Quota held by Workloads with a reservation."] = ()
    flavors_usage: Annotated[FlavorUsages, "Quota held by admitted Workloads."] = ()
    pending_workloads: Annotated[Int32 | None, "Workloads that wait for a reservation."] = None
    reserving_workloads: Annotated[Int32 | None, "Workloads that hold quota."] = None


class ClusterQueue(Shape):
    """A pool of quota, and the rules by which Workloads get it."""

    spec: Annotated[ClusterQueueSpec | None, WRITTEN] = None
    status: Annotated[ClusterQueueStatus | None, WRITTEN] = None


class LocalQueueSpec(Shape):
    """Where Workloads of the namespace go."""

    cluster_queue: Annotated[
        Name | None, CelRule("self == oldSelf", "field is immutable"), "The ClusterQueue."
    ] = None
    fair_sharing: FairSharing | None = None
    stop_policy: Annotated[StopPolicy, since(0, 8), "Hold stops reservations, HoldAndDrain also evicts."] = (
        "None"
    )


class ConsumedResources(Shape):
    """What the queue has used lately."""

    consumed_resources: Annotated[Mapping[str, Quantity], WRITTEN, "Decaying sums by resource."]
    last_update: Annotated[Time, WRITTEN]


class LocalQueueFairSharing(Shape):
    """The present share of the queue."""

    admission_fair_sharing_status: ConsumedResources | None = None
    weighted_share: Annotated[Int64, WRITTEN, "Usage over weight, in thousandths."]


class LocalResourceUsage(Shape):
    """How much of a resource is in use; borrowing is the ClusterQueue's matter."""

    go = "LocalQueueResourceUsage"

    name: Annotated[str, "The resource."]
    total: Annotated[Quantity | None, WRITTEN, "All that is in use."] = None


class LocalFlavorUsage(Shape):
    """How much of a flavor is in use."""

    go = "LocalQueueFlavorUsage"

    name: Annotated[Name, "The ResourceFlavor."]
    resources: Annotated[tuple[LocalResourceUsage, ...], items(0, 64), list_map_keys("name")]


LocalFlavorUsages = Annotated[tuple[LocalFlavorUsage, ...], items(0, 64), list_map_keys("name")]


class LocalQueueStatus(Shape):
    """What happens in the queue."""

    admitted_workloads: Annotated[Int32 | None, "Workloads that are admitted."] = None
    conditions: Conditions = ()
    fair_sharing: LocalQueueFairSharing | None = None
    flavors_reservation: Annotated[LocalFlavorUsages, "Quota held by Workloads with a reservation."] = ()
    flavors_usage: Annotated[LocalFlavorUsages, "Quota held by admitted Workloads."] = ()
    pending_workloads: Annotated[Int32 | None, "Workloads that wait for a reservation."] = None
    reserving_workloads: Annotated[Int32 | None, "Workloads that hold quota."] = None


class LocalQueue(Shape):
    """The door of a namespace to a ClusterQueue."""

    spec: Annotated[LocalQueueSpec | None, WRITTEN] = None
    status: Annotated[LocalQueueStatus | None, WRITTEN] = None


class CohortSpec(Shape):
    """The parent, and quota shared by the members."""

    fair_sharing: FairSharing | None = None
    parent_name: Annotated[Name | None, "The cohort above; absent at the root of a tree."] = None
    resource_groups: ResourceGroups = ()


class CohortStatus(Shape):
    """The present share of the cohort."""

    effective_quotas: Annotated[EffectiveQuotas | None, since(0, 20, 0)] = None
    fair_sharing: FairSharingStatus | None = None


class Cohort(Shape):
    """A group of ClusterQueues and cohorts that lend each other unused quota."""

    spec: Annotated[CohortSpec | None, WRITTEN] = None
    status: Annotated[CohortStatus | None, WRITTEN] = None

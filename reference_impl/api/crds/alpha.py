"""Alpha kinds of quota that follows capacity, and of preemption rules: stored and validated, without effect
here (KV-63).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import field

from .common import Conditions, LabelSelector
from .vocabulary import (
    ATOMIC,
    LABEL,
    SUBDOMAIN,
    CelRule,
    Int32,
    Quantity,
    Shape,
    at_least,
    items,
    length,
    list_map_keys,
    pattern,
)

CONTROLLER = Annotated[str, length(1, 253)]
REFERENCE = Annotated[str, length(1, 253), SUBDOMAIN]
FLAVOR = Annotated[str, length(0, 253), SUBDOMAIN]
# A quantity of the API is a number or a text, which CEL's `quantity` does not take both.
NOT_NEGATIVE = "type(self) == int ? self >= 0 : !self.startsWith('-')"
COMPARISONS = Literal["LessThan", "GreaterThan", "LessThanOrEqual", "GreaterThanOrEqual"]
TRIGGERS = Literal["Always", "InsufficientQuota", "QuotaFeasibleAndInsufficientTopology"]
SCOPES = Literal[
    "WithinLocalQueue", "WithinClusterQueue", "WithinParentCohort", "WithinCohortTree", "AnyClusterQueue"
]


class FlavorCapacity(Shape):
    """What there is of a flavor."""

    name: FLAVOR
    resources: Annotated[
        Mapping[str, Quantity],
        CelRule(
            "size(self) >= 1 && size(self) <= 64", "resource capacity must have between 1 and 64 entries"
        ),
    ]


class OrchestratedFlavor(Shape):
    """A flavor whose capacity a provider says."""

    name: FLAVOR


class ProviderParameters(Shape):
    """Where a provider has its own settings."""

    api_group: REFERENCE
    kind: Annotated[str, length(1, 63), pattern("^(?i)[a-z]([-a-z0-9]*[a-z0-9])?$")]
    name: Annotated[str, length(1, 63), LABEL]


class CapacityProviderSpec(Shape):
    """Which controller says the capacity of which flavors."""

    controller_name: Annotated[CONTROLLER, CelRule("self == oldSelf", "field is immutable")]
    orchestrated_flavors: Annotated[tuple[OrchestratedFlavor, ...], items(1, 64), list_map_keys("name")]
    parameters: ProviderParameters | None = None


class ProvidedCapacity(Shape):
    """The capacity by flavor."""

    flavors: Annotated[tuple[FlavorCapacity, ...], items(0, 64), list_map_keys("name")]


class CapacityProviderStatus(Shape):
    """What the controller has seen."""

    capacity: ProvidedCapacity | None = None
    conditions: Conditions = ()


class CapacityProvider(Shape):
    """A source of capacity."""

    spec: CapacityProviderSpec | None = None
    status: CapacityProviderStatus | None = None


class ProviderContribution(Shape):
    """A provider, and how much of its capacity counts."""

    name: REFERENCE
    effective_capacity_multiplier: Annotated[
        Quantity, CelRule(NOT_NEGATIVE, "effectiveCapacityMultiplier must be non-negative")
    ] = 1


class CapacityDiscovery(Shape):
    """Whose capacity is added up."""

    providers: Annotated[tuple[ProviderContribution, ...], items(1, 8), list_map_keys("name")]


class SubtreeRoot(Shape):
    """The ClusterQueue or Cohort whose tree gets the capacity."""

    kind: Literal["ClusterQueue", "Cohort"]
    name: REFERENCE


class CapacityDistribution(Shape):
    """Who gets the capacity as quota."""

    subtree_root_quota_ref: SubtreeRoot


class DynamicQuotaOrchestratorSpec(Shape):
    """Where capacity comes from, and where it goes."""

    capacity_discovery: CapacityDiscovery
    capacity_distribution: CapacityDistribution | None = None


class EffectiveCapacity(Shape):
    """The sum of all providers by flavor."""

    flavors: Annotated[tuple[FlavorCapacity, ...], items(0, 128), list_map_keys("name")]


class DynamicQuotaOrchestratorStatus(Shape):
    """What was added up."""

    effective_capacity: EffectiveCapacity | None = None
    conditions: Conditions = ()


class DynamicQuotaOrchestrator(Shape):
    """Turns capacity into quota."""

    spec: DynamicQuotaOrchestratorSpec | None = None
    status: DynamicQuotaOrchestratorStatus | None = None


class NumericLabel(Shape):
    """How a number in a label of a candidate compares."""

    key: Annotated[str, length(0, 316)]
    fallback_value: Int32 | None = None
    comparison: COMPARISONS | None = None
    min_value: Annotated[Int32 | None, at_least(0)] = None
    max_value: Annotated[Int32 | None, at_least(0)] = None


class CandidateSelector(Shape):
    """Which Workloads may be preempted."""

    scope: SCOPES
    numeric_labels: Annotated[tuple[NumericLabel, ...], ATOMIC] = ()
    relative_workload_priority: COMPARISONS | None = None


class ActivationPolicy(Shape):
    """When a rule has candidates."""

    trigger: TRIGGERS


class PreemptionRule(Shape):
    """Who may preempt whom."""

    name: Annotated[str, length(1, 63), LABEL]
    preemptor_selector: LabelSelector | None = None
    activation_policy: ActivationPolicy
    candidate_selectors: tuple[CandidateSelector, ...] = ()


class PreemptionConfigSpec(Shape):
    """The rules."""

    # `rules` are those in CEL of a shape.
    preemption_rules: Annotated[tuple[PreemptionRule, ...], items(0, 64), list_map_keys("name")] = field(
        default=(), name="rules"
    )


class PreemptionConfig(Shape):
    """Rules of preemption beside those of ClusterQueues."""

    # It has no status: nothing is observed of rules.

    spec: PreemptionConfigSpec | None = None

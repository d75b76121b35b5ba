"""Shapes that several kinds share (admission.md §0.5, AC-030…033, AC-049, AC-126)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from .vocabulary import (
    ATOMIC,
    ATOMIC_MAP,
    WRITTEN,
    CelRule,
    Int64,
    Name,
    Quantity,
    SchemaKeywords,
    Shape,
    Time,
    at_least,
    items,
    length,
    list_map_keys,
    pattern,
)

StopPolicy = Literal["None", "Hold", "HoldAndDrain"]
CONDITION_TYPE = pattern(
    r"^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?"
    r"(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$"
)


class Condition(Shape):
    """One aspect of the present state."""

    last_transition_time: Annotated[Time, WRITTEN, "When the status last changed."]
    message: Annotated[str, length(0, 32768), WRITTEN, "The reason in words for people."]
    observed_generation: Annotated[Int64 | None, at_least(0), "The generation it was made for."] = None
    reason: Annotated[
        str,
        length(1, 1024),
        pattern("^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$"),
        WRITTEN,
        "The reason as one word.",
    ]
    status: Annotated[Literal["True", "False", "Unknown"], WRITTEN, "Whether the condition holds."]
    type: Annotated[str, length(0, 316), CONDITION_TYPE, WRITTEN, "What the condition is about."]


Conditions = Annotated[tuple[Condition, ...], items(0, 16), list_map_keys("type")]

Effect = Annotated[str, "NoSchedule, PreferNoSchedule or NoExecute."]
EFFECT_NAMES = "['NoSchedule', 'PreferNoSchedule', 'NoExecute']"
EFFECTS = "supported taint effect values: 'NoSchedule', 'PreferNoSchedule', 'NoExecute'"


class Toleration(Shape):
    """A taint that pods put up with."""

    key: str | None = None
    operator: str | None = None
    value: str | None = None
    effect: Effect | None = None
    toleration_seconds: Int64 | None = None


LooseTolerations = Annotated[
    tuple[Toleration, ...],
    items(0, 8),
    CelRule(
        "self.all(x, !has(x.key) ? x.operator == 'Exists' : true)",
        "operator must be Exists when 'key' is empty, which means 'match all values and all keys'",
    ),
    CelRule(
        "self.all(x, has(x.tolerationSeconds) ? x.effect == 'NoExecute' : true)",
        "effect must be 'NoExecute' when 'tolerationSeconds' is set",
    ),
    CelRule(
        "self.all(x, !has(x.operator) || x.operator in ['Equal', 'Exists'])",
        "supported toleration values: 'Equal'(default), 'Exists'",
    ),
    CelRule(
        "self.all(x, has(x.operator) && x.operator == 'Exists' ? !has(x.value) : true)",
        "a value must be empty when 'operator' is 'Exists'",
    ),
    CelRule(f"self.all(x, !has(x.effect) || x.effect in {EFFECT_NAMES})", EFFECTS),
]
"""Tolerations in a list of which nothing is said."""
Tolerations = Annotated[LooseTolerations, ATOMIC]


class Taint(Shape):
    """A mark on nodes that keeps pods away."""

    key: Annotated[str, WRITTEN]
    value: str | None = None
    effect: Annotated[Effect, WRITTEN]
    time_added: Time | None = None


AnyTaints = Annotated[tuple[Taint, ...], items(0, 8), ATOMIC]
"""Taints of any effect."""
Taints = Annotated[AnyTaints, CelRule(f"self.all(x, x.effect in {EFFECT_NAMES})", EFFECTS)]


class LabelRequirement(Shape):
    """One requirement on a label."""

    go = "LabelSelectorRequirement"

    key: Annotated[str, WRITTEN]
    operator: Annotated[str, WRITTEN]
    values: Annotated[tuple[str, ...], ATOMIC] = ()


class LabelSelector(Shape):
    """Chooses objects by their labels; empty chooses all, absent none."""

    keywords = ATOMIC_MAP.keywords

    match_expressions: Annotated[tuple[LabelRequirement, ...], ATOMIC] = ()
    match_labels: Mapping[str, str] | None = None


class FairSharing(Shape):
    """The share of a queue when several compete."""

    weight: (
        Annotated[Quantity, "Relative to the weights of the others.", SchemaKeywords({"default": 1})] | None
    ) = None


class FairSharingStatus(Shape):
    """The present share."""

    weighted_share: Annotated[
        Int64, WRITTEN, "Usage above nominal quota over the lendable resources, in thousandths."
    ]


class ResourceQuota(Shape):
    """How much of a resource a flavor has."""

    name: Annotated[str, "The resource."]
    nominal_quota: Annotated[Quantity, WRITTEN, "What is there for this queue."]
    borrowing_limit: Annotated[Quantity | None, "How much more may be borrowed from the cohort."] = None
    lending_limit: Annotated[Quantity | None, "How much of the unused quota others may borrow."] = None


class FlavorQuotas(Shape):
    """What a flavor offers."""

    name: Annotated[Name, "The ResourceFlavor."]
    resources: Annotated[tuple[ResourceQuota, ...], items(1, 64), list_map_keys("name")]


class ResourceGroup(Shape):
    """Resources that are assigned together, and the flavors they come from in order of preference."""

    rules = (
        CelRule(
            "self.flavors.all(x, size(x.resources) == size(self.coveredResources))",
            "flavors must have the same number of resources as the coveredResources",
        ),
    )

    covered_resources: Annotated[tuple[str, ...], items(1, 64), ATOMIC]
    flavors: Annotated[tuple[FlavorQuotas, ...], items(1, 64), list_map_keys("name")]


ResourceGroups = Annotated[tuple[ResourceGroup, ...], items(0, 16), ATOMIC]


class ResourceUsage(Shape):
    """How much of a resource is in use."""

    name: Annotated[str, "The resource."]
    total: Annotated[Quantity | None, WRITTEN, "All that is in use, borrowed quota included."] = None
    borrowed: Annotated[Quantity | None, WRITTEN, "What of it comes from the cohort."] = None


class FlavorUsage(Shape):
    """How much of a flavor is in use."""

    name: Annotated[Name, "The ResourceFlavor."]
    resources: Annotated[tuple[ResourceUsage, ...], items(0, 64), list_map_keys("name")]


FlavorUsages = Annotated[tuple[FlavorUsage, ...], items(0, 64), list_map_keys("name")]

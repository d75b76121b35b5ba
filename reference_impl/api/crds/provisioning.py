"""ProvisioningRequestConfig: stored and served in both versions (PA-010…019)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import field

from .vocabulary import (
    SET,
    WRITTEN,
    Int32,
    Name,
    SchemaKeywords,
    Shape,
    entries,
    items,
    length,
    list_map_keys,
    pattern,
)

LABEL_KEY = pattern(
    r"^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?"
    r"(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$"
)


class NodeSelectorUpdate(Shape):
    """A label of nodes whose value the provisioning brings."""

    key: Annotated[str, length(1, 317), LABEL_KEY]
    value_from_provisioning_class_detail: Annotated[str, length(1, 32768)]


class ProvisioningUpdates(Shape):
    """What a provisioned Workload gets."""

    node_selector: Annotated[tuple[NodeSelectorUpdate, ...], items(0, 8), list_map_keys("key")] = ()


class RetryStrategy(Shape):
    """How often a failed request is made again, and when."""

    backoff_base_seconds: Int32 = 60
    backoff_limit_count: Int32 = 3
    backoff_max_seconds: Int32 = 1800


RETRY_STRATEGY_DEFAULT = SchemaKeywords(
    {"default": {"backoffBaseSeconds": 60, "backoffLimitCount": 3, "backoffMaxSeconds": 1800}}
)


class ProvisioningRequestConfigSpec(Shape):
    """The class, parameters and retries of ProvisioningRequests."""

    managed_resources: Annotated[tuple[str, ...], items(0, 100), SET, "Only these; none means all."] = ()
    parameters: Annotated[Mapping[str, Annotated[str, length(0, 255)]] | None, entries(100)] = None
    pod_set_merge_policy: (
        Literal["IdenticalPodTemplates", "IdenticalWorkloadSchedulingRequirements"] | None
    ) = None
    pod_set_updates: ProvisioningUpdates | None = None
    provisioning_class_name: Annotated[Name, length(1, 253)]
    retry_strategy: Annotated[RetryStrategy, RETRY_STRATEGY_DEFAULT] = field(default_factory=RetryStrategy)


class ProvisioningRequestConfig(Shape):
    """The configuration of a provisioning check."""

    spec: Annotated[ProvisioningRequestConfigSpec | None, WRITTEN] = None

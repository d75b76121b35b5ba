"""Warnings of Nodes, ResourceQuotas, ServiceAccounts and Endpoints (FK-236)."""

from __future__ import annotations

from ...base.json_types import Json
from .. import resource_lists
from ..validation import address_warnings

CONFIG_SOURCE = "spec.configSource: the feature is removed"
EXTERNAL_ID = "spec.externalID: this field is deprecated, and is unused by Kubernetes"
QUOTA = "ResourceQuota {} ({}) should be less than {} ({})"
PREFIXED_RESOURCES = ("cpu", "memory", "storage", "ephemeral-storage")
COMPUTE_RESOURCES = frozenset({"cpu", "memory"})
ENFORCE_ANNOTATION = "kubernetes.io/enforce-mountable-secrets"
ENFORCE_WARNING = f"metadata.annotations[{ENFORCE_ANNOTATION}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets"
MANAGED_BY, CONTROLLER = "endpoints.kubernetes.io/managed-by", "endpoint-controller"


def node(new: Json, old: Json) -> list[str]:
    """Return the warnings of a Node."""
    del old
    spec = new.get("spec") or {}
    texts = (
        (CONFIG_SOURCE, spec.get("configSource") is not None),
        (EXTERNAL_ID, bool(spec.get("externalID"))),
    )
    return [text for text, holds in texts if holds]


def quota(new: Json, old: Json) -> list[str]:
    """Return the warnings of a new ResourceQuota whose requests are above its limits."""
    if old is not None:
        return []
    hard = resource_lists.of((new.get("spec") or {}).get("hard"))
    texts = []
    for name in PREFIXED_RESOURCES:
        names = (f"requests.{name}", name) if name in COMPUTE_RESOURCES else (f"requests.{name}",)
        request, limit = next(filter(hard.__contains__, names), ""), f"limits.{name}"
        if request and limit in hard and hard[request].amount > hard[limit].amount:
            texts.append(QUOTA.format(request, hard[request], limit, hard[limit]))
    return texts


def account(new: Json, old: Json) -> list[str]:
    """Return the warning of a ServiceAccount that begins to limit the Secrets of its pods."""
    before = bool(old) and ENFORCE_ANNOTATION in (old["metadata"].get("annotations") or {})
    return (
        [ENFORCE_WARNING]
        if not before and ENFORCE_ANNOTATION in (new["metadata"].get("annotations") or {})
        else []
    )


def endpoints(new: Json, old: Json) -> list[str]:
    """Return the warnings of the addresses of Endpoints that no controller keeps."""
    del old
    if (new["metadata"].get("labels") or {}).get(MANAGED_BY) == CONTROLLER:
        return []
    addresses = [
        (f"subsets[{number}].{member}[{index}].ip", address.get("ip", ""))
        for number, subset in enumerate(new.get("subsets") or ())
        for member in ("addresses", "notReadyAddresses")
        for index, address in enumerate(subset.get(member) or ())
    ]
    return list(address_warnings.of_addresses(addresses))

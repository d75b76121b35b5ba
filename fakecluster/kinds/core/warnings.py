"""Warnings of Nodes, ResourceQuotas, ServiceAccounts and Endpoints (FK-236)."""

from __future__ import annotations

from ...base.json_types import Json
from .. import resource_lists
from ..validation import address_warnings

CONFIG_SOURCE = "spec.configSource: the feature is removed"
EXTERNAL_ID = "spec.externalID: this field is deprecated, and is unused by Kubernetes"
QUOTA = "ResourceQuota {} ({}) should be less than {} ({})"
COUNTED = ("cpu", "memory", "storage", "ephemeral-storage")
BARE = frozenset({"cpu", "memory"})
ENFORCE = "kubernetes.io/enforce-mountable-secrets"
ENFORCED = f"metadata.annotations[{ENFORCE}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets"
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
    for name in COUNTED:
        names = (f"requests.{name}", name) if name in BARE else (f"requests.{name}",)
        request, limit = next(filter(hard.__contains__, names), ""), f"limits.{name}"
        if request and limit in hard and hard[request].amount > hard[limit].amount:
            texts.append(QUOTA.format(request, hard[request], limit, hard[limit]))
    return texts


def account(new: Json, old: Json) -> list[str]:
    """Return the warning of a ServiceAccount that begins to limit the Secrets of its pods."""
    before = bool(old) and ENFORCE in (old["metadata"].get("annotations") or {})
    return [ENFORCED] if not before and ENFORCE in (new["metadata"].get("annotations") or {}) else []


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

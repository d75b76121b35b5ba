"""Asking for alike podSets as one: `podSetMergePolicy` (PA-063, PA-064)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from reference_impl.api.resource import Json
from reference_impl.api.semantic_equality import normalize

from .managed_pod_sets import ManagedPodSet

MergeKey = Callable[[ManagedPodSet], Json]


def merge(
    pod_sets: tuple[ManagedPodSet, ...], policy: str, essences: Mapping[str, MergeKey]
) -> tuple[tuple[ManagedPodSet, tuple[ManagedPodSet, ...]], ...]:
    """Return the podSets of a request, each with the podSets merged into it:
    the first gives name and template.
    """
    essence = essences.get(policy)
    if essence is None:
        return tuple((pod_set, (pod_set,)) for pod_set in pod_sets)
    groups: list[tuple[Json, list[ManagedPodSet]]] = []
    for pod_set in pod_sets:
        key = essence(pod_set)
        alike = next((members for group_key, members in groups if group_key == key), None)
        if alike is None:
            groups.append((key, [pod_set]))
        else:
            alike.append(pod_set)
    return tuple(
        (replace(members[0], count=sum(member.count for member in members)), tuple(members))
        for _, members in groups
    )


def _template_key(pod_set: ManagedPodSet) -> Json:
    return normalize(pod_set.pod_set["template"])


def _scheduling_key(pod_set: ManagedPodSet) -> Json:
    """Return what matters to where pods can run; limits, images and names do not."""
    spec = pod_set.pod_set["template"].get("spec") or {}
    requests = [
        [
            normalize({"requests": (container.get("resources") or {}).get("requests")})
            for container in spec.get(kind) or ()
        ]
        for kind in ("containers", "initContainers")
    ]
    # Only what decides where pods can run: merged podSets are booked as if they were
    # one.
    fields = ("resources", "nodeSelector", "tolerations", "affinity", "resourceClaims")
    return [requests, normalize({name: spec.get(name) for name in fields})]


def _with_flavors(essence: MergeKey) -> MergeKey:
    def whole(pod_set: ManagedPodSet) -> Json:
        return [essence(pod_set), pod_set.assignment.get("flavors") or {}]

    return whole


MERGE_KEYS: Final[Mapping[str, MergeKey]] = MappingProxyType(
    {"IdenticalPodTemplates": _template_key, "IdenticalWorkloadSchedulingRequirements": _scheduling_key}
)
MERGE_KEYS_WITH_FLAVORS: Final[Mapping[str, MergeKey]] = MappingProxyType(
    {name: _with_flavors(essence) for name, essence in MERGE_KEYS.items()}
)
"""The same where pods of different flavors are no longer taken for alike (PA-064, fixed)."""
# Releases before v0.12 had no policy (DK-45).
NO_MERGE_KEYS: Final[Mapping[str, MergeKey]] = MappingProxyType({})

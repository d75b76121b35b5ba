"""Pod sets that are requested as one, by the merge policy of a ProvisioningRequestConfig (pure)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ....base.json_types import Json

_SCHEDULING_FIELDS = ("resources", "nodeSelector", "tolerations", "affinity", "resourceClaims")


@dataclass(frozen=True, slots=True)
class MergedPodSet:
    """A pod set of a request: the first of some that are alike, and the pods of all of them."""

    pod_set: Json
    count: int
    members: Sequence[str]
    """The names of the pod sets that it stands for, its own first."""


def merge(pod_sets: Sequence[tuple[Json, int]], policy: str) -> Sequence[MergedPodSet]:
    """Return the pod sets of a request; `pod_sets` has those that need capacity, with their counts. Without a
    policy none is merged (PA-063).
    """
    key = _KEYS.get(policy, _name)
    groups: list[tuple[object, list[tuple[Json, int]]]] = []
    for pod_set, count in pod_sets:
        members = next((members for other, members in groups if other == key(pod_set)), None)
        if members is None:
            groups.append((key(pod_set), [(pod_set, count)]))
        else:
            members.append((pod_set, count))
    return [
        MergedPodSet(
            members[0][0], sum(count for _, count in members), [member["name"] for member, _ in members]
        )
        for _, members in groups
    ]


def _name(pod_set: Json) -> object:
    return pod_set["name"]


def _template(pod_set: Json) -> object:
    return pod_set["template"]


def _scheduling(pod_set: Json) -> object:
    """Return what decides where pods can run: limits, images and names of containers do not."""
    spec = pod_set["template"]["spec"]
    requests = [
        [(container.get("resources") or {}).get("requests") or {} for container in spec.get(kind) or ()]
        for kind in ("containers", "initContainers")
    ]
    return requests, [spec.get(field) or None for field in _SCHEDULING_FIELDS]


_KEYS: Mapping[str, Callable[[Json], object]] = {
    "IdenticalPodTemplates": _template,
    "IdenticalWorkloadSchedulingRequirements": _scheduling,
}
"""What pod sets have in common that are merged, by the policy."""

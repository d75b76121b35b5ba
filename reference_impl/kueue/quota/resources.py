"""The nouns of quota: a flavor's resource, its limits, and the resource groups of a queue (Q-110…Q-113)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from ...api.resource import Json
from ...pods.amounts import amount


class FlavorResource(NamedTuple):
    """One resource of one flavor: the unit in which quota is counted."""

    flavor: str
    resource: str


Usage = Mapping[FlavorResource, int]


@dataclass(frozen=True, slots=True)
class Quota:
    """What a node brings to the tree for one flavor's resource; a limit of None means unlimited."""

    nominal: int = 0
    borrowing_limit: int | None = None
    lending_limit: int | None = None


NOTHING = Quota()


@dataclass(frozen=True, slots=True)
class ResourceGroup:
    """Resources that are assigned together, and the flavors they may come from, in order of preference."""

    covered: tuple[str, ...]
    flavors: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ResourceGroups:
    """The parsed `spec.resourceGroups` of a ClusterQueue or Cohort."""

    groups: tuple[ResourceGroup, ...] = ()
    quotas: Mapping[FlavorResource, Quota] = field(default_factory=dict)
    flavors: tuple[str, ...] = ()
    """All flavor names, in order."""

    @classmethod
    def of(cls, raw: Json) -> ResourceGroups:
        """Read the list as the API server stores it."""
        groups = raw or ()
        return cls(
            groups=tuple(_group(group) for group in groups),
            quotas={fr: quota for group in groups for fr, quota in _quotas(group)},
            flavors=tuple(flavor["name"] for group in groups for flavor in group.get("flavors") or ()),
        )

    def covering(self, resource: str) -> ResourceGroup | None:
        """Return the group that covers a resource, if any."""
        return next((group for group in self.groups if resource in group.covered), None)

    def index_of(self, flavor: str) -> int:
        """Return the index of the group that has a flavor, -1 where none has it."""
        return next((index for index, group in enumerate(self.groups) if flavor in group.flavors), -1)


def _group(raw: Json) -> ResourceGroup:
    return ResourceGroup(
        covered=tuple(raw.get("coveredResources") or ()),
        flavors=tuple(flavor["name"] for flavor in raw.get("flavors") or ()),
    )


def _quotas(raw: Json) -> list[tuple[FlavorResource, Quota]]:
    return [
        (FlavorResource(flavor["name"], resource["name"]), _quota(resource))
        for flavor in raw.get("flavors") or ()
        for resource in flavor.get("resources") or ()
    ]


def _quota(raw: Json) -> Quota:
    def limit(name: str) -> int | None:
        return None if raw.get(name) is None else amount(raw["name"], raw[name])

    return Quota(amount(raw["name"], raw["nominalQuota"]), limit("borrowingLimit"), limit("lendingLimit"))

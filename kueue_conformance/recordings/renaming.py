"""Renames a story's objects on a shared cluster: each begins with a mark of the case (pure)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Self

from ..base.json_types import Json

NAMESPACE = "team"
_WIDE = (
    "AdmissionCheck",
    "ClusterQueue",
    "Cohort",
    "ResourceFlavor",
    "RuntimeClass",
    "WorkloadPriorityClass",
)
"""The kinds without a namespace that stories create."""
_COHORT_KEYS = ("cohortName", "parentName")
"""Fields that name a cohort, for which no object need be there."""


@dataclass(frozen=True, slots=True)
class Renaming:
    """Maps the names of a story to names on the cluster and back; their order stays."""

    mark: str
    names: frozenset[str]

    @classmethod
    def of(cls, mark: str, actions: Iterable[Json]) -> Self:
        """Return the renaming of what some actions create."""
        all_actions = [*actions]
        created = [action["create"] for action in all_actions if "create" in action]
        wide = {manifest["metadata"]["name"] for manifest in created if manifest["kind"] in _WIDE}
        return cls(mark, frozenset({*wide, *_cohorts(all_actions)}))

    @property
    def namespace(self) -> str:
        """The namespace of the story."""
        return f"{self.mark}{NAMESPACE}"

    def to_cluster(self, value: Json) -> Json:
        """Return an action with the names that it has on the cluster."""
        if isinstance(value, dict):
            return {self.to_cluster(key): self.to_cluster(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self.to_cluster(item) for item in value]
        return f"{self.mark}{value}" if isinstance(value, str) and value in self.names else value

    def from_cluster(self, text: str) -> str:
        """Return a text with the names of the story's file."""
        return text.replace(self.mark, "")


def _cohorts(value: Json) -> Iterator[str]:
    """Yield the names of cohorts that an action or a part of it mentions."""
    if isinstance(value, dict):
        yield from (cohort for key, cohort in value.items() if key in _COHORT_KEYS and cohort)
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _cohorts(item)

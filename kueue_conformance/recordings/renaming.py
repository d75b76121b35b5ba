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
        known = [*actions]
        made = [action["create"] for action in known if "create" in action]
        wide = {one["metadata"]["name"] for one in made if one["kind"] in _WIDE}
        return cls(mark, frozenset({*wide, *_cohorts(known)}))

    @property
    def namespace(self) -> str:
        """The namespace of the story."""
        return f"{self.mark}{NAMESPACE}"

    def given(self, value: Json) -> Json:
        """Return an action with the names that it has on the cluster."""
        if isinstance(value, dict):
            return {self.given(key): self.given(one) for key, one in value.items()}
        if isinstance(value, list):
            return [self.given(one) for one in value]
        return f"{self.mark}{value}" if isinstance(value, str) and value in self.names else value

    def told(self, text: str) -> str:
        """Return a text with the names of the story's file."""
        return text.replace(self.mark, "")


def _cohorts(value: Json) -> Iterator[str]:
    """Yield the names of cohorts that an action or a part of it mentions."""
    if isinstance(value, dict):
        yield from (one for key, one in value.items() if key in _COHORT_KEYS and one)
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _cohorts(one)

"""Renames a story's objects on a shared cluster: each begins with a mark of the case (pure)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self, TypeAlias

Json: TypeAlias = Any
NAMESPACE = "team"
_WIDE = ("AdmissionCheck", "ClusterQueue", "ResourceFlavor")
"""The kinds without a namespace that stories create."""


@dataclass(frozen=True, slots=True)
class Renaming:
    """Maps the names of a story to names on the cluster and back; their order stays."""

    mark: str
    names: frozenset[str]

    @classmethod
    def of(cls, mark: str, actions: Iterable[Json]) -> Self:
        """Return the renaming of what some actions create."""
        made = [action["create"] for action in actions if "create" in action]
        return cls(mark, frozenset(one["metadata"]["name"] for one in made if one["kind"] in _WIDE))

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

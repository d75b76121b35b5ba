"""The rules of a role, ready to be asked: sets in place of lists, so that an answer costs the same whatever
their length (FK-394).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

from msgspec import Struct

from ...api.attributes import Attributes
from ...base.json_types import Json
from ...store import Stored

ALL = "*"


class Rule(Struct, frozen=True):
    """One rule, and the object that it is made of."""

    source: Json
    verbs: frozenset[str]
    groups: frozenset[str]
    resources: frozenset[str]
    names: frozenset[str]
    paths: tuple[str, ...]

    @classmethod
    def of(cls, source: Json) -> Self:
        """Return the rule that an object says."""

        def words(name: str) -> frozenset[str]:
            return frozenset(source.get(name) or ())

        return cls(
            source,
            words("verbs"),
            words("apiGroups"),
            words("resources"),
            words("resourceNames"),
            tuple(source.get("nonResourceURLs") or ()),
        )

    def allows(self, attributes: Attributes) -> bool:
        """Whether the rule alone allows a request."""
        if attributes.path:
            return self.has_verb(attributes.verb) and any(
                covers_path(path, attributes.path) for path in self.paths
            )
        return self.allows_some(attributes) and (not self.names or attributes.name in self.names)

    def allows_some(self, attributes: Attributes) -> bool:
        """Whether the rule allows a request about a resource at least for some names."""
        return (
            self.has_verb(attributes.verb)
            and self.has_group(attributes.group)
            and self._has_resource(attributes)
        )

    def has_verb(self, verb: str) -> bool:
        """Whether the rule is about a verb."""
        return ALL in self.verbs or verb in self.verbs

    def has_group(self, group: str) -> bool:
        """Whether the rule is about an API group."""
        return ALL in self.groups or group in self.groups

    def _has_resource(self, attributes: Attributes) -> bool:
        if ALL in self.resources or attributes.full_resource in self.resources:
            return True
        return bool(attributes.subresource) and f"*/{attributes.subresource}" in self.resources


def rules_of(role: Stored) -> tuple[Rule, ...]:
    """Return the rules of a stored role, which are made once."""
    rules: tuple[Rule, ...] | None = role.cache.get(rules_of)
    if rules is None:
        rules = role.cache[rules_of] = of_objects(role.object.get("rules") or ())
    return rules


def of_objects(sources: Iterable[Json]) -> tuple[Rule, ...]:
    """Return the rules that objects say."""
    return tuple(Rule.of(source) for source in sources)


def covers_path(pattern: str, path: str) -> bool:
    """Whether the pattern of a rule is about a path."""
    return pattern in {ALL, path} or (pattern.endswith(ALL) and path.startswith(pattern.rstrip(ALL)))

"""Rules of a webhook: which operations on which resources it is called for (FK-303)."""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct

from ...api.admission import NAMESPACES, Review
from ...api.kind import Kind
from ...base.json_types import Json

ANY = "*"


class HookRule(Struct, frozen=True, kw_only=True):
    """One rule; `*` in a list stands for everything."""

    operations: frozenset[str]
    groups: frozenset[str]
    versions: frozenset[str]
    resources: tuple[tuple[str, str], ...]
    """Resource and subresource, which is empty for the object itself."""
    scope: str

    def matches(self, review: Review, kind: Kind) -> bool:
        """Whether the rule is about a write, seen as one of a kind that may be an equivalent of its own."""
        return (
            _has(self.operations, review.operation)
            and _has(self.groups, kind.group)
            and _has(self.versions, kind.version)
            and any(_is(resource, kind.plural, review.subresource) for resource in self.resources)
            and self._in_scope(review, kind)
        )

    def _in_scope(self, review: Review, kind: Kind) -> bool:
        # A Namespace counts as of the cluster, although it is its own namespace on the URL.
        inside = bool(review.place) and (kind.group, kind.plural) != NAMESPACES
        return self.scope == ANY or inside == (self.scope == "Namespaced")


def of(raw: Json) -> HookRule:
    """Read a rule."""
    split = [str(resource).partition("/") for resource in raw.get("resources") or ()]
    return HookRule(
        operations=frozenset(raw.get("operations") or ()),
        groups=frozenset(raw.get("apiGroups") or ()),
        versions=frozenset(raw.get("apiVersions") or ()),
        resources=tuple((resource, subresource) for resource, _, subresource in split),
        scope=raw.get("scope") or ANY,
    )


def _has(words: Collection[str], word: str) -> bool:
    return ANY in words or word in words


def _is(pattern: tuple[str, str], plural: str, subresource: str) -> bool:
    return pattern[0] in {ANY, plural} and pattern[1] in {ANY, subresource}

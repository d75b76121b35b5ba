"""How PodSecurity words what it has against a pod."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sized

from msgspec import Struct

from ...base.json_types import Json

CONTAINER_FIELDS = ("initContainers", "containers", "ephemeralContainers")


class Violation(Struct, frozen=True):
    """What a check has against a pod: the rule, and where the pod breaks it."""

    reason: str
    detail: str

    def __str__(self) -> str:
        return f"{self.reason} ({self.detail})"


def containers(spec: Json) -> Iterator[Json]:
    """Yield every container of a pod."""
    for member in CONTAINER_FIELDS:
        yield from spec.get(member) or ()


def context(scope: Json) -> Json:
    """Return the security context of a pod's spec or of a container."""
    return scope.get("securityContext") or {}


def quote_all(items: Iterable[str]) -> str:
    """Return items in quotes, in their order."""
    return ", ".join(f'"{item}"' for item in items)


def plural(noun: str, items: Sized) -> str:
    """Return a noun, in the plural unless there is one item."""
    return noun if len(items) == 1 else f"{noun}s"


def uses(names: list[str]) -> str:
    """Return the form of the verb `use` for these subjects."""
    return "uses" if len(names) == 1 else "use"


def with_noun(names: list[str], noun: str = "container") -> str:
    """Return names after their noun: `containers "a", "b"`."""
    return f"{plural(noun, names)} {quote_all(names)}"


def setters(names: list[str], *, pod: bool) -> str:
    """Return who sets something that is forbidden: the pod, its containers, or both; empty for neither."""
    return " and ".join([*(["pod"] if pod else []), *([with_noun(names)] if names else [])])

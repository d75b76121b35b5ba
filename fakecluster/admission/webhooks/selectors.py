"""Label selectors as objects carry them, for namespaces and objects that a webhook wants to see (FK-303)."""

from __future__ import annotations

from collections.abc import Mapping

from ...base.json_types import Json
from ...registry.selection.labelparser import Operator, Requirement

Selector = tuple[Requirement, ...]
OPERATORS: Mapping[str, Operator] = {
    "In": "in",
    "NotIn": "notin",
    "Exists": "exists",
    "DoesNotExist": "absent",
}


def of(raw: Json) -> Selector:
    """Return the requirements of a LabelSelector; none when it selects everything."""
    raw = raw or {}
    exact = [
        Requirement(key, "in", frozenset({value})) for key, value in (raw.get("matchLabels") or {}).items()
    ]
    rest = [
        Requirement(
            requirement["key"], OPERATORS[requirement["operator"]], frozenset(requirement.get("values") or ())
        )
        for requirement in raw.get("matchExpressions") or ()
    ]
    return (*exact, *rest)


def selects(selector: Selector, obj: Json) -> bool:
    """Whether an object's labels satisfy a selector; an absent object does not."""
    if obj is None:
        return False
    labels = (obj.get("metadata") or {}).get("labels") or {}
    return all(requirement.matches(labels) for requirement in selector)

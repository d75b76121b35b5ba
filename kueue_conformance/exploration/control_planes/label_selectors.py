"""Which labels a selector selects, as Kubernetes documents it (pure)."""

from __future__ import annotations

from collections.abc import Mapping

from ...base.json_types import Json


def selects(selector: Json | None, labels: Mapping[str, str]) -> bool:
    """Tell whether a selector selects labels: an empty one does always, and none never (Q-065)."""
    if selector is None:
        return False
    pairs: Mapping[str, str] = selector.get("matchLabels") or {}
    are_there = all(labels.get(key) == value for key, value in pairs.items())
    return are_there and all(meets(item, labels) for item in selector.get("matchExpressions") or ())


def meets(expression: Json, labels: Mapping[str, str]) -> bool:
    """Tell whether labels meet one expression, of a label selector or of a node affinity."""
    key, values = expression["key"], expression.get("values") or ()
    answers: Mapping[str, bool] = {
        "In": labels.get(key) in values,
        # What has no such label is not in the values either.
        "NotIn": labels.get(key) not in values,
        "Exists": key in labels,
        "DoesNotExist": key not in labels,
    }
    return answers[expression["operator"]]

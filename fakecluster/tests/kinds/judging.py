"""Asks a built-in kind's rules about an object, the way the API does."""

from __future__ import annotations

from typing import Any

from fakecluster.api.kind import Kind
from fakecluster.gotypes import typed
from fakecluster.kinds import BUILTIN_KINDS

ROWS = {kind.resource: kind for kind in BUILTIN_KINDS}
NOW = "2026-01-01T00:00:00Z"
UID = "11111111-1111-4111-8111-111111111111"


def row(resource: str) -> Kind:
    """Return the row of `plural.group`."""
    return ROWS[resource]


def make(resource: str, **tree: Any) -> Any:
    """Return a new object ready for validation: decoded, defaulted, prepared."""
    kind = ROWS[resource]
    metadata = {
        "name": "x",
        "namespace": "default",
        "uid": UID,
        "creationTimestamp": NOW,
        **tree.pop("metadata", {}),
    }
    obj = kind.schema.default(typed.decode(kind, {**tree, "metadata": metadata}).object)
    return kind.strategy.prepare(obj) if kind.strategy.prepare else obj


def refusal(resource: str, **tree: Any) -> list[str]:
    """Return the errors of a new object."""
    kind, obj = ROWS[resource], make(resource, **tree)
    return [
        str(error)
        for rule in (kind.strategy.validate, kind.strategy.validate_new)
        if rule
        for error in rule(obj)
    ]


def refusal_of_change(resource: str, old: Any, new: Any) -> list[str]:
    """Return the errors of an update of one object to another."""
    strategy = ROWS[resource].strategy
    return [str(error) for error in (strategy.judge_update or strategy.validate_update)(new, old)]


def refusal_of_status(resource: str, old: Any, status: Any) -> list[str]:
    """Return the errors of a new status."""
    return [str(error) for error in ROWS[resource].strategy.validate_status({**old, "status": status}, old)]

"""PriorityClass, the kind of `scheduling.k8s.io` (FK-499)."""

from __future__ import annotations

from collections.abc import Mapping

from ..api.kind import Kind
from ..base.json_types import Json
from ..codec.cells import AGE, column, member
from ..schema import fields
from .default_rules import Defaulter, constants
from .row import row
from .validation import basics

SYSTEM_PREFIX_RESERVED = "priority class names with 'system-' prefix are reserved for system use only"
MAX_USER_PRIORITY = 1_000_000_000
SYSTEM_CLASSES = {"system-cluster-critical": 2_000_000_000, "system-node-critical": 2_000_001_000}


def priority_class(obj: Json) -> list[fields.FieldError]:
    """Judge a PriorityClass."""
    name, value = obj["metadata"].get("name", ""), obj["value"]
    policy = basics.optional_choice(
        obj.get("preemptionPolicy"), "preemptionPolicy", ("PreemptLowerPriority", "Never")
    )
    if name.startswith("system-"):
        if SYSTEM_CLASSES.get(name) != value:
            return [
                fields.forbidden(
                    "metadata.name", SYSTEM_PREFIX_RESERVED + f". error: {_system_problem(name)}"
                ),
                *policy,
            ]
        return list(policy)
    if value > MAX_USER_PRIORITY:
        return [
            fields.forbidden(
                "value", f"maximum allowed value of a user defined priority is {MAX_USER_PRIORITY}"
            ),
            *policy,
        ]
    return list(policy)


def _system_problem(name: str) -> str:
    if name not in SYSTEM_CLASSES:
        return f"{name} is not a known system priority class"
    return f"value of {name} PriorityClass must be {SYSTEM_CLASSES[name]}"


def same_priority(after: Json, before: Json) -> list[fields.FieldError]:
    """Judge that value and policy of a PriorityClass stay."""
    value = (
        []
        if after["value"] == before["value"]
        else [fields.forbidden("value", "may not be changed in an update.")]
    )
    return [
        *value,
        *basics.immutable(after.get("preemptionPolicy"), before.get("preemptionPolicy"), "preemptionPolicy"),
    ]


PRIORITY_CLASS = (
    column("Value", member("value", default=0), "integer"),
    column("Global-Default", member("globalDefault", default=False), "boolean"),
    AGE,
    column("PreemptionPolicy", member("preemptionPolicy")),
)
DEFAULTS: Mapping[str, Defaulter] = {
    "scheduling.v1.PriorityClass": constants(preemptionPolicy="PreemptLowerPriority"),
}
KINDS: tuple[Kind, ...] = (
    row(
        "scheduling.v1.PriorityClass",
        "priorityclasses",
        short="pc",
        namespaced=False,
        generation="spec",
        validate_new=priority_class,
        validate_update=same_priority,
        columns=PRIORITY_CLASS,
    ),
)

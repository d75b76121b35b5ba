"""The FlowSchemas and levels that every server has, whose specs cannot be changed (FK-520)."""

from __future__ import annotations

from collections.abc import Mapping

from ...base.json_types import Json
from ...gotypes.golang import to_go_struct
from ...schema import fields
from ..validation.basics import Errors

ALL_GROUPS = ("system:unauthenticated", "system:authenticated")


def _schema(level: str, precedence: int, groups: tuple[str, ...], **members: Json) -> Json:
    star = ["*"]
    resources = {
        "apiGroups": star,
        "clusterScope": True,
        "namespaces": star,
        "resources": star,
        "verbs": star,
    }
    rule = {
        "subjects": [{"kind": "Group", "group": {"name": name}} for name in groups],
        "resourceRules": [resources],
        "nonResourceRules": [{"nonResourceURLs": star, "verbs": star}],
    }
    return {
        "priorityLevelConfiguration": {"name": level},
        "matchingPrecedence": precedence,
        "rules": [rule],
        **members,
    }


SCHEMAS: Mapping[str, Json] = {
    "exempt": _schema("exempt", 1, ("system:masters",)),
    "catch-all": _schema("catch-all", 10_000, ALL_GROUPS, distinguisherMethod={"type": "ByUser"}),
}
LEVELS: Mapping[str, Json] = {
    "catch-all": {
        "type": "Limited",
        "limited": {
            "nominalConcurrencyShares": 5,
            "lendablePercent": 0,
            "limitResponse": {"type": "Reject"},
        },
    },
}


def schema(obj: Json) -> Errors:
    """Judge that a schema is as it has to be."""
    yield from _spec_is_fixed(obj, SCHEMAS, "flowcontrol.v1.FlowSchemaSpec")


def level(obj: Json) -> Errors:
    """Judge that a level is as it has to be."""
    yield from _spec_is_fixed(obj, LEVELS, "flowcontrol.v1.PriorityLevelConfigurationSpec")


def _spec_is_fixed(obj: Json, mandatory_specs: Mapping[str, Json], message: str) -> Errors:
    name = obj["metadata"].get("name", "")
    if name in mandatory_specs and obj["spec"] != mandatory_specs[name]:
        go_struct = to_go_struct(message, obj["spec"])
        yield fields.invalid("spec", go_struct, f"spec of '{name}' must equal the fixed value")

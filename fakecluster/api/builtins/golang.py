"""Values inside messages the way Go prints the server's own structs: with Go's field names, all fields, nil as null (FK-037)."""

from __future__ import annotations

from typing import Any

from . import types

Json = Any
EMPTY = {"string": "", "bool": False, "int": 0, "int32": 0, "int64": 0, "float64": 0}


def shown(message: str, value: Json) -> Json:
    """Return a value of a message under Go's names; types that the API defines keep their JSON names."""
    if value is None or message.startswith("meta.v1.") or not types.has_fields(message):
        return value
    shown_members: dict[str, Json] = {}
    for name, (go_name, go_type, _) in types.go_fields(message).items():
        if name == "metadata":
            shown_members.update(value.get(name) or {})
        else:
            shown_members[go_name] = _member(go_type, value.get(name))
    return shown_members


def _member(go_type: str, value: Json) -> Json:
    if go_type.startswith("*"):
        return None if value is None else _member(go_type[1:], value)
    if go_type.startswith("[]"):
        return None if not value else [_member(go_type[2:], one) for one in value]
    if go_type.startswith("map["):
        element = go_type.partition("]")[2]
        return None if not value else {key: _member(element, one) for key, one in value.items()}
    if go_type in EMPTY:
        return EMPTY[go_type] if value is None else value
    if types.is_named(go_type):
        return _member(types.named(go_type), value)
    return shown(go_type, value or {}) if types.has_fields(go_type) else value

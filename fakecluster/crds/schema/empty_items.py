"""Items that are neither a schema nor schemas (`items: x`, `items: []`): they count
as a change of a definition, but are not stored (FK-105).
"""

from __future__ import annotations

from ...base.json_types import Json


def without_empty_items(crd: Json) -> Json:
    """Return a definition without items that say nothing; the same one where it has none."""
    versions = [_version(version) for version in crd["spec"].get("versions") or ()]
    if all(new is old for new, old in zip(versions, crd["spec"].get("versions") or (), strict=True)):
        return crd
    return {**crd, "spec": {**crd["spec"], "versions": versions}}


def _version(version: Json) -> Json:
    schema = _without(version.get("schema"))
    return version if schema is version.get("schema") else {**version, "schema": schema}


def _without(value: Json) -> Json:
    """Return a part of a schema without empty items, the same one where there are none."""
    if isinstance(value, list):
        items = [_without(item) for item in value]
        return items if any(new is not old for new, old in zip(items, value, strict=True)) else value
    if not isinstance(value, dict):
        return value
    changed = {
        name: _without(child) for name, child in value.items() if not (name == "items" and child == [])
    }
    same = len(changed) == len(value) and all(changed[name] is child for name, child in value.items())
    return value if same else changed

"""What `set` and `map` lists demand of their items (FK-283)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ...base.json_types import Json
from ...schema import fields
from ...schema.fields import FieldError
from .goschema import go_items

KEYS = "x-kubernetes-list-map-keys"
LIST_TYPE = "x-kubernetes-list-type"


def list_errors(node: Json, path: str) -> Iterator[FieldError]:
    """Return the errors of a node's list type."""
    kind, keys = node.get(LIST_TYPE), node.get(KEYS) or []
    # The shape of `items` is judged elsewhere: here a wrong one has no properties to look at.
    if kind == "set" and node.get("type") == "array" and isinstance(node.get("items"), dict):
        yield from _set_items(node["items"], f"{path}.items")
    if keys and kind != "map":
        why = f"must be map if {KEYS} is non-empty"
        where = f"{path}.{LIST_TYPE}"
        # Missing is another error than wrong, as the list type is a pointer in Go.
        yield fields.required(where, why) if kind is None else fields.invalid(where, kind, why)
    if kind == "map":
        yield from _map_shape(node, path, keys)
    if kind in {"set", "map"} and isinstance(node.get("items"), dict):
        yield from _never_null(node["items"], f"{path}.items", kind, keys)


def _map_shape(node: Json, path: str, keys: list[str]) -> Iterator[FieldError]:
    items = node.get("items")
    if not keys:
        yield fields.required(f"{path}.{KEYS}", f"must not be empty if {LIST_TYPE} is map")
    if items is None:
        yield fields.required(f"{path}.items", f"must have a schema if {LIST_TYPE} is map")
    elif isinstance(items, list):
        yield fields.invalid(
            f"{path}.items", go_items(items), f"must only have a single schema if {LIST_TYPE} is map"
        )
    elif items.get("type") != "object":
        why = f"must be object if parent array's {LIST_TYPE} is map"
        yield fields.invalid(f"{path}.items.type", items.get("type") or "", why)
    else:
        yield from _keys(items, path, keys)


def _keys(items: Json, path: str, keys: list[str]) -> Iterator[FieldError]:
    properties, counts = items.get("properties") or {}, Counter[str]()
    for key in keys:
        if key not in properties:
            yield fields.invalid(f"{path}.{KEYS}", keys, "entries must all be names of item properties")
        elif properties[key].get("type") in {"array", "object"}:
            why = f"must be a scalar type if parent array's {LIST_TYPE} is map"
            # The value that is shown is the type of the items, not that of the key: the real server prints
            # that.
            yield fields.invalid(f"{path}.items.properties[{key}].type", items["type"], why)
        counts[key] += 1
        if counts[key] > 1:
            yield fields.invalid(f"{path}.{KEYS}", keys, "must not contain duplicate entries")


def _set_items(items: Json, path: str) -> Iterator[FieldError]:
    why = f"must be atomic as item of a list with {LIST_TYPE}=set"
    if items.get("type") == "array" and items.get(LIST_TYPE) not in (None, "atomic"):
        yield fields.invalid(f"{path}.{LIST_TYPE}", items[LIST_TYPE], why)
    if items.get("type") == "object" and items.get("x-kubernetes-map-type") != "atomic":
        # Shows the list type where the map type is meant, as the real server does.
        yield fields.invalid(f"{path}.x-kubernetes-map-type", items.get(LIST_TYPE), why)


def _never_null(items: Json, path: str, kind: str, keys: list[str]) -> Iterator[FieldError]:
    # Null is no member of a set and has no keys.
    if items.get("nullable"):
        yield fields.forbidden(f"{path}.nullable", f"cannot be nullable when {LIST_TYPE} is {kind}")
    if kind != "map":
        return
    for key in keys:
        child = (items.get("properties") or {}).get(key)
        if child is None:
            continue
        where = f"{path}.properties[{key}]"
        # Without one of the two an item could lack its key, and nothing would tell it from others.
        if key not in (items.get("required") or ()) and child.get("default") is None:
            why = f"this property is in {KEYS}, so it must have a default or be a required property"
            yield fields.required(f"{where}.default", why)
        if child.get("nullable"):
            yield fields.forbidden(
                f"{where}.nullable", f"this property is in {KEYS}, so it cannot be nullable"
            )

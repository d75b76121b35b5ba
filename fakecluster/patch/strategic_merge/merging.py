"""Strategic merge patch of built-in types (FK-165):
lists merge by key, directives in the patch say what else to do.

A patch is merged member by member. `$retainKeys` and `$setElementOrder/<list>`
act on the object before its other members, `$patch` replaces or empties a map
and picks items of a list, `$deleteFromPrimitiveList/<list>` removes values.
"""

from __future__ import annotations

from typing import Any

from ...base.json_types import Json
from ..golang import as_text, format_plain, type_name
from ..json.equality import to_hashable
from ..managed_fields.typed import ANY_TYPE, NodeType, member, whole
from . import lists
from .lists import StrategicProblem

Object = dict[str, Any]
DIRECTIVE = "$patch"
RETAIN_KEYS = "$retainKeys"
DELETE = "$deleteFromPrimitiveList"
SET_ELEMENT_ORDER = "$setElementOrder"
_ABSENT: Any = object()

__all__ = ["StrategicProblem", "apply"]


def apply(document: Object, patch: Object, typed: NodeType) -> Object:
    """Return the document with the patch merged in. Raises StrategicProblem with the server's text."""
    return _merge_map(document, patch, whole(typed))


def _merge_map(original: Object, patch: Object, typed: NodeType) -> Object:
    if DIRECTIVE in patch:
        return _apply_directive(patch)
    # In this order: what is not retained must be gone before lists are merged into it.
    base, patch = _retain_keys(original, patch)
    base, patch = _merge_in_set_order(base, patch, typed)
    result = dict(base)
    for name, value in patch.items():
        deletes = name.startswith(DELETE)
        key = _target(name, DELETE, "primitive list") if deletes else name
        after = _member(result.get(key, _ABSENT), value, member(typed, key) or ANY_TYPE, deletes=deletes)
        if after is _ABSENT:
            result.pop(key, None)
        else:
            result[key] = after
    return result


def _apply_directive(patch: Object) -> Object:
    directive = patch[DIRECTIVE]
    if directive == "replace":
        return {name: value for name, value in patch.items() if name != DIRECTIVE}
    if directive == "delete":
        return {}
    raise StrategicProblem(f"unknown patch type: {as_text(directive)} in map: {format_plain(patch)}")


def _member(original: Json, patch: Json, typed: NodeType, *, deletes: bool) -> Json:
    """Return what becomes of one member; absent when it goes or never comes."""
    if patch is None:
        return _ABSENT
    # A member of another type is replaced; nulls within it delete nothing then, and are left out.
    if original is _ABSENT or type_name(original) != type_name(patch):
        return original if deletes else _fresh(_without_nulls(patch))
    if isinstance(patch, dict):
        return patch if "replace" in typed.merge_strategies else _merge_map(original, patch, typed)
    if isinstance(patch, list):
        return _list(original, patch, typed, deletes=deletes)
    return patch


def _list(original: list[Json], patch: list[Json], typed: NodeType, *, deletes: bool = False) -> list[Json]:
    if "merge" not in typed.merge_strategies and not deletes:
        return patch
    # Go asks the elements for their type, and there are none.
    if not original and not patch:
        return original
    if not lists.of_objects(original, patch):
        return lists.without(original, patch) if deletes else lists.unite(original, patch)
    if not typed.merge_key:
        raise StrategicProblem("cannot merge lists without merge key")
    return _items(original, patch, typed)


def _items(original: list[Json], patch: list[Json], typed: NodeType) -> list[Json]:
    """Merge a list of objects by key;
    what the patch mentions comes in its order, the rest keeps its place.
    """
    key, item_type = typed.merge_key, typed.items or ANY_TYPE
    live, items = lists.without_directed(original, patch, key)
    merged = list(live)
    places = lists.places(merged, key)
    for item in items:
        index = places.setdefault(to_hashable(lists.key_of(item, key)), len(merged))
        if index == len(merged):
            merged.append(_fresh(item))
        else:
            merged[index] = _merge_map(merged[index], item, item_type)
    return lists.arrange(merged, items, live, key)


def _retain_keys(original: Object, patch: Object) -> tuple[Object, Object]:
    if RETAIN_KEYS not in patch:
        return original, patch
    retained, rest = patch[RETAIN_KEYS], {name: value for name, value in patch.items() if name != RETAIN_KEYS}
    patched_names = [
        name
        for name, value in rest.items()
        if value is not None and not name.startswith((DELETE, SET_ELEMENT_ORDER))
    ]
    # An item that is no text is not compared; the list is malformed only if it is no list.
    names = {name for name in retained if isinstance(name, str)} if isinstance(retained, list) else set()
    if not isinstance(retained, list) or any(name not in names for name in patched_names):
        raise StrategicProblem("invalid patch format of retainKeys", "format")
    return {name: value for name, value in original.items() if name in names}, rest


def _merge_in_set_order(original: Object, patch: Object, typed: NodeType) -> tuple[Object, Object]:
    """Merge the lists whose order the patch sets, and put them in that order."""
    rest = dict(patch)
    result = original
    for name in [name for name in patch if name.startswith(SET_ELEMENT_ORDER)]:
        order = lists.require_list(rest.pop(name))
        key = _target(name, SET_ELEMENT_ORDER, "setElementOrder list")
        live, items = original.get(key), rest.get(key)
        child = member(typed, key) or ANY_TYPE
        lists.check_order(lists.require_list_or_null(items), order, child.merge_key, SET_ELEMENT_ORDER)
        if live is None and items is None:
            continue
        rest.pop(key, None)
        merged = lists.require_list_or_null(live) if items is None else _merge_list(live, items, child)
        before, after = lists.require_list_or_null(live), lists.require_list_or_null(items)
        if lists.of_objects(before, after):
            before = lists.merge_in_place(before, after, child.merge_key)
        result = {**result, key: lists.arrange(merged, order, before, child.merge_key)}
    return result, rest


def _merge_list(live: Json, items: list[Json], typed: NodeType) -> list[Json]:
    return (
        [item for item in map(_fresh, items) if item is not _ABSENT]
        if live is None
        else _list(live, items, typed)
    )


def _target(name: str, prefix: str, directive: str) -> str:
    actual_prefix, _, key = name.partition("/")
    if actual_prefix != prefix or not key:
        raise StrategicProblem(f"invalid patch format of {directive}", "format")
    return key


def _fresh(value: Json) -> Json:
    """Return a value that was not there before, without what carries a directive."""
    if isinstance(value, dict):
        if DIRECTIVE in value:
            return _ABSENT
        inside = {name: _fresh(child) for name, child in value.items()}
        return {name: child for name, child in inside.items() if child is not _ABSENT}
    if isinstance(value, list):
        return [item for item in map(_fresh, value) if item is not _ABSENT]
    return value


def _without_nulls(value: Json) -> Json:
    if isinstance(value, dict):
        return {name: _without_nulls(child) for name, child in value.items() if child is not None}
    return [_without_nulls(item) for item in value] if isinstance(value, list) else value

"""A tree as a custom resource: its metadata is typed, the rest is pruned by the schema of its version
(FK-041, FK-079, FK-260).

Members of a written object that are as they are stored become the stored ones, which every later step knows
(`schema.identity_cache`): a client that writes a status sends the whole spec along, and every condition when
one of them changes. Compared once, they are not pruned, defaulted and judged again.
"""

from __future__ import annotations

from operator import is_

import orjson

from ....api.versions import to_served_version
from ....base.json_types import Json
from ....codec.json import numbers
from ....gotypes import typed
from ...action import Action

OBJECT_META = "meta.v1.ObjectMeta"
TYPED_FIELDS = frozenset({"apiVersion", "kind", "metadata"})
CONTAINERS = frozenset({dict, list})
COMPARED_LEVELS = 2
"""How far below a member that differs its parts are compared: to the items of its lists, such as one
condition of a status.
"""


def current_object(action: Action) -> Json:
    """Return the stored object of the URL in the version of its kind; empty where there is none or it
    needs a conversion, and for a built-in kind.
    """
    current = action.current if action.kind.custom else None
    if current is None or current.object["apiVersion"] != action.kind.api_version:
        return {}
    return to_served_version(action.kind, current)


def decode(action: Action, tree: Json, stored: Json) -> tuple[Json, list[str]]:
    """Return a tree as a custom resource, and what strict decoding has against it. Raises GoTypeError.

    stored: the current object, or nothing.
    """
    if numbers.may_have_unusual_number(action.request.body):
        if literal := numbers.beyond(tree, action.request.body):
            raise typed.GoTypeError(f"json: cannot unmarshal number {literal} into Go value of type float64")
        tree = numbers.with_whole_numbers(tree, action.kind.schema.fractions)
    metadata, unknown = _metadata(tree.get("metadata"), stored.get("metadata") or {})
    members = {**share_equal_members({**tree, "metadata": None}, stored), "metadata": metadata}
    pruned, dropped = _prune(action, members)
    return {**pruned, "metadata": metadata}, [*unknown, *(f'unknown field "{path}"' for path in dropped)]


def _metadata(metadata: Json, stored: Json) -> tuple[Json, list[str]]:
    """Decode the metadata of a custom resource and list its unknown fields; members that equal the
    stored ones were decoded before.

    Raises GoTypeError.
    """
    if type(metadata) is not dict:
        return typed.decode_message(OBJECT_META, {} if metadata is None else metadata).object, []
    unchanged = _unchanged(metadata, stored)
    decoded = typed.decode_message(
        OBJECT_META, {name: value for name, value in metadata.items() if name not in unchanged}
    )
    return {**unchanged, **decoded.object}, [f'unknown field "metadata.{path}"' for path in decoded.unknown]


def _prune(action: Action, tree: Json) -> tuple[Json, list[str]]:
    """Return a custom resource without the fields that its version does not know, and the paths of these;
    another kind is left alone.
    """
    kind, (group, _, version) = action.kind, str(tree.get("apiVersion") or "").rpartition("/")
    if (group, tree.get("kind")) != (kind.group, kind.kind):
        return tree, []
    row = kind if version == kind.version else action.api.registry.find(group, version, kind.plural)
    if row is None:
        return {name: value for name, value in tree.items() if name in TYPED_FIELDS}, sorted(
            set(tree) - TYPED_FIELDS
        )
    return row.schema.prune(tree) if row.schema.prune else (tree, [])


def share_equal_members(tree: Json, stored: Json) -> Json:
    """Return an object with the stored one's maps and lists in the
    place of equal ones, whatever the order of their members.
    """
    return {name: _with_shared(value, stored.get(name), COMPARED_LEVELS) for name, value in tree.items()}


def _unchanged(tree: Json, stored: Json) -> Json:
    """Return the stored members that an object repeats unchanged."""
    return {
        name: stored[name]
        for name, value in tree.items()
        if name in stored and type(value) is type(stored[name]) and _equal(value, stored[name])
    }


def _with_shared(value: Json, stored: Json, levels: int) -> Json:
    """Return the stored value in place of an equal one, else the value with its equal parts replaced."""
    kind = type(value)
    if value is stored or kind is not type(stored) or kind not in CONTAINERS:  # a patch leaves much alone
        return value
    if _equal(value, stored):
        return stored
    if not levels:
        return value
    if kind is dict:
        members = {name: _with_shared(child, stored.get(name), levels - 1) for name, child in value.items()}
        return value if all(map(is_, members.values(), value.values())) else members
    items = [_with_shared(item, other, levels - 1) for item, other in zip(value, stored, strict=False)]
    return value if all(map(is_, items, value)) else [*items, *value[len(items) :]]


def _equal(value: Json, stored: Json) -> bool:
    if value is stored or value != stored or type(value) is str:
        return bool(value == stored)
    try:  # in Python 1, 1.0 and true are equal
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS) == orjson.dumps(
            stored, option=orjson.OPT_SORT_KEYS
        )
    except TypeError:  # of a number that has kept its text
        return False

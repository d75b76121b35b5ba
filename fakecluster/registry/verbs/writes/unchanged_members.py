"""Members of a written object that are as they are stored become the stored ones, which every later step
knows (`schema.known`).

A client that writes a status sends the whole spec along, and every condition when one of them changes:
compared once, they are not pruned, defaulted and judged again.
"""

from __future__ import annotations

from operator import is_
from typing import Any

import orjson

Json = Any
CONTAINERS = frozenset({dict, list})
LEVELS = 2
"""How far below a member that differs its parts are compared: to the items of its lists, such as one
condition of a status.
"""


def shared(tree: Json, stored: Json) -> Json:
    """Return an object with the stored one's maps and lists in the place of equal ones, whatever the order of
    their members.
    """
    return {name: _with_shared(value, stored.get(name), LEVELS) for name, value in tree.items()}


def unchanged(tree: Json, stored: Json) -> Json:
    """Return the stored members that an object has as they are stored."""
    return {
        name: stored[name]
        for name, value in tree.items()
        if name in stored and type(value) is type(stored[name]) and _equal(value, stored[name])
    }


def _with_shared(value: Json, stored: Json, levels: int) -> Json:
    """Return the stored value in place of an equal one, else the value with what is equal in it replaced."""
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

"""Members of a written object that are as they are stored become the stored ones, which every later step knows (`schema.known`).

A client that writes a status sends the whole spec along: compared once, it is not pruned, defaulted and judged again.
"""

from __future__ import annotations

from typing import Any

import orjson

Json = Any


def shared(tree: Json, stored: Json) -> Json:
    """Return an object with the stored one's maps and lists in the place of equal ones, whatever the order of their members."""
    return {
        name: stored[name] if name in stored and _equal(value, stored[name]) else value
        for name, value in tree.items()
    }


def _equal(value: Json, stored: Json) -> bool:
    if value is stored:  # a patch has left it alone
        return True
    if type(value) not in (dict, list) or value != stored:
        return False
    try:  # in Python 1, 1.0 and true are equal
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS) == orjson.dumps(
            stored, option=orjson.OPT_SORT_KEYS
        )
    except TypeError:  # of a number that has kept its text
        return False

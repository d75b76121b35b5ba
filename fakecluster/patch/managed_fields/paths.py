"""Path elements as managed fields write them, and as conflict texts print them (FK-200, FK-206, FK-225).

An element is `f:` and a field's name, `k:` and the keys of a list item, `v:` and the value of a set's member,
`i:` and an index. Objects, sets and keyed lists are walked in one way, member by member (FK-202).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson

from ...base.caching import cache_short_texts
from ...base.json_types import Json
from ...base.numbers.integers import parse_int
from .typed import ANY_TYPE, NodeForm, NodeType, member

Path = tuple[str, ...]
SELF = "."
_ESCAPED = {ord(char): f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"}
_SPECIAL = frozenset('"\\<>&')
# The order of kinds is that of fieldpath.PathElement.Compare.
_RANK = {"f:": 0, "k:": 1, "v:": 2, "i:": 3}
Member = tuple[str, Json, NodeType]


class NoIdentity(Exception):
    """A list item that has no identity; the text says why."""


def field(name: str) -> str:
    """Return the element of an object's member."""
    return f"f:{name}"


def of_value(value: Json) -> str:
    """Return the element of a set's member. Raises NoIdentity for what cannot be in a set."""
    if isinstance(value, dict):
        raise NoIdentity("associative list without keys has an element that's a map type")
    if isinstance(value, list):
        raise NoIdentity("not supported: associative list with lists as elements")
    if value is None:
        raise NoIdentity("associative list without keys has an element that's an explicit null")
    return f'v:"{value}"' if _is_plain(value) else f"v:{_encode(value)}"


def of_item(item: Json, typed: NodeType) -> str:
    """Return the element of an item in a list with keys; defaults of keys count (FK-224).

    Raises NoIdentity.
    """
    if item is None:
        raise NoIdentity("associative list with keys may not have a null element")
    if not isinstance(item, dict):
        raise NoIdentity("associative list with keys may not have non-map elements")
    keys = typed.list_keys
    # Most lists have one key of plain text, and JSON encoding of it can be skipped.
    if len(keys) == 1 and _is_plain(value := item.get(keys[0])):
        return f'k:{{"{keys[0]}":"{value}"}}'
    keys_with_defaults = {name: item.get(name, default) for name, default in _key_defaults(typed)}
    identity = {
        name: value for name, value in keys_with_defaults.items() if name in item or value is not None
    }
    if not identity:
        why = "associative list with keys has an element that omits all key fields"
        raise NoIdentity(f"{why} {_go_list(keys)} (and doesn't have default values for any key fields)")
    return f"k:{_encode(identity)}"


def _key_defaults(typed: NodeType) -> list[tuple[str, Json]]:
    fields = typed.items.properties if typed.items is not None else {}
    return [(name, fields[name].raw.get("default") if name in fields else None) for name in typed.list_keys]


def _is_plain(value: Json) -> bool:
    """Tell whether a value is a text that needs no escapes within quotes."""
    return type(value) is str and value.isascii() and value.isprintable() and not _SPECIAL.intersection(value)


def _encode(value: Json) -> str:
    """Encode as the server does: keys sorted, whole floats as integers, what HTML minds escaped."""
    if isinstance(value, dict):
        value = {name: _float_as_int(item) for name, item in value.items()}
    return orjson.dumps(_float_as_int(value), option=orjson.OPT_SORT_KEYS).decode().translate(_ESCAPED)


def _float_as_int(value: Json) -> Json:
    # The library compares 1 and 1.0 as one value; both are written as 1.
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 2**63 else value


def is_known(element: str) -> bool:
    """Tell whether an element is of a kind that is known here."""
    return element[:2] in _RANK


def canonical(element: str) -> str:
    """Return an element in our spelling, whichever client wrote it.

    Raises ValueError when its value makes no sense.
    """
    kind, rest = element[:2], element[2:]
    if kind == "f:":
        return element
    if kind == "i:":
        return f"i:{parse_int(rest)}"
    value = orjson.loads(rest)
    if kind == "k:" and not isinstance(value, dict):
        raise ValueError(f"keys of {element!r} are no object")
    return f"{kind}{_encode(value)}"


@cache_short_texts(4096)
def order(element: str) -> tuple[Any, ...]:
    """Return what elements are sorted by: fields, keys, values, indexes."""
    kind, rest = element[:2], element[2:]
    rank = _RANK[kind]
    if rank == 0:
        return rank, rest
    if kind == "i:":
        return rank, parse_int(rest)
    value = orjson.loads(rest)
    return (
        (rank, [(name, _scalar_order(item)) for name, item in sorted(value.items())])
        if rank == 1
        else (rank, _scalar_order(value))
    )


def _scalar_order(value: Json) -> tuple[int, Any]:
    """Numbers come before strings, strings before booleans, null last."""
    # bool before int, which it is in Python.
    if isinstance(value, bool):
        return 2, value
    if isinstance(value, int | float):
        return 0, value
    return (1, value) if isinstance(value, str) else (3, _encode(value))


def text(path: Path) -> str:
    """Return a path as messages print it, such as `.spec.ports[name="http"].port`."""
    return "".join(map(element_text, path))


def element_text(element: str) -> str:
    """Return one element as messages print it."""
    kind, rest = element[:2], element[2:]
    if kind == "f:":
        return f".{rest}"
    if kind == "i:":
        return f"[{rest}]"
    value = orjson.loads(rest)
    if kind == "v:":
        return f"[={_to_json(value)}]"
    return "[" + ",".join(f"{name}={_to_json(item)}" for name, item in sorted(value.items())) + "]"


def _to_json(value: Json) -> str:
    return orjson.dumps(value).decode()


def _go_list(names: tuple[str, ...]) -> str:
    return "[" + " ".join(_to_json(name) for name in names) + "]"


def fields_with_elements(node: Json, typed: NodeType) -> list[Member]:
    """Return (element, value, type) of each member of an object;
    none of a value that is no object, which is refused later.
    """
    if not isinstance(node, dict):
        return []
    return [(field(name), value, child_type(typed, name)) for name, value in node.items()]


def child_type(typed: NodeType, name: str) -> NodeType:
    """Return the type of an object's member; anything where the schema does not know it."""
    declared: NodeType | None = None if typed.is_embedded else typed.properties.get(name)
    return declared or member(typed, name) or ANY_TYPE


def element_of(typed: NodeType, kind: NodeForm) -> Callable[[Json], str]:
    """Return what names the items of a list of this form."""
    return of_value if kind is NodeForm.SET else lambda item: of_item(item, typed)


def items_by_element(node: list[Json], typed: NodeType, kind: NodeForm) -> dict[str, list[Json]]:
    """Return the items of a list by element, in order; an item without identity is left out."""
    name = element_of(typed, kind)
    items_by_element: dict[str, list[Json]] = {}
    for item in node:
        try:
            items_by_element.setdefault(name(item), []).append(item)
        except NoIdentity:
            continue
    return items_by_element


def item_type(typed: NodeType) -> NodeType:
    """Return the type of a list's items."""
    return typed.items or ANY_TYPE


def item_elements(node: list[Json], typed: NodeType, kind: NodeForm) -> list[str]:
    """Return the elements of a list's items in order, repetitions included."""
    name = element_of(typed, kind)
    item_elements = []
    for item in node:
        try:
            item_elements.append(name(item))
        except NoIdentity:
            continue
    return item_elements

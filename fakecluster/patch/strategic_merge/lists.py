"""Lists in a strategic merge patch: finding items by key,
items that carry a directive, and the order of the result.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable
from typing import Literal

from ...base.json_types import Json
from ..golang import as_text, format_plain, type_name
from ..json.equality import distinct, is_same, to_hashable


def require_list_or_null(value: Json) -> list[Json]:
    """Return a list unchanged, and an empty one for null; anything else is a problem."""
    return [] if value is None else require_list(value)


def require_list(value: Json) -> list[Json]:
    """Return a list unchanged; anything else is a problem, null as well."""
    if isinstance(value, list):
        return value
    raise StrategicProblem(f"expected a {type_name([])}, but received a {_type_of_received(value)}")


def _type_of_received(value: Json) -> str:
    return "%!s(<nil>)" if value is None else type_name(value)


def of_objects(original: list[Json], patch: list[Json]) -> bool:
    """Tell whether the lists hold objects rather than scalars; items of different types are a problem."""
    names = [type_name(item) for item in (*original, *patch)]
    if not names:
        raise StrategicProblem("no elements in any given slices")
    if names[0] == type_name([]):
        raise StrategicProblem("lists of lists are not supported", "nesting")
    if any(name != names[0] for name in names):
        raise StrategicProblem(f"list element types are not identical: {format_plain([original, patch])}")
    return names[0] == type_name({})


def unite(original: list[Json], patch: list[Json]) -> list[Json]:
    """Return the values of both, those of the patch first where the original's order allows it."""
    return arrange(distinct([*original, *patch]), patch, original, "")


def without(original: list[Json], patch: list[Json]) -> list[Json]:
    """Return the values that the patch does not have."""
    # Hashable keys, because true must not delete 1.
    gone = set(map(to_hashable, patch))
    return [value for value in original if to_hashable(value) not in gone]


def key_of(item: Json, key: str) -> Json:
    """Return what identifies an item."""
    if not isinstance(item, dict):
        raise StrategicProblem(f"expected a {type_name({})}, but received a {_type_of_received(item)}")
    if key not in item:
        raise StrategicProblem(f"map: {format_plain(item)} does not contain declared merge key: {key}")
    return item[key]


def places(items: list[Json], key: str) -> dict[Hashable, int]:
    """Return where the first item with each key is, or each scalar when there is no key."""
    return {to_hashable(item.get(key) if key else item): at for at, item in reversed([*enumerate(items)])}


def without_directed(original: list[Json], patch: list[Json], key: str) -> tuple[list[Json], list[Json]]:
    """Carry out the directives of a patch's items; returns the rest of the original and of the patch."""
    plain = [item for item in patch if "$patch" not in item]
    gone = {to_hashable(key_of(item, key)) for item in patch if _directive(item) == "delete"}
    # One item with `$patch: replace` replaces the whole list, whatever the others say.
    if any(_directive(item) == "replace" for item in patch):
        return plain, []
    return [item for item in original if to_hashable(item.get(key)) not in gone], plain


def merge_in_place(live: list[Json], patch: list[Json], key: str) -> list[Json]:
    """Return the live list as merging in place leaves it: that, not the list before, decides about order.

    Deleted items make room at the end, which new items fill; what is beyond the old length is not seen.
    """
    gone = {to_hashable(item.get(key)): None for item in patch if _directive(item) == "delete"}
    remaining = [item for item in live if to_hashable(item.get(key)) not in gone]
    # Go deletes in place: the tail of the old array is still there when the order is decided, and the real
    # server reads it.
    slots, size = [*remaining, *_tail(live, [*gone], key)], len(remaining)
    if any(_directive(item) == "replace" for item in patch):
        return slots
    known_keys = {to_hashable(item.get(key)) for item in remaining}
    for item in patch:
        if "$patch" not in item and size < len(slots) and to_hashable(item.get(key)) not in known_keys:
            slots[size] = item
            known_keys.add(to_hashable(item.get(key)))
            size += 1
    return slots


def _tail(live: list[Json], gone: list[Hashable], key: str) -> list[Json]:
    """Return what stands beyond the end when items are taken
    out one by one, each time moving the rest to the front.
    """
    turn_by_key = {name: turn for turn, name in enumerate(gone)}
    turns = sorted(
        (turn_by_key[name], at)
        for at, item in enumerate(live)
        if (name := to_hashable(item.get(key))) in turn_by_key
    )
    out: set[int] = set()
    last = len(live) - 1
    tail: list[Json] = []
    for _, at in turns:
        while last in out:
            last -= 1
        tail.append(live[last])
        out.add(at)
    return tail[::-1]


def _directive(item: Json) -> str:
    directive = item.get("$patch", "")
    if directive == "merge":
        # Go's words; `$patch: merge` is declared and was never implemented.
        raise StrategicProblem("merging lists cannot yet be specified in the patch")
    if "$patch" in item and directive not in ("delete", "replace"):
        raise StrategicProblem(f"unknown patch type: {as_text(directive)} in map: {format_plain(item)}")
    return str(directive)


def arrange(merged: list[Json], order: list[Json], live: list[Json], key: str) -> list[Json]:
    """Return merged items: those named by `order` in its order, the others between them as they were live."""
    if key and (odd := next((at for at, item in enumerate(order) if not isinstance(item, dict)), -1)) >= 0:
        raise StrategicProblem(f"value for key {odd} is not a map")
    before = places(live, key)
    turn_by_name = {to_hashable(_identity(item, key)): turn for turn, item in reversed([*enumerate(order)])}
    named_items = [(to_hashable(_identity(item, key)), item) for item in merged]
    added = [(before.get(name, -1), item) for name, item in named_items if name not in turn_by_name]
    # What was not there comes last.
    ours = deque(sorted(added, key=lambda position: position[0] % (len(live) + 1)))
    theirs = deque(
        (before.get(name, -1), item)
        for name, item in sorted(
            (named_item for named_item in named_items if named_item[0] in turn_by_name),
            key=lambda named_item: turn_by_name[named_item[0]],
        )
    )
    result = []
    while ours and theirs:
        result.append((ours if 0 <= ours[0][0] < theirs[0][0] else theirs).popleft())
    return [item for _, item in (*result, *ours, *theirs)]


def _identity(item: Json, key: str) -> Json:
    return key_of(item, key) if key else item


def check_order(patch: list[Json], order: list[Json], key: str, directive: str) -> None:
    """Raise StrategicProblem when the patch's items do not come in the order that the patch itself sets."""
    items = [item for item in patch if not key or "$patch" not in item]
    matched = 0
    for ordered_item in order:
        if matched < len(items) and is_same(_identity(items[matched], key), _identity(ordered_item, key)):
            matched += 1
    if order and matched < len(items):
        texts = format_plain(patch), format_plain(order)
        raise StrategicProblem(
            f"The order in patch list:\n{texts[0]}\n doesn't match {directive} list:\n{texts[1]}\n"
        )


class StrategicProblem(Exception):
    """The patch and the object do not fit; the text is the Status message, `kind` decides about its code.

    `format` is a malformed directive (400), `nesting` a list of lists (422), `content` everything else (500).
    """

    def __init__(self, text: str, kind: Literal["format", "nesting", "content"] = "content") -> None:
        super().__init__(text)
        self.kind: str = kind

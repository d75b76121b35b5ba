"""Lists in a strategic merge patch: finding items by key, items that carry a directive, and the order of the result."""

from __future__ import annotations

from typing import Any

from .golang import as_text, printed, type_name
from .strategic_problem import StrategicProblem
from .typed import same

Json = Any


def expected(value: Json) -> list[Json]:
    """Return a list as it is and nothing as an empty one; anything else is a problem."""
    return [] if value is None else ordered(value)


def ordered(value: Json) -> list[Json]:
    """Return a list as it is; anything else is a problem, nothing as well."""
    if isinstance(value, list):
        return value
    raise StrategicProblem(f"expected a {type_name([])}, but received a {_received(value)}")


def _received(value: Json) -> str:
    return "%!s(<nil>)" if value is None else type_name(value)


def of_objects(original: list[Json], patch: list[Json]) -> bool:
    """Tell whether the lists hold objects rather than scalars; items of different types are a problem."""
    names = [type_name(item) for item in (*original, *patch)]
    if not names:
        raise StrategicProblem("no elements in any given slices")
    if names[0] == type_name([]):
        raise StrategicProblem("lists of lists are not supported", "nesting")
    if any(name != names[0] for name in names):
        raise StrategicProblem(f"list element types are not identical: {printed([original, patch])}")
    return names[0] == type_name({})


def united(original: list[Json], patch: list[Json]) -> list[Json]:
    """Return the values of both, those of the patch first where the original's order allows it."""
    merged: list[Json] = []
    for value in (*original, *patch):
        if value not in merged:
            merged.append(value)
    return arranged(merged, patch, original, "")


def key_of(item: Json, key: str) -> Json:
    """Return what identifies an item."""
    if not isinstance(item, dict):
        raise StrategicProblem(f"expected a {type_name({})}, but received a {_received(item)}")
    if key not in item:
        raise StrategicProblem(f"map: {printed(item)} does not contain declared merge key: {key}")
    return item[key]


def place(items: list[Json], wanted: Json, key: str) -> int:
    """Return the place of the item with a key, or of a scalar when there is no key; -1 when there is none."""
    return next((i for i, item in enumerate(items) if same(item.get(key) if key else item, wanted)), -1)


def without_directed(original: list[Json], patch: list[Json], key: str) -> tuple[list[Json], list[Json]]:
    """Carry out the directives of a patch's items; returns what is left of the original and of the patch."""
    plain = [item for item in patch if "$patch" not in item]
    gone = [key_of(item, key) for item in patch if _directive(item) == "delete"]
    if any(_directive(item) == "replace" for item in patch):
        return plain, []
    return [item for item in original if not any(same(item.get(key), one) for one in gone)], plain


def left_behind(live: list[Json], patch: list[Json], key: str) -> list[Json]:
    """Return the live list as merging in place leaves it: that, not the list before, decides about order.

    Deleted items make room at the end, which new items fill; what is beyond the old length is not seen.
    """
    slots, size = list(live), len(live)
    for item in patch:
        while _directive(item) == "delete" and (at := place(slots[:size], item.get(key), key)) >= 0:
            slots[at : size - 1] = slots[at + 1 : size]
            size -= 1
    if any(_directive(item) == "replace" for item in patch):
        return slots
    for item in patch:
        new = "$patch" not in item and size < len(slots) and place(slots[:size], item.get(key), key) < 0
        if new:
            slots[size] = item
            size += 1
    return slots


def _directive(item: Json) -> str:
    directive = item.get("$patch", "")
    if directive == "merge":
        raise StrategicProblem("merging lists cannot yet be specified in the patch")
    if "$patch" in item and directive not in ("delete", "replace"):
        raise StrategicProblem(f"unknown patch type: {as_text(directive)} in map: {printed(item)}")
    return str(directive)


def arranged(merged: list[Json], order: list[Json], live: list[Json], key: str) -> list[Json]:
    """Return merged items: those named by `order` in its order, the others between them as they were live."""
    if key and (odd := next((at for at, item in enumerate(order) if not isinstance(item, dict)), -1)) >= 0:
        raise StrategicProblem(f"value for key {odd} is not a map")
    wanted = [key_of(item, key) if key else item for item in order]
    ours = sorted(  # what was not there comes last
        (item for item in merged if not _named(item, wanted, key)),
        key=lambda item: _place_of(live, item, key) % (len(live) + 1),
    )
    theirs = sorted(
        (item for item in merged if _named(item, wanted, key)),
        key=lambda item: wanted.index(_identity(item, key)),
    )
    result = []
    while ours and theirs:
        left, right = (_place_of(live, side[0], key) for side in (ours, theirs))
        result.append(ours.pop(0) if 0 <= left < right else theirs.pop(0))
    return [*result, *ours, *theirs]


def _place_of(items: list[Json], item: Json, key: str) -> int:
    return place(items, _identity(item, key), key)


def _identity(item: Json, key: str) -> Json:
    return key_of(item, key) if key else item


def _named(item: Json, wanted: list[Json], key: str) -> bool:
    return _identity(item, key) in wanted


def check_order(patch: list[Json], order: list[Json], key: str, directive: str) -> None:
    """Raise StrategicProblem when the patch's items do not come in the order that the patch itself sets."""
    items = [item for item in patch if not key or "$patch" not in item]
    found = 0
    for one in order:
        if found < len(items) and same(_identity(items[found], key), _identity(one, key)):
            found += 1
    if order and found < len(items):
        texts = printed(patch), printed(order)
        raise StrategicProblem(
            f"The order in patch list:\n{texts[0]}\n doesn't match {directive} list:\n{texts[1]}\n"
        )

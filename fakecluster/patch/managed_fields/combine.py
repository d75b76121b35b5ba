"""An apply body merged into the live object: leaf by leaf, sets united, list items matched by key (FK-204
step 4).

What does not change keeps its identity, so a comparison with the live object skips it.
"""

from __future__ import annotations

from ...base.json_types import Json
from . import members
from .typed import ANYTHING, Form, Typed, form, member


def combine(live: Json, config: Json, typed: Typed) -> Json:
    """Return the live node with the applied one merged in."""
    kind = form(typed, live if config is None else config)
    if kind is Form.LEAF or not live or form(typed, live) is not kind:
        return live if _equal_leaf(live, config) else config
    if not config:
        return live
    return _fields(live, config, typed) if kind is Form.MAP else _items(live, config, typed, kind)


def _equal_leaf(live: Json, config: Json) -> bool:
    return type(live) is type(config) and bool(live == config)


def _fields(live: Json, config: Json, typed: Typed) -> Json:
    changed = {}
    for name, value in config.items():
        before = live.get(name)
        after = combine(before, value, member(typed, name) or ANYTHING) if name in live else value
        if after is not before or name not in live:
            changed[name] = after
    return {**live, **changed} if changed else live


def _items(live: list[Json], config: list[Json], typed: Typed, kind: Form) -> Json:
    mine, theirs = members.items(live, typed, kind), members.items(config, typed, kind)
    child = members.item_type(typed)
    merged: list[Json] = []
    for element in _order(members.elements(live, typed, kind), list(theirs)):
        before, after = mine.get(element, []), theirs.get(element)
        if after is None:
            merged.append(before.pop(0))
        else:
            merged.append(combine(before[0], after[0], child) if len(before) == 1 else after[0])
    unchanged = len(merged) == len(live) and all(
        one is other for one, other in zip(merged, live, strict=True)
    )
    return live if unchanged else merged


def _order(live: list[str], config: list[str]) -> list[str]:
    """Return the elements in merged order: the body decides about its own, the others keep their place before
    them.
    """
    applied, known = set(config), set(live)
    shared = [element for element in config if element in known]
    merged: list[str] = []
    done: set[str] = set()
    left = right = ahead = 0
    while left < len(live) or right < len(config):
        while ahead < len(shared) and shared[ahead] in done:
            ahead += 1
        wanted = shared[ahead] if ahead < len(shared) else None
        if left < len(live) and live[left] not in applied:
            merged.append(live[left])
            left += 1
            continue
        if left < len(live) and (
            live[left] in done or (right < len(config) and live[left] not in {wanted, config[right]})
        ):
            left += 1
            continue
        if right < len(config):
            merged.append(config[right])
            done.add(config[right])
            right += 1
        else:
            left += 1
    return merged

"""An apply body merged into the live object: leaf by leaf,
sets united, list items matched by key (FK-204 step 4).

What does not change keeps its identity, so a comparison with the live object skips it.
"""

from __future__ import annotations

from ...base.json_types import Json
from . import paths
from .typed import ANY_TYPE, NodeForm, NodeType, form, member


def combine(live: Json, config: Json, typed: NodeType) -> Json:
    """Return the live node with the applied one merged in."""
    kind = form(typed, live if config is None else config)
    if kind is NodeForm.LEAF or not live or form(typed, live) is not kind:
        return live if _equal_leaf(live, config) else config
    if not config:
        return live
    return _fields(live, config, typed) if kind is NodeForm.MAP else _items(live, config, typed, kind)


def _equal_leaf(live: Json, config: Json) -> bool:
    # 1, 1.0 and true are equal in Python, and three values in JSON.
    return type(live) is type(config) and bool(live == config)


def _fields(live: Json, config: Json, typed: NodeType) -> Json:
    changed = {}
    for name, value in config.items():
        before = live.get(name)
        after = combine(before, value, member(typed, name) or ANY_TYPE) if name in live else value
        if after is not before or name not in live:
            changed[name] = after
    return {**live, **changed} if changed else live


def _items(live: list[Json], config: list[Json], typed: NodeType, kind: NodeForm) -> Json:
    mine, theirs = paths.items_by_element(live, typed, kind), paths.items_by_element(config, typed, kind)
    child = paths.item_type(typed)
    merged: list[Json] = []
    for element in _order(paths.item_elements(live, typed, kind), list(theirs)):
        before, after = mine.get(element, []), theirs.get(element)
        if after is None:
            merged.append(before.pop(0))
        else:
            merged.append(combine(before[0], after[0], child) if len(before) == 1 else after[0])
    unchanged = len(merged) == len(live) and all(
        merged_item is live_item for merged_item, live_item in zip(merged, live, strict=True)
    )
    return live if unchanged else merged


def _order(live: list[str], config: list[str]) -> list[str]:
    """Return the elements in merged order: the body decides
    about its own, the others keep their place before them.
    """
    applied_elements, live_elements = set(config), set(live)
    shared = [element for element in config if element in live_elements]
    merged: list[str] = []
    placed_elements: set[str] = set()
    live_index = config_index = shared_index = 0
    while live_index < len(live) or config_index < len(config):
        # The next item that both have is where the two orders meet.
        while shared_index < len(shared) and shared[shared_index] in placed_elements:
            shared_index += 1
        next_shared = shared[shared_index] if shared_index < len(shared) else None
        # Items that the body does not mention keep their place before the next item that both have.
        if live_index < len(live) and live[live_index] not in applied_elements:
            merged.append(live[live_index])
            live_index += 1
            continue
        if live_index < len(live) and (
            live[live_index] in placed_elements
            or (config_index < len(config) and live[live_index] not in {next_shared, config[config_index]})
        ):
            live_index += 1
            continue
        if config_index < len(config):
            merged.append(config[config_index])
            placed_elements.add(config[config_index])
            config_index += 1
        else:
            live_index += 1
    return merged

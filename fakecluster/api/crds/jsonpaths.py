"""The simple JSON paths of printer columns, selectable fields and the scale subresource (FK-278, FK-280, FK-420)."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

Json = Any
_STEP = re.compile(
    r"""\.(?P<name>[A-Za-z_][\w/-]*(?:\\\.[\w/-]+)*)|\[(?P<quote>['"])(?P<key>.*?)(?P=quote)\]|\[(?P<index>-?[0-9]{1,18}|\*)\]"""
    r"""|\[\?\(@(?P<test>(?:\.[\w-]+|\[[^\]]*\])+)\s*(?P<compare>==|!=)\s*(?P<value>"[^"]*"|'[^']*'|[^)]*)\)\]"""
)


@lru_cache(maxsize=4096)
def compile_path(path: str) -> Callable[[Json], list[Json]]:
    """Return a function from an object to the values found at a path such as `.spec.items[?(@.type=="Ready")].status`."""
    steps, position = [], 0
    while position < len(path):
        match = _STEP.match(path, position)
        if match is None:
            return lambda _: []
        steps.append(_step(match))
        position = match.end()

    def find(value: Json) -> list[Json]:
        values = [value]
        for step in steps:
            values = [found for one in values for found in step(one)]
        return values

    return find


def _step(match: re.Match[str]) -> Callable[[Json], list[Json]]:
    if match["test"]:
        return _filter(match["test"], match["compare"], match["value"].strip("\"' "))
    if match["index"]:
        return _index(match["index"])
    name = match["key"] if match["key"] is not None else match["name"].replace("\\.", ".")
    return lambda value: [value[name]] if isinstance(value, dict) and name in value else []


def _index(text: str) -> Callable[[Json], list[Json]]:
    if text == "*":
        return lambda value: (
            list(value.values())
            if isinstance(value, dict)
            else list(value)
            if isinstance(value, list)
            else []
        )
    at = int(text)
    return lambda value: [value[at]] if isinstance(value, list) and -len(value) <= at < len(value) else []


def _filter(test: str, compare: str, wanted: str) -> Callable[[Json], list[Json]]:
    find = compile_path(test)

    def step(value: Json) -> list[Json]:
        items = value if isinstance(value, list) else []
        return [
            item for item in items if ([_text(one) for one in find(item)] == [wanted]) == (compare == "==")
        ]

    return step


def _text(value: Json) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)

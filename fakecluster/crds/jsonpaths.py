"""The simple JSON paths of printer columns, selectable fields and the scale subresource (FK-278, FK-280,
FK-420).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any

from ..caching import of_short_texts
from ..schema.request_budget import spend

Json = Any
Step = Callable[[Json], Iterable[Json]]
_STEP = re.compile(
    r"""\.(?P<name>[A-Za-z_][\w/-]*(?:\\\.[\w/-]+)*)|\[(?P<quote>['"])(?P<key>.*?)(?P=quote)\]|\[(?P<index>-?[0-9]{1,18}|\*)\]"""
    r"""|\[\?\(@(?P<test>(?:\.[\w-]+|\[[^\]]*\])+)\s*(?P<compare>==|!=)\s*(?P<value>"[^"]*"|'[^']*'|[^)]*)\)\]"""
)


@of_short_texts(4096)
def compile_path(path: str) -> Callable[[Json], Iterator[Json]]:
    """Return a function from an object to an iterator over its values at a path such as
    `.spec.items[?(@.type=="Ready")].status`.
    """
    steps, position = [], 0
    while position < len(path):
        match = _STEP.match(path, position)
        if match is None:
            return lambda _: iter(())
        steps.append(_step(match))
        position = match.end()

    def find(value: Json) -> Iterator[Json]:
        values: Iterator[Json] = iter((value,))
        for step in steps:
            values = chain.from_iterable(map(step, values))
        return values

    return find


def _step(match: re.Match[str]) -> Step:
    if match["test"]:
        return _filter(match["test"], match["compare"], match["value"].strip("\"' "))
    if match["index"]:
        return _index(match["index"])
    name = match["key"] if match["key"] is not None else match["name"].replace("\\.", ".")
    return lambda value: [value[name]] if isinstance(value, dict) and name in value else []


def _items(value: Json) -> Iterable[Json]:
    """Return the items of a list or the values of a map. Raises TooMuchWork."""
    if not isinstance(value, dict | list):
        return ()
    spend("items of JSON paths", len(value))
    return value.values() if isinstance(value, dict) else value


def _index(text: str) -> Step:
    if text == "*":
        return _items
    at = int(text)
    return lambda value: [value[at]] if isinstance(value, list) and -len(value) <= at < len(value) else []


def _filter(test: str, compare: str, wanted: str) -> Step:
    find = compile_path(test)

    def step(value: Json) -> Iterable[Json]:
        items = _items(value) if isinstance(value, list) else ()
        return (
            item for item in items if ([_text(one) for one in find(item)] == [wanted]) == (compare == "==")
        )

    return step


def _text(value: Json) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)

"""Lists, sets and maps of limited size, as the group `resource.k8s.io` judges them (FK-504)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ...base.json_types import Json
from ...schema import fields
from ..validation.basics import Errors

Judge = Callable[[Json, str], Errors]
SHORTEST_KEY_LIMIT = 16


def identity(value: Json) -> Json:
    """Return a value as its own key."""
    return value


def judge_list(values: Sequence[Json] | None, limit: int, path: str, judge: Judge) -> Errors:
    """Judge the items of a list, or only its size when it has more than `limit`."""
    values = values or ()
    if len(values) > limit:
        yield fields.too_many(path, len(values), limit)
        return
    for number, value in enumerate(values):
        yield from judge(value, f"{path}[{number}]")


def judge_set(
    values: Sequence[Json] | None, limit: int, path: str, judge: Judge, key: Callable[[Json], Json] = identity
) -> Errors:
    """Judge a list whose items differ by `key`; duplicates are named after the errors of all items."""
    values = values or ()
    yield from judge_list(values, limit, path, judge)
    if len(values) <= limit:
        yield from duplicates(values, path, key, key)


def duplicates(
    values: Sequence[Json], path: str, key: Callable[[Json], Json], show: Callable[[Json], Json]
) -> Errors:
    """Name the items whose key an earlier item has, as `show` renders them."""
    keys: set[Json] = set()
    for number, value in enumerate(values):
        if key(value) in keys:
            yield fields.duplicate(f"{path}[{number}]", show(value))
        keys.add(key(value))


def judge_map(
    values: Mapping[str, Json] | None, path: str, judge_key: Judge, judge: Judge, key_limit: int
) -> Errors:
    """Judge the keys and values of a map; paths show keys
    of more than `key_limit` bytes without their middle.
    """
    for name, value in sorted((values or {}).items()):
        yield from judge_key(name, path)
        yield from judge(value, f"{path}[{_without_middle(name, key_limit)}]")


def _without_middle(text: str, limit: int) -> str:
    limit = max(limit, SHORTEST_KEY_LIMIT)
    if len(text) <= limit:
        return text
    remaining = limit - len("...")
    return f"{text[: (remaining + 1) // 2]}...{text[len(text) - remaining // 2 :]}"

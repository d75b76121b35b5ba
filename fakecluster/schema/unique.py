"""Items of `set` lists and keys of `map` lists occur once (FK-267).

Every later copy of an item is reported, except that of three equal ones only the second is: the real server
says each duplicated value once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..base.json_types import Json
from .correlate import Correlation
from .fields import FieldError, duplicate
from .identity_cache import IdentityCache, is_worth
from .scalars import json_text

Check = Callable[[Json, str, list[FieldError]], None]


def compile_unique(raw: Mapping[str, Json]) -> Check | None:
    """Return `check(value, path, errors)` for a node and all below it; None when no list must be unique."""
    return _compile(raw, 0)


def _part(raw: Mapping[str, Json], level: int) -> Check | None:
    """Return the check of a part of an object, so many levels below its root; parts that were found good are
    not checked again.
    """
    check = _compile(raw, level)
    return _remembering(check) if check is not None and is_worth(raw, level) else check


def _remembering(check: Check) -> Check:
    good = IdentityCache()

    def remembering(value: Json, path: str, errors: list[FieldError]) -> None:
        if value in good:
            return
        before = len(errors)
        check(value, path, errors)
        if len(errors) == before:
            good.add(value)

    return remembering


def _compile(raw: Mapping[str, Json], level: int) -> Check | None:
    below = tuple(filter(None, (_items(raw, level), _members(raw, level))))
    own = _own(raw)
    if own is None and not below:
        return None

    def check(value: Json, path: str, errors: list[FieldError]) -> None:
        if own is not None and type(value) is list:
            own(value, path, errors)
        for step in below:
            step(value, path, errors)

    return check


def _own(raw: Mapping[str, Json]) -> Check | None:
    kind = raw.get("x-kubernetes-list-type")
    if kind == "set":
        return lambda value, path, errors: _report(value, path, errors, json_text)
    if kind == "map":
        correlation = Correlation.of(raw)
        keys = raw.get("x-kubernetes-list-map-keys") or ()

        def sort_keys(item: Json) -> Json:
            return {key: item[key] for key in sorted(keys) if key in item} if type(item) is dict else item

        return lambda value, path, errors: _report(value, path, errors, correlation.identity, sort_keys)
    return None


def _report(
    value: list[Json],
    path: str,
    errors: list[FieldError],
    identity: Callable[[Json], Any],
    shown: Callable[[Json], Json] = lambda item: item,
) -> None:
    counts: dict[Any, int] = {}
    for i, item in enumerate(value):
        key = identity(item)
        counts[key] = counts.get(key, 0) + 1
        if counts[key] == 2:
            errors.append(duplicate(f"{path}[{i}]", shown(item)))


def _items(raw: Mapping[str, Json], level: int) -> Check | None:
    items = raw.get("items")
    check = _part(items, level + 1) if isinstance(items, dict) else None
    if check is None:
        return None

    def step(value: Json, path: str, errors: list[FieldError]) -> None:
        if type(value) is list:
            for i, item in enumerate(value):
                check(item, f"{path}[{i}]", errors)

    return step


def _members(raw: Mapping[str, Json], level: int) -> Check | None:
    checks = {name: _part(child, level + 1) for name, child in (raw.get("properties") or {}).items()}
    member_checks = {name: check for name, check in checks.items() if check}
    extra = raw.get("additionalProperties")
    extra_check = _part(extra, level + 1) if isinstance(extra, dict) else None
    if not member_checks and not extra_check:
        return None

    def step(value: Json, path: str, errors: list[FieldError]) -> None:
        if type(value) is not dict:
            return
        for name, child in value.items():
            if name in member_checks:
                member_checks[name](child, f"{path}.{name}" if path else name, errors)
            elif extra_check and name not in checks:
                extra_check(child, f"{path}[{name}]", errors)

    return step

"""What is wrong with an apply body before anything is merged (FK-204 step 3, FK-224). Only the first problem is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import members
from .paths import NoElement, element_text
from .typed import Form, Typed, form, member, whole

Json = Any
_SCALARS: dict[str, tuple[tuple[type, ...], str]] = {
    "string": ((str,), "string"),
    "integer": ((int, float), "numeric (int or float)"),
    "number": ((int, float), "numeric (int or float)"),
    "boolean": ((bool,), "boolean"),
}


class InvalidApply(Exception):
    """The body does not fit its type; the text is the Status message."""


def check(config: Json, typed: Typed) -> None:
    """Raise InvalidApply for a body that does not fit the type of its kind."""
    problem = _node(config, whole(typed), "")
    if problem:
        raise InvalidApply(f"failed to create typed patch object ({_named(config)}): {problem}")


def _named(config: Json) -> str:
    metadata = config.get("metadata") or {}
    group, _, version = str(config.get("apiVersion", "")).rpartition("/")
    return f"{metadata.get('namespace', '')}/{metadata.get('name', '')}; {group}/{version}, Kind={config.get('kind', '')}".replace(
        "; /", "; /"
    )


def _node(value: Json, typed: Typed, path: str) -> str:
    if value is None or typed.int_or_string or not typed.type:
        return _fields(value, typed, path) if isinstance(value, dict) and not typed.int_or_string else ""
    if typed.type == "object":
        return (
            _fields(value, typed, path)
            if isinstance(value, dict)
            else f"{path}: expected map, got {_go(value)}"
        )
    if typed.type == "array":
        return (
            _items(value, typed, path)
            if isinstance(value, list)
            else f"{path}: expected list, got {_go(value)}"
        )
    return _scalar(value, typed, path)


def _scalar(value: Json, typed: Typed, path: str) -> str:
    types, wanted = _SCALARS[typed.type]
    fits = isinstance(value, types) and isinstance(value, bool) == (typed.type == "boolean")
    return "" if fits else f"{path}: expected {wanted}, got {_go(value)}"


def _fields(value: Json, typed: Typed, path: str) -> str:
    for name in sorted(value):
        child = member(typed, name)
        problem = (
            f"{path}.{name}: field not declared in schema"
            if child is None
            else _node(value[name], child, f"{path}.{name}")
        )
        if problem:
            return problem
    return ""


def _items(value: list[Json], typed: Typed, path: str) -> str:
    kind = form(typed, value)
    name: Callable[[Json], str] | None = None if kind is Form.LEAF else members.element_of(typed, kind)
    seen = set()
    for place, item in enumerate(value):
        try:
            element = name(item) if name else f"i:{place}"
        except NoElement as error:
            return f"{path}: element {place}: {error}"
        if element in seen:
            return f"{path}: duplicate entries for key {element_text(element)}"
        seen.add(element)
        problem = _node(item, members.item_type(typed), path + element_text(element))
        if problem:
            return problem
    return ""


def _go(value: Json) -> str:
    """Name a value's type as Go's formatting of the decoded value does."""
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, str):
        return "string"
    if isinstance(value, int | float):
        return "int" if isinstance(value, int) else "float"
    return "map" if isinstance(value, dict) else "list"

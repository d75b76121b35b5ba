"""What is wrong with an apply body before anything is merged (FK-204 step 3, FK-224). Only the first problem is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import members
from .golang import literal, printed, type_name
from .paths import NoElement, element_text
from .typed import Form, Typed, form, member, whole

Json = Any
Shown = Callable[[Json], str]


def _boxed(value: Json) -> str:
    return f"&{{{printed(value)}}}"


_SCALARS: dict[str, tuple[tuple[type, ...], str, Shown]] = {
    "string": ((str,), "string", lambda value: f"&value.valueUnstructured{{Value:{literal(value)}}}"),
    "integer": ((int, float), "numeric (int or float)", type_name),
    "number": ((int, float), "numeric (int or float)", type_name),
    "boolean": ((bool,), "boolean", _boxed),
}


class InvalidApply(Exception):
    """The body does not fit its type; the text is the Status message."""


def check(config: Json, typed: Typed) -> None:
    """Raise InvalidApply for a body that does not fit the type of its kind."""
    problem = _node(config, whole(typed), "")
    if problem:
        raise InvalidApply(f"failed to create typed patch object ({_named(config)}): {problem}")


def _named(config: Json) -> str:
    group, _, version = config["apiVersion"].rpartition("/")
    return f"{_told(config, 'namespace')}/{_told(config, 'name')}; {group}/{version}, Kind={config['kind']}"


def _told(config: Json, name: str) -> str:
    metadata = config.get("metadata")
    value = metadata.get(name) if isinstance(metadata, dict) else None
    return value if isinstance(value, str) else ""


def _node(value: Json, typed: Typed, path: str) -> str:
    if value is None:
        return ""
    if not typed.type:
        fits = not isinstance(value, dict | list) or "oneOf" not in typed.raw
        return "" if fits else f"{path}: expected any scalar, got {_boxed(value)}"
    if typed.type == "object":
        return (
            _fields(value, typed, path)
            if isinstance(value, dict)
            else f"{path}: expected map, got {_boxed(value)}"
        )
    if typed.type == "array":
        return (
            _items(value, typed, path)
            if isinstance(value, list)
            else f"{path}: expected list, got {_boxed(value)}"
        )
    types, wanted, shown = _SCALARS[typed.type]
    fits = isinstance(value, types) and isinstance(value, bool) == (typed.type == "boolean")
    return "" if fits else f"{path}: expected {wanted}, got {shown(value)}"


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

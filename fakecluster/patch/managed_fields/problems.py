"""Errors of an apply body that are found before anything is merged (FK-204 step 3, FK-224)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...base.json_types import Json
from ..golang import format_plain, literal, type_name
from . import paths
from .paths import NoIdentity, element_text
from .typed import NodeForm, NodeType, form, member, whole

Formatter = Callable[[Json], str]


def _format_boxed(value: Json) -> str:
    return f"&{{{format_plain(value)}}}"


_TYPES: dict[str, tuple[tuple[type, ...], str, Formatter]] = {
    "string": ((str,), "string", lambda value: f"&value.valueUnstructured{{Value:{literal(value)}}}"),
    # The schema of the library knows one numeric type, so that 1.5 passes here and fails later, when it is
    # decoded.
    "integer": ((int, float), "numeric (int or float)", type_name),
    "number": ((int, float), "numeric (int or float)", type_name),
    "boolean": ((bool,), "boolean", _format_boxed),
    "object": ((dict,), "map", _format_boxed),
    "array": ((list,), "list", _format_boxed),
}


class InvalidApply(Exception):
    """The body does not fit its type; the text is the Status message."""


def check(config: Json, typed: NodeType) -> None:
    """Raise InvalidApply for a body that does not fit the type of its kind."""
    if problems := type_problems(config, whole(typed)):
        raise InvalidApply(f"failed to create typed patch object ({_describe_object(config)}): {problems}")


def type_problems(obj: Json, typed: NodeType) -> str:
    """Return what does not fit the type of a whole object; empty when everything does."""
    problems = list(_node(obj, typed, ""))
    return "\n  ".join(["errors:", *problems]) if len(problems) > 1 else "".join(problems)


def _describe_object(config: Json) -> str:
    group, _, version = config["apiVersion"].rpartition("/")
    return f"{_metadata_text(config, 'namespace')}/{_metadata_text(config, 'name')}; {group}/{version}, Kind={config['kind']}"


def _metadata_text(config: Json, name: str) -> str:
    metadata = config.get("metadata")
    value = metadata.get(name) if isinstance(metadata, dict) else None
    return value if isinstance(value, str) else ""


def _node(value: Json, typed: NodeType, path: str) -> Iterator[str]:
    """Yield the errors of a node; a null fits every type."""
    if value is None:
        return
    mismatch = _misfit(value, typed)
    if mismatch:
        yield f"{path}: expected {mismatch}"
    elif isinstance(value, dict) and typed.type == "object":
        yield from _fields(value, typed, path)
    elif isinstance(value, list) and typed.type == "array":
        yield from _items(value, typed, path)


def _misfit(value: Json, typed: NodeType) -> str:
    """Return the type that a node should have and that of its value; empty when the value fits."""
    if not typed.type:
        # Types without a name are the scalars with `oneOf`, such as IntOrString and Time.
        fits = not isinstance(value, dict | list) or "oneOf" not in typed.raw
        return "" if fits else f"any scalar, got {_format_boxed(value)}"
    types, expected, formatter = _TYPES[typed.type]
    fits = isinstance(value, types) and isinstance(value, bool) == (typed.type == "boolean")
    return "" if fits else f"{expected}, got {formatter(value)}"


def _fields(value: Json, typed: NodeType, path: str) -> Iterator[str]:
    """Yield the problems of an object's members up to the first that is not declared."""
    for name in sorted(value):
        child = member(typed, name)
        if child is None:
            # The library stops at the first undeclared field of an object.
            yield f"{path}.{name}: field not declared in schema"
            return
        yield from _node(value[name], child, f"{path}.{name}")


def _items(value: list[Json], typed: NodeType, path: str) -> Iterator[str]:
    """Yield the problems of a list's items up to the first that has no identity."""
    kind = form(typed, value)
    name: Callable[[Json], str] | None = None if kind is NodeForm.LEAF else paths.element_of(typed, kind)
    seen_elements = set()
    for index, item in enumerate(value):
        try:
            element = name(item) if name else f"i:{index}"
        except NoIdentity as error:
            yield f"{path}: element {index}: {error}"
            return
        if element in seen_elements:
            yield f"{path}: duplicate entries for key {element_text(element)}"
        seen_elements.add(element)
        yield from _node(item, paths.item_type(typed), path + element_text(element))

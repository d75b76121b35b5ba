"""Judges whether defaults of a schema are values of it (FK-261):
known fields, metadata an object may have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

from msgspec import Struct

from ...base.json_types import Json
from ...gotypes.typed import GoTypeError
from ...schema import fields
from ...schema.compiled import CompiledSchema, below, compile_schema
from ...schema.embedded import Walk, compile_node_walk, type_meta_errors
from ...schema.fields import FieldError
from ...schema.structural import Structural
from ..embedded import decode_resource, metadata_errors
from .dialect import META_FIELDS

EMBEDDED = "x-kubernetes-embedded-resource"
TYPE_META = {"apiVersion": "validation/v1", "kind": "Validation"}


class Resource(Struct, frozen=True):
    """The resource that a node is a part of, and an object of it around a value of the node."""

    walk: Callable[[], Walk | None]
    """How to visit it; compiled once, when a first default of its metadata is judged."""
    around: Callable[[Json], Json] = lambda value: {**TYPE_META, **value}
    in_meta: bool = False

    @classmethod
    def of(cls, node: Json) -> Resource:
        """Return the resource that a node is the root of."""
        return cls(cache(lambda: compile_node_walk(node)))

    def member(self, name: str, *, in_meta: bool) -> Resource:
        """Return the resource as a member of the node sees it."""
        return Resource(self.walk, lambda value: self.around({name: value}), in_meta)

    def item(self) -> Resource:
        """Return the resource as an item of the node sees it."""
        return Resource(self.walk, lambda value: self.around([value]), self.in_meta)


def default_errors(schema: Json, path: str) -> Iterator[FieldError]:
    """Return the errors of all defaults of a schema but those of map values, which no one fills in."""
    # The root is a resource like any embedded one, which it need not say.
    root = {**schema, EMBEDDED: True}
    yield from _below(root, path, Resource.of(root))


def _below(node: Json, path: str, resource: Resource) -> Iterator[FieldError]:
    # An embedded resource begins anew: its metadata are its own.
    if node.get(EMBEDDED):
        resource = Resource.of(node)
    if node.get("default") is not None:
        yield from _default(node, f"{path}.default", resource)
    if isinstance(node.get("items"), dict):
        yield from _below(node["items"], f"{path}.items", resource.item())
    for name, child in (node.get("properties") or {}).items():
        in_meta = resource.in_meta or (bool(node.get(EMBEDDED)) and name in META_FIELDS)
        # Only within a resource do these three names have a meaning.
        yield from _below(child, f"{path}.properties[{name}]", resource.member(name, in_meta=in_meta))


def _default(node: Json, path: str, resource: Resource) -> Iterator[FieldError]:
    value = node["default"]
    # A default within metadata is judged as part of a whole resource: only its type knows what it may be.
    if resource.in_meta:
        if problems := _resource_errors(resource.walk(), resource.around(value), ""):
            yield fields.invalid(path, value, f"must result in valid metadata: {_join(problems)}")
            return
    else:
        if _has_unknown_fields(node, value):
            yield fields.invalid(path, value, "must not have unknown fields")
        if problems := _resource_errors(compile_node_walk(node), value, path):
            yield from problems
            return
    judged = CompiledSchema(Structural.of(_as_judged(node)))
    yield from (below(path, error) for error in judged.values(value) or judged.rule_errors(value))


def _join(errors: list[FieldError]) -> str:
    # Go's Aggregate joins errors that differ, and shows a single one without brackets.
    texts = list(dict.fromkeys(str(error).removeprefix(".") for error in errors))
    return texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]"


def _has_unknown_fields(node: Json, value: Json) -> bool:
    # A property around it, since pruning goes by members and a default may be no object.
    return bool(compile_schema({"type": "object", "properties": {"v": node}}).prune({"v": value})[1])


def _resource_errors(walk: Walk | None, value: Json, path: str) -> list[FieldError]:
    """Return the errors of type and metadata of the resources that a value is or has."""
    errors: list[FieldError] = []
    if walk is None:
        return errors

    def judge(resource: Json, where: str) -> Json:
        errors.extend([*type_meta_errors(resource, where), *metadata_errors(resource, where)])
        return resource

    try:
        typed = walk(value, path, lambda resource, where: decode_resource(resource, where, []))
    except GoTypeError as error:
        field, _, text = str(error).partition(": ")
        return [FieldError("FieldValueInvalid", field, text)]
    walk(typed, path, judge)
    return errors


def _as_judged(node: Json) -> Json:
    """Return the node without what the judge of defaults does not know: integer or string."""
    if isinstance(node, list):
        return [_as_judged(child) for child in node]
    if not isinstance(node, dict):
        return node
    return {name: _as_judged(child) for name, child in node.items() if name != "x-kubernetes-int-or-string"}

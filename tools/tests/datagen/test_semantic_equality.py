"""The tables of semantic equality against the Go types of pods."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Set

from fakecluster.gotypes import types
from reference_impl.api import semantic_equality as tables

AMBIGUOUS = frozenset(
    ["fsType", "kind", "lun", "name", "namespace", "readOnly", "restartPolicy", "signerName", "type", "value"]
)
"""Scalars that one struct holds by value and another by a pointer: taken as values."""

OF_THE_SERVER = frozenset({"deletionTimestamp", "fieldsV1", "time"})
"""What only an API server writes is in no template."""


def test_tables_of_semantic_equality_are_those_of_the_go_types_of_pods() -> None:
    fields = _fields_of_pods()
    shapes = {shape: _names_in_all(fields, shape) for shape in ("pointer", "texts", "quantities", "struct")}

    assert {
        name
        for name, shapes_of_field in fields.items()
        if "pointer" in shapes_of_field and len(shapes_of_field) > 1
    } == AMBIGUOUS
    assert shapes["pointer"] - tables.POINTERS == OF_THE_SERVER
    assert not (tables.POINTERS & (fields.keys() - shapes["pointer"]))
    assert shapes["texts"] | {"options"} == tables.MAPS_OF_TEXTS & fields.keys()
    assert shapes["quantities"] == tables.MAPS_OF_QUANTITIES & fields.keys()
    assert shapes["struct"] == tables.STRUCTS_BY_VALUE & fields.keys()


def _names_in_all(fields: Mapping[str, Set[str]], shape: str) -> Set[str]:
    return {name for name, shapes in fields.items() if shapes == {shape}}


def _fields_of_pods() -> Mapping[str, Set[str]]:
    """Return how the structs of a pod template hold the fields of each name."""
    fields: dict[str, set[str]] = defaultdict(set)
    for message in _messages("core.v1.PodTemplateSpec"):
        for name, (_, go_type, _) in types.go_fields(message).items():
            fields[name].add(_shape(go_type))
    return fields


def _messages(root: str) -> Iterator[str]:
    messages, waiting = {root}, [root]
    while waiting:
        message = waiting.pop()
        yield message
        members = {_element(go_type) for _, go_type, _ in types.go_fields(message).values()}
        new = {member for member in members if types.has_fields(member)} - messages
        messages |= new
        waiting += sorted(new)


def _element(go_type: str) -> str:
    """Return the type that lists, maps and pointers hold."""
    bare = go_type.removeprefix("*").removeprefix("[]")
    bare = bare.partition("]")[2] if bare.startswith("map[") else bare
    return types.underlying_type(bare) if types.is_named(bare) else bare


def _shape(go_type: str) -> str:
    if types.is_named(go_type):
        return _shape(types.underlying_type(go_type))
    if go_type.startswith("map["):
        return "quantities" if go_type.endswith("Quantity") else "texts"
    if types.has_fields(go_type):
        return "struct"
    if go_type.startswith("*"):
        return "pointer to a struct" if types.has_fields(go_type[1:]) else "pointer"
    return "value"

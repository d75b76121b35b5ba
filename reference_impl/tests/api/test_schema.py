"""From declared shapes to schemas: what each word of a declaration becomes (design.md §3)."""

from collections.abc import Mapping
from typing import Annotated, Literal

import pytest
from msgspec import field

from reference_impl.api.crds.edition import Edition
from reference_impl.api.crds.schema import schema_of
from reference_impl.api.crds.vocabulary import (
    ATOMIC,
    QUANTITY,
    CelRule,
    Int32,
    Quantity,
    Shape,
    at_least,
    entries,
    items,
    length,
    list_map_keys,
    only,
    pattern,
    since,
)

V19 = Edition("v0.19", (0, 19, 2))
STRING = {"type": "string"}


class Inner(Shape):
    """Inside."""

    name: str


class Outer(Shape):
    """Something."""

    rules = (CelRule("self.count > 0", "count it"),)

    required: str
    optional: str | None = None
    words: Annotated[str | None, length(1, 9), pattern("^a"), "Some words."] = None
    choice: Literal["A", "B"] = "A"
    count: Annotated[Int32, at_least(0)] = 1
    inner: Inner | None = None
    filled: Inner = field(default_factory=dict)
    atoms: Annotated[tuple[str, ...], items(0, 3), ATOMIC] = ()
    by_name: Annotated[tuple[Inner, ...], list_map_keys("name")] = ()
    labels: Annotated[Mapping[str, str] | None, entries(8)] = None
    amount: Quantity | None = None
    immutable: Annotated[str | None, CelRule("self == oldSelf", "stay")] = None


INNER = {"description": "Inside.", "type": "object", "properties": {"name": STRING}, "required": ["name"]}


@pytest.mark.parametrize(
    ("name", "schema"),
    [
        pytest.param(name, schema, id=name)
        for name, schema in {
            "required": STRING,
            "optional": STRING,
            "words": {
                **STRING,
                "minLength": 1,
                "maxLength": 9,
                "pattern": "^a",
                "description": "Some words.",
            },
            "choice": {**STRING, "enum": ["A", "B"], "default": "A"},
            "count": {"type": "integer", "format": "int32", "minimum": 0, "default": 1},
            "inner": INNER,
            "filled": {**INNER, "default": {}},
            "atoms": {"type": "array", "items": STRING, "maxItems": 3, "x-kubernetes-list-type": "atomic"},
            "byName": {
                "type": "array",
                "items": INNER,
                "x-kubernetes-list-type": "map",
                "x-kubernetes-list-map-keys": ["name"],
            },
            "labels": {"type": "object", "additionalProperties": STRING, "maxProperties": 8},
            "amount": QUANTITY,
            "immutable": {
                **STRING,
                "x-kubernetes-validations": [{"rule": "self == oldSelf", "message": "stay"}],
            },
        }.items()
    ],
)
def test_a_field(name, schema):
    assert schema_of(Outer, V19)["properties"][name] == schema


def test_an_object_says_what_it_is_what_it_needs_and_what_must_hold():
    schema = schema_of(Outer, V19)

    assert (schema["description"], schema["type"], schema["required"]) == (
        "Something.",
        "object",
        ["required"],
    )
    assert schema["x-kubernetes-validations"] == [{"rule": "self.count > 0", "message": "count it"}]


class Aged(Shape):
    """Fields of several times."""

    always: str | None = None
    later: Annotated[str | None, since(0, 8)] = None
    kep: Annotated[str | None, only("kep993")] = None


@pytest.mark.parametrize(
    ("edition", "fields"),
    [
        pytest.param(Edition("v0.6", (0, 6, 2)), ["always"], id="before"),
        pytest.param(Edition("docs", (0, 8)), ["always", "later"], id="from then on"),
        pytest.param(Edition("kep993", (0, 19)), ["always", "later", "kep"], id="only there"),
    ],
)
def test_a_dialect_has_the_fields_of_its_time(edition, fields):
    assert list(schema_of(Aged, edition)["properties"]) == fields

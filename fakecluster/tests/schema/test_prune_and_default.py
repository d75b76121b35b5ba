"""Unknown fields are pruned, defaults set, nulls of other fields dropped (FK-260…262, FK-282)."""

import pytest

from fakecluster.schema.compiled import compile_schema

STRING = {"type": "string"}
SCHEMA = {
    "type": "object",
    "properties": {
        "spec": {
            "type": "object",
            "properties": {
                "d": {**STRING, "default": "dd"},
                "dn": {**STRING, "nullable": True, "default": "nn"},
                "n": STRING,
                "o": {"type": "object", "properties": {"x": {"type": "integer", "default": 3}}},
                "od": {
                    "type": "object",
                    "default": {},
                    "properties": {"x": {"type": "integer", "default": 3}},
                },
                "l": {
                    "type": "array",
                    "items": {"type": "object", "properties": {"on": {"type": "boolean", "default": True}}},
                },
                "m": {
                    "type": "object",
                    "additionalProperties": {
                        "type": "object",
                        "properties": {"q": {**STRING, "default": "q"}},
                    },
                },
                "free": {
                    "type": "object",
                    "x-kubernetes-preserve-unknown-fields": True,
                    "properties": {"known": {"type": "object", "properties": {"k": STRING}}},
                },
                "emb": {
                    "type": "object",
                    "x-kubernetes-embedded-resource": True,
                    "properties": {"spec": {"type": "object"}},
                },
            },
        },
    },
}
COMPILED = compile_schema(SCHEMA)
FILLED = {"d": "dd", "dn": "nn", "od": {"x": 3}}


@pytest.mark.parametrize(
    ("spec", "pruned", "dropped"),
    [
        pytest.param({"zz": 1, "o": {"zz": 1}}, {"o": {}}, ["spec.o.zz", "spec.zz"], id="everywhere"),
        pytest.param({"l": [{"zz": 1}]}, {"l": [{}]}, ["spec.l[0].zz"], id="in items"),
        pytest.param(
            {"free": {"any": {"deep": 1}, "known": {"zz": 1}}},
            {"free": {"any": {"deep": 1}, "known": {}}},
            ["spec.free.known.zz"],
            id="preserved until a schema begins",
        ),
        pytest.param(
            {"emb": {"kind": "P", "zz": 1}},
            {"emb": {"kind": "P"}},
            ["spec.emb.zz"],
            id="embedded keeps its type",
        ),
    ],
)
def test_unknown_fields_are_dropped_with_their_paths(spec, pruned, dropped):
    assert COMPILED.prune({"kind": "K", "metadata": {"any": 1}, "spec": spec, "top": 1}) == (
        {"kind": "K", "metadata": {"any": 1}, "spec": pruned},
        sorted([*dropped, "top"]),
    )


@pytest.mark.parametrize(
    ("spec", "filled"),
    [
        pytest.param({}, FILLED, id="absent"),
        pytest.param({"d": None}, FILLED, id="null gives way to a default"),
        pytest.param({"dn": None}, {**FILLED, "dn": None}, id="null stays where it is allowed"),
        pytest.param({"n": None}, FILLED, id="null without default goes"),
        pytest.param({"o": {}}, {**FILLED, "o": {"x": 3}}, id="inside"),
        pytest.param({"l": [{}, {"on": False}]}, {**FILLED, "l": [{"on": True}, {"on": False}]}, id="items"),
        pytest.param({"l": [None]}, {**FILLED, "l": [None]}, id="a null item stays to be refused"),
        pytest.param({"m": {"a": {}, "b": None}}, {**FILLED, "m": {"a": {"q": "q"}}}, id="map values"),
    ],
)
def test_defaults_fill_what_is_absent(spec, filled):
    assert COMPILED.default({"spec": spec}) == {"spec": filled}


def test_an_absent_parent_gets_no_defaults():
    assert COMPILED.default({"status": 1}) == {"status": 1}


def test_what_needs_no_change_is_the_same_object():
    filled = {"spec": {**FILLED, "l": [{"on": True}]}}
    assert COMPILED.default(filled) is filled
    assert COMPILED.prune(filled)[0] is filled


def test_equal_schemas_are_compiled_once():
    assert compile_schema({"type": "object"}) is compile_schema({"type": "object"})

"""Values against types, limits and junctors, in the words of the real server (FK-263, FK-264, FK-266)."""

import pytest

from fakecluster.schema.compiled import compile_schema

STRING = {"type": "string"}
INT = {"type": "integer"}
SHORT = {"minLength": 3}
X_FIRST = {"pattern": "^x"}
NO_SUCH = '<nil>: Invalid value: "": "spec.v" must'


def judge(schema, value, **fields):
    root = {
        "type": "object",
        "properties": {"spec": {"type": "object", "properties": {"v": schema, **fields}}},
    }
    return [str(error) for error in compile_schema(root).validate({"spec": {"v": value}})]


@pytest.mark.parametrize(
    ("schema", "value", "errors"),
    [
        pytest.param(
            STRING,
            1,
            ['spec.v: Invalid value: "integer": spec.v in body must be of type string: "integer"'],
            id="type",
        ),
        pytest.param(
            {**INT, "format": "int64"},
            "x",
            ['spec.v: Invalid value: "string": spec.v in body must be of type integer: "string"'],
            id="text for a number with a format",
        ),
        pytest.param(INT, 2.0, [], id="whole float is an integer"),
        pytest.param(
            INT,
            1.5,
            [
                'spec.v: Invalid value: "number": spec.v in body must be of type integer: "number"',
                '<nil>: Invalid value: "": Checked value must be of type integer (default format) in spec.v',
            ],
            id="float says it twice",
        ),
        pytest.param(
            {**INT, "format": "int32"},
            3_000_000_000,
            ['<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.v'],
            id="int32",
        ),
        pytest.param(
            {**INT, "format": "int64"},
            2**63,
            [
                'spec.v: Invalid value: "float64": spec.v in body must be of type int64: "float64"',
                '<nil>: Invalid value: "": Checked value must be of type integer with format int64 in spec.v',
            ],
            id="above int64 is a float",
        ),
        pytest.param(
            {"type": "array", "items": STRING},
            [None],
            ['spec.v[0]: Invalid value: "null": spec.v[0] in body must be of type string: "null"'],
            id="null item",
        ),
        pytest.param({**STRING, "nullable": True}, None, [], id="nullable fk-282"),
        pytest.param(
            {"x-kubernetes-int-or-string": True},
            True,
            ['spec.v: Invalid value: "boolean": spec.v in body must be of type integer,string: "boolean"'],
            id="int-or-string",
        ),
        pytest.param(
            {**STRING, "enum": ["a", "b"]},
            "c",
            ['spec.v: Unsupported value: "c": supported values: "a", "b"'],
            id="enum",
        ),
        pytest.param(
            {**INT, "enum": [1, 2]},
            3,
            ['spec.v: Unsupported value: 3: supported values: "1", "2"'],
            id="enum of integers quotes",
        ),
        pytest.param({**STRING, "maxLength": 3}, "äöü", [], id="length counts runes fk-266"),
        pytest.param(
            {**STRING, "maxLength": 1}, "ab", ["spec.v: Too long: may not be more than 1 byte"], id="one byte"
        ),
        pytest.param(
            {**STRING, "minLength": 3},
            "a",
            ['spec.v: Invalid value: "a": spec.v in body should be at least 3 chars long'],
            id="minLength",
        ),
        pytest.param(
            {**INT, "maximum": 5, "exclusiveMaximum": True},
            5,
            ["spec.v: Invalid value: 5: spec.v in body should be less than 5"],
            id="exclusive",
        ),
        pytest.param(
            {"type": "number", "maximum": 2.5},
            2.6,
            ["spec.v: Invalid value: 2.6: spec.v in body should be less than or equal to 2.5"],
            id="float limit",
        ),
        pytest.param(
            {**INT, "multipleOf": 3},
            4,
            ["spec.v: Invalid value: 4: spec.v in body should be a multiple of 3"],
            id="multipleOf",
        ),
        pytest.param(
            {"type": "array", "maxItems": 1, "items": STRING},
            ["a", "b"],
            ["spec.v: Too many: 2: must have at most 1 item"],
            id="maxItems",
        ),
        pytest.param(
            {"type": "array", "minItems": 2, "items": STRING},
            ["a"],
            ["spec.v: Invalid value: 1: spec.v in body should have at least 2 items"],
            id="minItems shows the count",
        ),
        pytest.param(
            {"type": "object", "required": ["p", "q"]},
            {},
            ["spec.v.p: Required value", "spec.v.q: Required value"],
            id="required",
        ),
        pytest.param(
            {"type": "object", "additionalProperties": {**INT, "maximum": 3}},
            {"a.b/c": 4},
            ["spec.v.a.b/c: Invalid value: 4: spec.v.a.b/c in body should be less than or equal to 3"],
            id="map value",
        ),
        pytest.param(
            {**STRING, "anyOf": [{"minLength": 5}, X_FIRST]},
            "abc",
            [
                f"{NO_SUCH} validate at least one schema (anyOf)",
                'spec.v: Invalid value: "abc": spec.v in body should be at least 5 chars long',
            ],
            id="anyOf",
        ),
        pytest.param(
            {**STRING, "oneOf": [SHORT, X_FIRST]},
            "xbc",
            [f"{NO_SUCH} validate one and only one schema (oneOf). Found 2 valid alternatives"],
            id="oneOf both",
        ),
        pytest.param(
            {**STRING, "allOf": [SHORT, X_FIRST]},
            "abc",
            [
                "spec.v: Invalid value: \"abc\": spec.v in body should match '^x'",
                f"{NO_SUCH} validate all the schemas (allOf)",
            ],
            id="allOf partly",
        ),
        pytest.param(
            {**STRING, "not": X_FIRST}, "xa", [f"{NO_SUCH} not validate the schema (not)"], id="not"
        ),
    ],
)
def test_a_value_is_judged(schema, value, errors):
    assert judge(schema, value) == errors


def test_the_alternative_that_came_furthest_is_reported():
    anyof = [
        {"properties": {"a": {"enum": ["x"]}}},
        {"properties": {"a": {"enum": ["y"]}, "b": {"minLength": 2}}},
    ]
    schema = {"type": "object", "properties": {"a": STRING, "b": STRING}, "anyOf": anyof}
    assert 'spec.v.a: Unsupported value: "z": supported values: "y"' in judge(schema, {"a": "z", "b": "bb"})


def test_the_root_has_no_name():
    errors = compile_schema({"type": "object", "required": ["spec"]}).validate("x")
    assert [str(error) for error in errors] == [
        '<nil>: Invalid value: "string":  in body must be of type object: "string"'
    ]


def test_a_status_is_judged_by_its_own_schema():
    root = {
        "type": "object",
        "properties": {"status": {"type": "object", "properties": {"n": {**INT, "maximum": 5}}}},
    }
    errors = compile_schema(root).validate_status({"status": {"n": 6}}, {})
    assert [str(error) for error in errors] == [
        "status.n: Invalid value: 6: n in body should be less than or equal to 5"
    ]


@pytest.mark.parametrize(
    ("items", "errors"),
    [
        pytest.param(["a", "b", "a"], ['spec.v[2]: Duplicate value: "a"'], id="twice"),
        pytest.param(["a", "a", "a"], ['spec.v[1]: Duplicate value: "a"'], id="thrice is said once"),
    ],
)
def test_a_set_holds_each_item_once(items, errors):
    assert judge({"type": "array", "x-kubernetes-list-type": "set", "items": STRING}, items) == errors


def test_keys_of_a_map_list_are_shown_together_fk_267():
    schema = {
        "type": "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["k", "j"],
        "items": {"type": "object"},
    }
    assert judge(schema, [{"k": "a", "j": "1", "v": 1}, {"k": "a", "j": "1", "v": 2}]) == [
        'spec.v[1]: Duplicate value: {"j":"1","k":"a"}'
    ]

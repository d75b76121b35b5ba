"""A null that an apply brings is judged with everything else that is written (FK-220, FK-261, FK-270)."""

import pytest

from .test_life import CRDS, OKS, ask, definition, ok  # noqa: F401

APPLY = "application/apply-patch+yaml"
ITEM = {
    "type": "object",
    "required": ["name", "m"],
    "properties": {"name": {"type": "string"}, "m": {"type": "string"}},
}
LIST = {
    "type": "array",
    "items": ITEM,
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["name"],
}
FULL = {"type": "integer", "default": 3}
BARE = {"type": "integer"}
STATUS = {"type": "object", "properties": {"l": LIST, "n": {"type": "integer", "minimum": 0}}}
SPEC = {
    "type": "object",
    "required": ["a"],
    "properties": {
        "a": {"type": "string"},
        "l": {"type": "array", "items": {"type": "object", "properties": {"m": {"type": "string"}}}},
        "full": FULL,
        "free": {**FULL, "nullable": True},
        "bare": BARE,
        "part": {"type": "object", "default": {"full": 1}, "properties": {"full": FULL, "bare": BARE}},
        "items": {"type": "array", "items": FULL},
        "values": {"type": "object", "additionalProperties": FULL},
        "objects": {"type": "array", "items": {"type": "object", "properties": {"full": FULL}}},
    },
}
SCHEMA = {
    "type": "object",
    "properties": {"spec": SPEC, "status": STATUS},
    "x-kubernetes-validations": [{"rule": "true"}],
}
VERSION = {
    "name": "v1",
    "served": True,
    "storage": True,
    "subresources": {"status": {}},
    "schema": {"openAPIV3Schema": SCHEMA},
}
UNNAMED = {"l": [{"name": "q", "m": None}]}
NOT_CHECKED = ("<nil>", "FieldValueInvalid")


def apply(send, name, sub, **body):
    url = f"{OKS.format('v1')}/{name}{sub}?fieldManager=x&force=true"
    obj = {"apiVersion": "demo.example.org/v1", "kind": "Ok", "metadata": {"name": name}, **body}
    return send("PATCH", url, obj, content_type=APPLY)


@pytest.fixture
def live(ask):  # noqa: F811
    ask("POST", CRDS, definition(VERSION))
    ask("POST", OKS.format("v1"), ok("x", {"a": "b"}))
    return ask


REFUSED = {
    "status": ("x", "/status", {"status": UNNAMED}, [("status.l[0].m", "FieldValueTypeInvalid")]),
    "status with more": (
        "x",
        "/status",
        {"status": {"n": -1, **UNNAMED}},
        [("status.l[0].m", "FieldValueTypeInvalid"), ("status.n", "FieldValueInvalid")],
    ),
    "new object": (
        "y",
        "",
        {"spec": {"l": [{"m": None}]}},
        [("spec.l[0].m", "FieldValueTypeInvalid"), ("spec.a", "FieldValueRequired")],
    ),
}


@pytest.mark.parametrize(("name", "sub", "body", "causes"), REFUSED.values(), ids=REFUSED)
def test_refused(live, name, sub, body, causes):
    code, answer = apply(live, name, sub, **body)

    assert code == 422
    stored = [(cause["field"], cause["reason"]) for cause in answer["details"]["causes"]]
    assert sorted(stored) == sorted([*causes, NOT_CHECKED])


def test_the_text_of_a_status_leaves_its_place_out(live):
    message = apply(live, "x", "/status", status=UNNAMED)[1]["message"]

    assert 'status.l[0].m: Invalid value: "null": l[0].m in body must be of type string: "null"' in message


def test_a_status_is_none_of_the_object_s_business(live):
    assert apply(live, "x", "", status=UNNAMED)[0] == 200


FILLED = {
    "member": ({"full": None}, {"full": 3}),
    "nullable member": ({"free": None}, {"free": None}),
    "object": ({"part": None}, {"part": {"full": 1}}),
    "member of an object": ({"part": {"full": None}}, {"part": {"full": 3}}),
    "list item": ({"items": [1, None]}, {"items": [1, 3]}),
    "map value": ({"values": {"x": None}}, {"values": {"x": 3}}),
    "member of a list item": ({"objects": [{"full": None}]}, {"objects": [{"full": 3}]}),
}


@pytest.mark.parametrize(("spec", "stored"), FILLED.values(), ids=FILLED)
def test_a_null_with_a_default_becomes_it(live, spec, stored):
    code, answer = apply(live, "y", "", spec={"a": "b", **spec})

    assert code == 201
    assert {name: answer["spec"][name] for name in stored} == stored


def test_the_default_of_a_null_has_an_owner(live):
    apply(live, "y", "", spec={"a": "b", "full": None})
    url = f"{OKS.format('v1')}/y?fieldManager=other"
    body = {"apiVersion": "demo.example.org/v1", "kind": "Ok", "spec": {"full": 4}}
    code, answer = live("PATCH", url, {**body, "metadata": {"name": "y"}}, content_type=APPLY)

    assert code == 409
    assert [cause["field"] for cause in answer["details"]["causes"]] == [".spec.full"]


def test_only_nulls_without_a_default_are_refused(live):
    code, answer = apply(live, "y", "", spec={"a": "b", "full": None, "part": {"full": None, "bare": None}})

    assert code == 422
    causes = [(cause["field"], cause["reason"]) for cause in answer["details"]["causes"]]
    assert sorted(causes) == sorted([("spec.part.bare", "FieldValueTypeInvalid"), NOT_CHECKED])

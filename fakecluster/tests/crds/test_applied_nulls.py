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
STATUS = {"type": "object", "properties": {"l": LIST, "n": {"type": "integer", "minimum": 0}}}
SPEC = {
    "type": "object",
    "required": ["a"],
    "properties": {
        "a": {"type": "string"},
        "l": {"type": "array", "items": {"type": "object", "properties": {"m": {"type": "string"}}}},
    },
}
SCHEMA = {
    "type": "object",
    "properties": {"spec": SPEC, "status": STATUS},
    "x-kubernetes-validations": [{"rule": "true"}],
}
VERSION = {
    "name": "v1", "served": True, "storage": True, "subresources": {"status": {}},
    "schema": {"openAPIV3Schema": SCHEMA},
}  # fmt: skip
UNNAMED = {"l": [{"name": "q", "m": None}]}
NOT_CHECKED = ("<nil>", "FieldValueInvalid")


def applied(send, name, sub, **body):
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
    code, answer = applied(live, name, sub, **body)

    assert code == 422
    found = [(each["field"], each["reason"]) for each in answer["details"]["causes"]]
    assert sorted(found) == sorted([*causes, NOT_CHECKED])


def test_the_text_of_a_status_leaves_its_place_out(live):
    message = applied(live, "x", "/status", status=UNNAMED)[1]["message"]

    assert 'status.l[0].m: Invalid value: "null": l[0].m in body must be of type string: "null"' in message


def test_a_status_is_none_of_the_object_s_business(live):
    assert applied(live, "x", "", status=UNNAMED)[0] == 200

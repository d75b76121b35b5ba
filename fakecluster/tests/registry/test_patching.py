"""PATCH over the wire's core: which formats, which answers,
who owns what afterwards (FK-025, FK-160…FK-175, FK-200…FK-217).
"""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from fakecluster.api.kind import ObjectSchema
from fakecluster.kinds import BUILTIN_KINDS
from fakecluster.schema.structural import Structural
from fakecluster.tests.conftest import KINDS

CONFIGMAPS = "/api/v1/namespaces/ns/configmaps"
WIDGETS = "/apis/demo.example.com/v1/namespaces/ns/widgets"
JSON = "application/json-patch+json"
MERGE = "application/merge-patch+json"
STRATEGIC = "application/strategic-merge-patch+json"
APPLY = "application/apply-patch+yaml"

OPEN = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
WIDGET = ObjectSchema(structural=Structural({"type": "object", "properties": {"spec": OPEN, "status": OPEN}}))


def config_map(data, **metadata):
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", **metadata}, "data": data}


def widget(**body):
    return {"apiVersion": "demo.example.com/v1", "kind": "Widget", "metadata": {"name": "w"}, **body}


@pytest.fixture
def empty(ask):
    configmaps = next(kind for kind in BUILTIN_KINDS if kind.plural == "configmaps")
    widgets = next(kind for kind in KINDS if kind.plural == "widgets")
    ask.api.registry.register([configmaps, replace(widgets, schema=WIDGET)])
    return ask


@pytest.fixture
def stored(empty):
    empty("POST", f"{CONFIGMAPS}?fieldManager=creator", config_map({"k": "1"}))
    empty("POST", f"{WIDGETS}?fieldManager=creator", widget(spec={"size": 1}))
    return empty


def owners(obj):
    return {
        " ".join(
            filter(
                None, (managed_field["manager"], managed_field["operation"], managed_field.get("subresource"))
            )
        ): managed_field["fieldsV1"]
        for managed_field in obj["metadata"]["managedFields"]
    }


CHANGES = {
    "JSON patch": (JSON, [{"op": "add", "path": "/data/n", "value": "2"}]),
    "merge patch": (MERGE, {"data": {"n": "2"}}),
    "strategic merge patch": (STRATEGIC, {"data": {"n": "2"}}),
    "apply in JSON": (APPLY, config_map({"n": "2"})),
    "apply in YAML": (APPLY, b"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  'n': '2'\n"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_fk_160_every_format_changes_the_object(stored, change):
    media, body = CHANGES[change]

    code, patched = stored("PATCH", f"{CONFIGMAPS}/a?fieldManager=me", body, content_type=media)

    assert (code, patched["data"]) == (200, {"k": "1", "n": "2"})


ANSWERS = {
    "FK-025 strategic merge patch of a custom resource": (f"{WIDGETS}/w", STRATEGIC, {}, 415, "unknown format"),
    "FK-025 an unknown format": (f"{CONFIGMAPS}/a", "text/plain", {}, 415, "415: Unsupported Media Type"),
    "FK-161 an operation that does not fit": (
        f"{CONFIGMAPS}/a", JSON, [{"op": "remove", "path": "/data/x"}], 422, "the server rejected our request",
    ),
    "FK-161 operations that are none": (
        f"{CONFIGMAPS}/a", JSON, {}, 400, "error decoding patch: json: cannot unmarshal object",
    ),
    "FK-163 too many operations": (
        f"{CONFIGMAPS}/a", JSON, [{"op": "test", "path": "/kind", "value": "x"}] * 10_001, 413, "10000, got 10001",
    ),
    "FK-165 a list item without its key": (
        f"{CONFIGMAPS}/a", STRATEGIC, {"data": {"$patch": "foo"}}, 500, "unknown patch type: foo in map: map[$patch:foo]",
    ),
    "FK-166 a value of another type": (
        f"{CONFIGMAPS}/a", STRATEGIC, {"data": 5}, 422, "cannot restore map from int64",
    ),
    "FK-167 a missing object": (f"{CONFIGMAPS}/b", MERGE, {}, 404, 'configmaps "b" not found'),
    "FK-168 another name": (f"{CONFIGMAPS}/a", MERGE, {"metadata": {"name": "b"}}, 400, "does not match the name on the URL"),
    "FK-168 no name": (f"{CONFIGMAPS}/a", MERGE, {"metadata": {"name": None}}, 400, "name must be provided"),
    "FK-168 another uid": (f"{CONFIGMAPS}/a", MERGE, {"metadata": {"uid": "x"}}, 422, "field is immutable"),
    "FK-169 an old revision": (
        f"{CONFIGMAPS}/a", MERGE, {"metadata": {"resourceVersion": "1"}}, 409, "the object has been modified",
    ),
    "FK-174 force without apply": (f"{CONFIGMAPS}/a?force=true", MERGE, {}, 422, "may not be specified for non-apply patch"),
    "FK-175 apply without a manager": (f"{CONFIGMAPS}/a", APPLY, config_map({}), 422, "is required for apply patch"),
    "FK-204 apply of another kind": (
        f"{CONFIGMAPS}/a?fieldManager=me", APPLY, widget(), 400, "invalid object type: demo.example.com/v1, Kind=Widget",
    ),
    "FK-204 apply with owners": (
        f"{CONFIGMAPS}/a?fieldManager=me", APPLY, config_map({}, managedFields=[]), 400, "metadata.managedFields must be nil",
    ),
    "FK-206 a conflict": (
        f"{CONFIGMAPS}/a?fieldManager=me", APPLY, config_map({"k": "2"}), 409,
        'Apply failed with 1 conflict: conflict with "creator" using v1: .data.k',
    ),
    "FK-215 a key twice, strictly": (
        f"{CONFIGMAPS}/a?fieldManager=me&fieldValidation=Strict", APPLY,
        b"apiVersion: v1\nkind: ConfigMap\ndata: {a: x}\ndata: {b: x}\n", 400, 'line 4: key "data" already set in map',
    ),
    "FK-035 apply with a uid and no object": (
        f"{CONFIGMAPS}/b?fieldManager=me", APPLY,
        {**config_map({}), "metadata": {"name": "b", "uid": "u"}}, 409, "uid mismatch: the provided object specified uid u",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", ANSWERS)
def test_a_patch_that_cannot_be_is_answered_in_the_servers_words(stored, case):
    url, media, body, code, text = ANSWERS[case]

    answered, patched = stored("PATCH", url, body, content_type=media)

    assert answered == code
    assert text in patched["message"]


def test_fk_213_apply_creates_what_is_not_there(empty):
    code, patched = empty(
        "PATCH", f"{CONFIGMAPS}/a?fieldManager=me", config_map({"k": "1"}), content_type=APPLY
    )

    assert (code, owners(patched)) == (201, {"me Apply": {"f:data": {"f:k": {}}}})


def test_fk_171_a_patch_owns_what_it_changes(stored):
    _, patched = stored(
        "PATCH", f"{CONFIGMAPS}/a?fieldManager=me", {"data": {"k": "2", "n": "1"}}, content_type=MERGE
    )

    assert owners(patched) == {
        "creator Update": {"f:data": {}},
        "me Update": {"f:data": {"f:k": {}, "f:n": {}}},
    }


def test_fk_211_an_apply_that_changes_nothing_keeps_the_revision(stored):
    first = stored("PATCH", f"{CONFIGMAPS}/a?fieldManager=me", config_map({"n": "1"}), content_type=APPLY)

    second = stored("PATCH", f"{CONFIGMAPS}/a?fieldManager=me", config_map({"n": "1"}), content_type=APPLY)

    assert second == first


def test_fk_216_the_status_of_a_custom_resource_has_owners_of_its_own(stored):
    body = widget(status={"ready": True}, spec={"size": 9})

    _, patched = stored("PATCH", f"{WIDGETS}/w/status?fieldManager=me", body, content_type=APPLY)

    assert (patched["spec"], owners(patched)["me Apply status"]) == (
        {"size": 1},
        {"f:status": {"f:ready": {}}},
    )


@pytest.mark.parametrize("cleared", [[], [{}]], ids=["an empty list", "an empty entry"])
def test_fk_172_owners_can_be_cleared_and_stay_so(stored, cleared):
    stored("PATCH", f"{CONFIGMAPS}/a", {"metadata": {"managedFields": cleared}}, content_type=MERGE)

    _, patched = stored("PATCH", f"{CONFIGMAPS}/a", {"data": {"n": "1"}}, content_type=MERGE)

    assert "managedFields" not in patched["metadata"]


def test_fk_234_a_repeated_key_is_warned_of(stored):
    outcome = stored.send("PATCH", f"{CONFIGMAPS}/a", b'{"data":{"n":"1","n":"2"}}', content_type=MERGE)

    assert ("Warning", '299 - "duplicate field \\"data.n\\""') in outcome.headers

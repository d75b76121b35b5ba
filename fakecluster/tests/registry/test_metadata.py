"""Metadata of new and changed objects (FK-061…FK-071, FK-104…FK-108)."""

import pytest

from fakecluster.api.deadlines import seconds
from fakecluster.api.kind import Kind, ObjectSchema
from fakecluster.meta import metadata, names, objectmeta
from fakecluster.schema.structural import Structural

ANY = Structural({})
CONFIGMAP = Kind(
    group="", version="v1", kind="ConfigMap", plural="configmaps", schema=ObjectSchema(structural=ANY)
)
CUSTOM = Kind(
    group="demo.example.com",
    version="v1",
    kind="Widget",
    plural="widgets",
    schema=ObjectSchema(structural=ANY),
    custom=True,
)
OWNER = {"apiVersion": "v1", "kind": "ConfigMap", "name": "o", "uid": "u"}
URL = "/api/v1/namespaces/ns/configmaps"
MERGE = "application/merge-patch+json"


def problems_of(errors):
    return [(error.field, error.reason) for error in errors]


@pytest.mark.parametrize(
    ("metadata", "fields"),
    [
        pytest.param({"name": "a"}, [], id="good"),
        pytest.param({}, ["metadata.name"], id="nameless fk-064"),
        pytest.param({"name": "A_"}, ["metadata.name"], id="capitals fk-065"),
        pytest.param({"name": "gen-x", "generateName": "gen-"}, [], id="base ends with a dash fk-063"),
        pytest.param(
            {"name": "a", "labels": {"a b": "c d"}}, ["metadata.labels", "metadata.labels"], id="label fk-068"
        ),
        pytest.param(
            {"name": "a", "labels": {"": "v"}},
            ["metadata.labels", "metadata.labels"],
            id="empty label fk-068",
        ),
        pytest.param({"name": "a", "annotations": {"A/b": "x"}}, [], id="annotation keys are lowered fk-069"),
        pytest.param(
            {"name": "a", "annotations": {"a": "x" * 262_144}},
            ["metadata.annotations"],
            id="annotations fk-069",
        ),
        pytest.param({"name": "a", "finalizers": ["foo"]}, ["metadata.finalizers[0]"], id="finalizer fk-071"),
        pytest.param(
            {"name": "a", "finalizers": ["orphan", "foregroundDeletion"]},
            ["metadata.finalizers"],
            id="both fk-071",
        ),
        pytest.param({"name": "a", "ownerReferences": [OWNER]}, [], id="owner fk-070"),
        pytest.param(
            {"name": "a", "ownerReferences": [{**OWNER, "uid": ""}]},
            ["metadata.ownerReferences.uid"],
            id="no uid",
        ),
        pytest.param(
            {"name": "a", "ownerReferences": [{**OWNER, "kind": "Event"}]},
            ["metadata.ownerReferences"],
            id="event",
        ),
    ],
)
def test_new_metadata_is_judged(metadata, fields):
    assert [error.field for error in objectmeta.of_new(metadata, CONFIGMAP)] == fields


def test_custom_resources_are_only_warned_of_plain_finalizers_fk_071():
    assert objectmeta.of_new({"name": "a", "finalizers": ["foo"]}, CUSTOM) == []


@pytest.mark.parametrize(
    ("rule", "name", "problem"),
    [
        ("subdomain", "a" * 254, "must be no more than 253 characters"),
        ("label", "a.b", "must not contain dots"),
        ("service", "1a", None),
        ("path", "..", "may not be '..'"),
        ("path", "a/b", "may not contain '/'"),
    ],
    ids=str,
)
def test_kinds_name_by_their_rule_fk_065(rule, name, problem):
    assert names.RULES[rule](name) == ([problem] if problem else [])


def test_a_changed_uid_is_told_twice_fk_104():
    old = {"metadata": {"name": "a", "uid": "u"}}

    errors = objectmeta.of_update({"metadata": {"name": "a", "uid": "v"}}, old, CUSTOM)

    assert problems_of(errors) == [("metadata.uid", "FieldValueInvalid")] * 2


def test_equal_owners_become_one_fk_070():
    references, warning = metadata.remove_repeated_owners([OWNER, dict(OWNER), {**OWNER, "controller": True}])

    assert references == [OWNER, {**OWNER, "controller": True}]
    assert warning.endswith("duplicate UID(s) observed: u")


def test_late_finalizers_are_refused_fk_108(ask):
    ask("POST", URL, {"metadata": {"name": "a", "finalizers": ["x.io/a"]}})
    ask("DELETE", f"{URL}/a")

    _, body = ask("PATCH", f"{URL}/a", {"metadata": {"finalizers": ["x.io/a", "x.io/b"]}}, content_type=MERGE)

    assert 'found new finalizers []string{"x.io/b"}' in body["message"]


def test_the_server_fills_in_its_share_fk_061(ask):
    _, created = ask(
        "POST",
        URL,
        {
            "metadata": {
                "name": "a",
                "uid": "mine",
                "creationTimestamp": "2019-01-01T00:00:00Z",
                "selfLink": "/x",
            }
        },
    )

    assert created["metadata"]["creationTimestamp"] == "2027-01-15T08:00:00Z"
    assert created["metadata"]["uid"] != "mine"
    assert "selfLink" not in created["metadata"]


@pytest.mark.parametrize(
    ("revision", "code"),
    [("", 200), ("0", 200), ("999", 409), ("abc", 500)],
    ids=["none", "zero", "stale fk-033", "no number fk-103"],
)
def test_a_put_says_what_it_has_seen(ask, revision, code):
    ask("POST", URL, {"metadata": {"name": "a"}})

    assert (
        ask("PUT", f"{URL}/a", {"metadata": {"name": "a", "resourceVersion": revision}, "data": {"k": "1"}})[
            0
        ]
        == code
    )


def test_custom_resources_insist_on_a_revision_fk_100(ask):
    widget = {"apiVersion": "demo.example.com/v1", "kind": "Widget", "metadata": {"name": "w"}}
    url = "/apis/demo.example.com/v1/namespaces/ns/widgets"
    ask("POST", url, widget)

    code, body = ask("PUT", f"{url}/w", widget)

    assert code == 422
    assert body["message"] == (
        'widgets.demo.example.com "w" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update'
    )


@pytest.mark.parametrize(
    ("text", "expected"), [("1h2m0.5s", 3720.5), ("-1s", -1.0), ("0", 0.0), (".5s", 0.5)], ids=str
)
def test_durations_are_read_fk_014(text, expected):
    assert seconds(text) == expected

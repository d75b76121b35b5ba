"""A written object shares its unchanged parts with the stored one, so that they are not judged again."""

import pytest

from fakecluster.cluster.fake_cluster import FakeCluster
from fakecluster.codec.literals import Literal
from fakecluster.registry.verbs.writes.custom_resources import share_equal_members
from fakecluster.schema.compiled import compile_schema

DEFINITION = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "things.acme.io"},
    "spec": {
        "group": "acme.io",
        "scope": "Cluster",
        "names": {"plural": "things", "singular": "thing", "kind": "Thing", "listKind": "ThingList"},
        "versions": [
            {
                "name": "v1",
                "served": True,
                "storage": True,
                "subresources": {"status": {}},
                "schema": {
                    "openAPIV3Schema": {
                        "type": "object",
                        "properties": {
                            name: {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
                            for name in ("spec", "status")
                        },
                    }
                },
            }
        ],
    },
}
THINGS = "/apis/acme.io/v1/things"


@pytest.mark.parametrize(
    "value",
    [
        pytest.param({"a": [1, {"b": "x"}]}, id="map"),
        pytest.param({"c": None, "a": [1, {"b": "x"}]}, id="members in another order"),
        pytest.param([{"a": 1}], id="list"),
    ],
)
def test_what_is_equal_is_the_stored_one(value):
    stored = {"spec": {"a": [1, {"b": "x"}], **({"c": None} if "c" in value else {})}}
    stored = {"spec": [{"a": 1}]} if isinstance(value, list) else stored

    assert share_equal_members({"spec": value}, stored)["spec"] is stored["spec"]


@pytest.mark.parametrize(
    ("value", "stored"),
    [
        pytest.param({"a": 1}, {"a": True}, id="true is not 1"),
        pytest.param({"a": 1.0}, {"a": 1}, id="a fraction is no whole number"),
        pytest.param({"a": Literal("1.0")}, {"a": 1.0}, id="a number that has kept its text"),
        pytest.param({"a": 1}, {"a": 2}, id="another value"),
        pytest.param([1, 2], [2, 1], id="items in another order"),
    ],
)
def test_what_differs_stays(value, stored):
    assert share_equal_members({"spec": value}, {"spec": stored})["spec"] is value


def test_what_is_not_stored_stays():
    assert share_equal_members({"spec": {}, "status": {}}, {}) == {"spec": {}, "status": {}}


def test_a_spec_that_is_written_again_stays_the_stored_one():
    with FakeCluster(clock="virtual", tls=False, controllers="none") as cluster:
        cluster.apply([DEFINITION])
        cluster.settle()
        manifest = {
            "apiVersion": "acme.io/v1",
            "kind": "Thing",
            "metadata": {"name": "one"},
            "spec": {"b": 1, "a": 2},
        }
        created = cluster.request("POST", THINGS, manifest)
        labelled = {**created, "metadata": {**created["metadata"], "labels": {"a": "b"}}}
        cluster.request("PUT", f"{THINGS}/one", labelled)

        changes = [
            manifest
            for entry in cluster.journal.all
            if entry.resource == "things"
            for manifest in entry.changes
        ]

    assert changes[1].after["metadata"]["labels"] == {"a": "b"}
    assert changes[1].after["spec"] is changes[0].after["spec"]


def test_an_object_that_was_found_good_is_not_checked_twice(monkeypatch):
    schema = compile_schema({"type": "object", "properties": {"spec": {"type": "string"}}})
    good = {"spec": "x"}
    assert schema.values(good) == []

    monkeypatch.setitem(schema.__dict__, "_check", pytest.fail)

    assert schema.values(good) == []

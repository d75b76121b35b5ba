"""Webhooks that want to see another version of a resource than the one written, by way of a conversion
webhook (FK-303, FK-330).
"""

from __future__ import annotations

import base64

import pytest

from fakecluster import FakeCluster
from fakecluster.tests.hooks import allow, configuration

URL = "https://hooks.example.com/"
WIDGETS = "/apis/example.com/v1/namespaces/default/widgets"
FIELDS = {"v1": "one", "v2": "two"}
PATCH = b'[{"op": "replace", "path": "/spec/two", "value": 7}]'


def version(name):
    spec = {"type": "object", "properties": {FIELDS[name]: {"type": "integer"}}}
    schema = {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}}
    return {"name": name, "served": True, "storage": name == "v1", "schema": schema}


def definition():
    webhook = {"conversionReviewVersions": ["v1"], "clientConfig": {"url": f"{URL}convert"}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"plural": "widgets", "kind": "Widget"},
            "versions": [version("v1"), version("v2")],
            "conversion": {"strategy": "Webhook", "webhook": webhook},
        },
    }


def convert(review):
    request = review["request"]
    version = request["desiredAPIVersion"]
    field = FIELDS[version.rpartition("/")[2]]
    objects = [
        {**obj, "apiVersion": version, "spec": {field: next(iter(obj["spec"].values()))}}
        for obj in request["objects"]
    ]
    answer = {"uid": request["uid"], "convertedObjects": objects, "result": {"status": "Success"}}
    return {**review, "response": answer}


@pytest.fixture
def reviews():
    return []


@pytest.fixture
def cluster(reviews):
    rule = {
        "operations": ["*"],
        "apiGroups": ["example.com"],
        "apiVersions": ["v2"],
        "resources": ["widgets"],
    }

    def noted(review):
        reviews.append(
            [review["request"][name] and review["request"][name]["spec"] for name in ("object", "oldObject")]
        )
        return allow(review)

    def patched(review):
        patch = noted(review)
        if review["request"]["object"] is not None:
            patch["response"] |= {"patchType": "JSONPatch", "patch": base64.b64encode(PATCH).decode()}
        return patch

    functions = {f"{URL}convert": convert, f"{URL}validate": noted, f"{URL}mutate": patched}
    with FakeCluster(webhooks=functions, controllers="none") as running:
        running.apply(
            [
                definition(),
                configuration({"url": f"{URL}mutate"}, kind="Mutating", rules=[rule]),
                configuration({"url": f"{URL}validate"}, rules=[rule]),
            ]
        )
        yield running


def test_a_creation_is_shown_and_patched_in_the_version_of_the_rule(cluster, reviews):
    widget = {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "w"}, "spec": {"one": 1}}

    created = cluster.request("POST", WIDGETS, widget)

    assert reviews == [[{"two": 1}, None], [{"two": 7}, None]]
    assert (created["apiVersion"], created["spec"]) == ("example.com/v1", {"one": 7})


def test_a_deletion_is_shown_in_the_version_of_the_rule(cluster, reviews):
    widget = {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "w"}, "spec": {"one": 1}}
    cluster.request("POST", WIDGETS, widget)
    reviews.clear()

    cluster.request("DELETE", f"{WIDGETS}/w")

    assert reviews == [[None, {"two": 7}], [None, {"two": 7}]]

"""The life of a definition and of its objects in a whole core (FK-255…262, FK-277, FK-281, FK-286)."""

import orjson
import pytest

from fakecluster.api.registry import Registry
from fakecluster.base.clock import VirtualClock
from fakecluster.crds import CRD, CrdFollower
from fakecluster.registry.machinery import Api
from fakecluster.store import Store

from ..conftest import KINDS, Asker

CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
OKS = "/apis/demo.example.org/{}/namespaces/ns/oks"
MERGE = "application/merge-patch+json"


@pytest.fixture
def ask():
    """A cluster with the namespace `ns` that follows definitions."""
    store, registry, clock = Store(), Registry((*KINDS, CRD)), VirtualClock(1_800_000_000.0)
    CrdFollower(store, registry, clock).start()
    asker = Asker(Api(store, registry, clock))
    asker("POST", "/api/v1/namespaces", {"metadata": {"name": "ns"}})
    return asker


def version(name, properties, **fields):
    schema = {"type": "object", "properties": {"spec": {"type": "object", "properties": properties}}}
    return {"name": name, "served": True, "storage": False, "schema": {"openAPIV3Schema": schema}, **fields}


def definition(*versions, kind="Ok", plural="oks", **names):
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.demo.example.org"},
        "spec": {
            "group": "demo.example.org",
            "scope": "Namespaced",
            "names": {"plural": plural, "kind": kind, **names},
            "versions": list(versions or [version("v1", {"a": {"type": "string"}}, storage=True)]),
        },
    }


def ok(name, spec, api_version="v1", **metadata):
    return {
        "apiVersion": f"demo.example.org/{api_version}",
        "kind": "Ok",
        "metadata": {"name": name, **metadata},
        "spec": spec,
    }


def conditions(crd):
    return {
        condition["type"]: (condition["status"], condition["reason"])
        for condition in crd["status"]["conditions"]
    }


def test_a_definition_is_served_when_its_creation_is_answered_fk_257(ask):
    assert ask("GET", OKS.format("v1"))[0] == 404
    _, created = ask("POST", CRDS, definition())
    assert created["status"] == {
        "conditions": None,
        "acceptedNames": {"plural": "", "kind": ""},
        "storedVersions": ["v1"],
    }
    assert ask("GET", OKS.format("v1"))[0] == 200


def test_names_are_accepted_and_the_definition_established_fk_255(ask):
    ask("POST", CRDS, definition(shortNames=["o"]))
    _, crd = ask("GET", f"{CRDS}/oks.demo.example.org")
    assert conditions(crd) == {
        "NamesAccepted": ("True", "NoConflicts"),
        "Established": ("True", "InitialNamesAccepted"),
    }
    assert crd["status"]["acceptedNames"] == {
        "plural": "oks",
        "singular": "ok",
        "kind": "Ok",
        "listKind": "OkList",
        "shortNames": ["o"],
    }


@pytest.mark.parametrize(
    ("names", "reason", "accepted"),
    [
        pytest.param(
            {"kind": "Ok"}, "ListKindConflict", {"plural": "others", "singular": "ok2", "kind": ""}, id="kind"
        ),
        pytest.param(
            {"kind": "Other", "shortNames": ["oks"]},
            "ShortNamesConflict",
            {"plural": "others", "singular": "ok2", "kind": "Other", "listKind": "OtherList"},
            id="short name",
        ),
    ],
)
def test_names_that_are_taken_are_not_accepted(ask, names, reason, accepted):
    ask("POST", CRDS, definition())
    ask("POST", CRDS, definition(plural="others", singular="ok2", **names))
    _, crd = ask("GET", f"{CRDS}/others.demo.example.org")
    assert conditions(crd) == {"NamesAccepted": ("False", reason), "Established": ("False", "NotAccepted")}
    assert crd["status"]["acceptedNames"] == accepted


def test_a_name_that_becomes_free_goes_to_the_next(ask):
    ask("POST", CRDS, definition())
    ask("POST", CRDS, definition(plural="others", singular="ok2"))
    ask("DELETE", f"{CRDS}/oks.demo.example.org")
    _, crd = ask("GET", f"{CRDS}/others.demo.example.org")
    assert conditions(crd)["Established"] == ("True", "InitialNamesAccepted")


def test_a_definition_takes_its_objects_along_fk_258(ask):
    ask("POST", CRDS, definition())
    ask("POST", OKS.format("v1"), ok("free", {}))
    ask("POST", OKS.format("v1"), ok("held", {}, finalizers=["example.org/x"]))
    _, marked = ask("DELETE", f"{CRDS}/oks.demo.example.org")
    assert conditions(marked)["Terminating"] == ("True", "InstanceDeletionPending")
    _, waiting = ask("GET", f"{CRDS}/oks.demo.example.org")
    assert conditions(waiting)["Terminating"] == ("True", "InstanceDeletionInProgress")
    assert [
        custom_object["metadata"]["name"] for custom_object in ask("GET", OKS.format("v1"))[1]["items"]
    ] == ["held"]
    code, refused = ask("POST", OKS.format("v1"), ok("new", {}))
    assert (code, refused["message"]) == (
        403,
        'oks.demo.example.org "new" is forbidden: create not allowed while custom resource definition is terminating',
    )
    ask("PATCH", OKS.format("v1") + "/held", {"metadata": {"finalizers": None}}, content_type=MERGE)
    assert ask("GET", f"{CRDS}/oks.demo.example.org")[0] == 404
    assert ask("GET", OKS.format("v1"))[0] == 404


TWO = (
    version(
        "v1beta1", {"a": {"type": "string"}, "beta": {"type": "string", "default": "b"}}, deprecated=True
    ),
    version("v1", {"a": {"type": "string"}, "new": {"type": "string", "default": "n"}}, storage=True),
)


def test_an_object_is_stored_in_one_version_and_shown_in_each_fk_262_fk_281(ask):
    ask("POST", CRDS, definition(*TWO))
    _, created = ask("POST", OKS.format("v1beta1"), ok("x", {"a": "1"}, "v1beta1"))
    assert created["spec"] == {"a": "1"}
    assert ask("GET", OKS.format("v1") + "/x")[1]["spec"] == {"a": "1", "new": "n"}
    assert ask("GET", OKS.format("v1beta1") + "/x")[1]["spec"] == {"a": "1"}


def test_a_deprecated_version_warns_fk_237(ask):
    ask("POST", CRDS, definition(*TWO))
    answer = ask.send("GET", OKS.format("v1beta1"))
    assert (
        "Warning",
        '299 - "demo.example.org/v1beta1 Ok is deprecated; use demo.example.org/v1 Ok"',
    ) in answer.headers


def test_a_new_default_shows_without_a_write_fk_262(ask):
    ask("POST", CRDS, definition())
    ask("POST", OKS.format("v1"), ok("x", {"a": "1"}))
    changed = definition(
        version("v1", {"a": {"type": "string"}, "n": {"type": "integer", "default": 7}}, storage=True)
    )
    ask("PATCH", f"{CRDS}/oks.demo.example.org", {"spec": changed["spec"]}, content_type=MERGE)
    assert ask("GET", OKS.format("v1") + "/x")[1]["spec"] == {"a": "1", "n": 7}


def test_a_version_that_is_no_longer_served_is_gone_fk_286(ask):
    ask("POST", CRDS, definition(*TWO))
    hidden = definition({**TWO[0], "served": False}, TWO[1])
    ask("PATCH", f"{CRDS}/oks.demo.example.org", {"spec": hidden["spec"]}, content_type=MERGE)
    assert ask("GET", OKS.format("v1beta1"))[0] == 404


def test_a_status_of_its_own_is_wiped_on_create_fk_277(ask):
    crd = definition()
    crd["spec"]["versions"][0]["subresources"] = {"status": {}}
    crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["status"] = {
        "type": "object",
        "properties": {"n": {"type": "integer"}},
    }
    ask("POST", CRDS, crd)
    _, created = ask("POST", OKS.format("v1"), {**ok("x", {}), "status": {"n": 1}})
    assert "status" not in created


def test_embedded_metadata_is_read_as_metadata_fk_260(ask):
    inner = {
        "type": "object",
        "x-kubernetes-embedded-resource": True,
        "x-kubernetes-preserve-unknown-fields": True,
    }
    ask("POST", CRDS, definition(version("v1", {"e": inner}, storage=True)))
    wrong = {"e": {"apiVersion": "v1", "kind": "Pod", "metadata": {"labels": {"a": 5}}}}
    code, refused = ask("POST", OKS.format("v1"), ok("x", wrong))
    assert code == 400
    assert (
        'spec.e.metadata: Invalid value: {"labels":{"a":5}}: json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string'
        in refused["message"]
    )
    assert ask("POST", OKS.format("v1"), ok("x", {"e": {}}))[1]["details"]["causes"] == [
        {"reason": "FieldValueRequired", "message": "Required value", "field": f"spec.e.{name}"}
        for name in ("apiVersion", "kind")
    ]


def test_a_restored_store_serves_what_it_holds():
    store, registry = Store(), Registry((CRD,))
    follower = CrdFollower(store, registry, VirtualClock(0.0))
    follower.start()
    empty = store.snapshot()
    store.commit(
        ("apiextensions.k8s.io", "customresourcedefinitions"),
        ("", "oks.demo.example.org"),
        orjson.loads(orjson.dumps(definition())),
        expected=None,
    )
    full = store.snapshot()
    store.restore(empty)
    follower.sync()
    assert registry.find("demo.example.org", "v1", "oks") is None
    store.restore(full)
    follower.sync()
    assert registry.find("demo.example.org", "v1", "oks") is not None

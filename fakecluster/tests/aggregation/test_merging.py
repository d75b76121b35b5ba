"""Discovery with what extension servers add (FK-364, FK-442)."""

from __future__ import annotations

import pytest

from fakecluster.aggregation.extension import Extension, ExtensionIndex
from fakecluster.aggregation.extension_documents import (
    ExtensionDocuments,
    ExtensionKnowledge,
    openapi_of,
    resources_of,
    swagger_of,
)
from fakecluster.aggregation.merging import ExtensionMerger
from fakecluster.store import Store

BUILTIN = frozenset({"apps"})
OWN = ("apps", "b.io", "d.io")


def others(*services: dict, learned: dict | None = None) -> ExtensionMerger:
    store, knowledge = Store(), ExtensionKnowledge()
    for spec in services:
        name = f"{spec['version']}.{spec['group']}"
        document = {
            "groupPriorityMinimum": 1000,
            "versionPriority": 1,
            "service": {"name": "s", "namespace": "n"},
            **spec,
        }
        conditions = [{"type": "Available", "status": "True"}]
        store.commit(
            ("apiregistration.k8s.io", "apiservices"),
            ("", name),
            {"metadata": {"name": name}, "spec": document, "status": {"conditions": conditions}},
            expected=None,
        )
    book = ExtensionIndex(store)
    for (group, version), documents in (learned or {}).items():
        knowledge.learn(book.all()[group, version], documents)
    return ExtensionMerger(book, knowledge)


def names_of(*names: str) -> list[dict]:
    return [{"name": name, "versions": [{"groupVersion": f"{name}/v1", "version": "v1"}]} for name in names]


@pytest.mark.parametrize(
    ("group", "priority", "expected"),
    [
        pytest.param("c.io", 100, ["apps", "b.io", "d.io", "c.io"], id="below definitions"),
        pytest.param("c.io", 1000, ["apps", "b.io", "c.io", "d.io"], id="as definitions, by name"),
        pytest.param("c.io", 2000, ["apps", "c.io", "b.io", "d.io"], id="above definitions"),
        pytest.param("d.io", 2000, ["apps", "d.io", "b.io"], id="a group of definitions rises"),
        pytest.param("apps", 1, ["apps", "b.io", "d.io"], id="the server's own stays"),
    ],
)
def test_groups_stand_by_priority_fk_364(group, priority, expected):
    groups = others({"group": group, "version": "v2", "groupPriorityMinimum": priority}).groups(
        names_of(*OWN), BUILTIN
    )

    assert [documents["name"] for documents in groups] == expected


@pytest.mark.parametrize(
    ("priorities", "expected"),
    [
        pytest.param({"v1": 1, "v2beta1": 1, "v2": 1}, ["v2", "v1", "v2beta1"], id="by version"),
        pytest.param({"v1": 9, "v2": 1, "v3alpha1": 20}, ["v3alpha1", "v1", "v2"], id="by priority"),
    ],
)
def test_versions_stand_by_priority_then_by_name_fk_364(priorities, expected):
    services = [
        {"group": "x.io", "version": documents, "versionPriority": rank}
        for documents, rank in priorities.items()
    ]

    (groups,) = others(*services).groups([], BUILTIN)

    assert [documents["version"] for documents in groups["versions"]] == expected
    assert groups["preferredVersion"]["version"] == expected[0]


def test_what_did_not_answer_is_stale_fk_442():
    learned = {("x.io", "v1"): ExtensionDocuments(resources=({"resource": "things"},), fresh=True)}
    services = [
        {"group": "x.io", "version": "v1"},
        {"group": "x.io", "version": "v2", "service": {"name": "t", "namespace": "n"}},
    ]

    (group_item,) = others(*services, learned=learned).items([], BUILTIN)

    assert group_item["versions"] == [
        {"version": "v2", "freshness": "Stale"},
        {"version": "v1", "resources": [{"resource": "things"}], "freshness": "Current"},
    ]


def test_documents_of_others_are_in_the_index_fk_442():
    address = "/openapi/v3/apis/x.io/v1?hash=1"
    learned = {("x.io", "v1"): ExtensionDocuments(openapi=address, fresh=True)}

    groups = others({"group": "x.io", "version": "v1"}, learned=learned).paths({"version": {}})

    assert groups == {"version": {}, "apis/x.io/v1": {"serverRelativeURL": address}}


def test_the_document_of_a_group_is_in_the_index_unless_the_server_has_its_own_fk_442():
    address = "/openapi/v3/apis/x.io?hash=1"
    learned = {("x.io", "v1"): ExtensionDocuments(group_openapi=address, fresh=True)}
    index = others({"group": "x.io", "version": "v1"}, learned=learned)

    assert index.paths({}) == {"apis/x.io": {"serverRelativeURL": address}}
    assert index.paths({"apis/x.io": {}}) == {"apis/x.io": {}}


def test_without_extensions_documents_stay_as_they_are():
    own = names_of(*OWN)

    assert others().groups(own, BUILTIN) is own


EXTENSION = Extension(name="v1.x.io", group="x.io", version="v1", group_priority=1, version_priority=1)
LEGACY = {
    "kind": "APIResourceList",
    "resources": [
        {
            "name": "things",
            "singularName": "thing",
            "namespaced": True,
            "kind": "Thing",
            "verbs": ["get"],
            "shortNames": ["th"],
        },
        {"name": "things/status", "kind": "Thing", "namespaced": True, "verbs": ["patch"]},
    ],
}
KIND = {"group": "x.io", "version": "v1", "kind": "Thing"}


def test_a_legacy_list_becomes_aggregated_fk_442():
    assert resources_of(EXTENSION, LEGACY) == (
        {
            "resource": "things",
            "responseKind": KIND,
            "scope": "Namespaced",
            "singularResource": "thing",
            "verbs": ["get"],
            "shortNames": ["th"],
            "subresources": [{"subresource": "status", "responseKind": KIND, "verbs": ["patch"]}],
        },
    )


ODD = [
    pytest.param(None, id="nothing"),
    pytest.param("text", id="text"),
    pytest.param([], id="a list"),
    pytest.param({"kind": "Status"}, id="another kind"),
    pytest.param({"kind": "APIResourceList"}, id="no resources"),
    pytest.param(
        {"kind": "APIResourceList", "resources": [{"name": "things"}]}, id="a resource without kind"
    ),
    pytest.param({"kind": "APIGroupDiscoveryList", "items": [{}]}, id="a group without name"),
    pytest.param(
        {
            "kind": "APIGroupDiscoveryList",
            "items": [{"metadata": {"name": "x.io"}, "versions": [{"version": "v1", "resources": "abc"}]}],
        },
        id="resources that are text",
    ),
]


@pytest.mark.parametrize("document", ODD)
def test_other_documents_say_nothing_fk_442(document):
    assert resources_of(EXTENSION, document) is None


@pytest.mark.parametrize("index", [None, [], {}, {"paths": None}, {"paths": {"apis/y.io/v1": {}}}], ids=str)
def test_an_index_without_the_document_says_nothing_fk_442(index):
    assert openapi_of(EXTENSION, index) == ""


GET = {"get": {"responses": {"200": {"description": "OK"}}}}
SWAGGER = {
    "paths": {"/apis/x.io/v1/": GET, "/apis/x.io/v1/things": GET, "/apis/x.io/v10/": {}, "/version/": {}},
    "definitions": {"own": {"type": "object"}, "shared": {"type": "string"}},
}
OF_IT = {**SWAGGER, "paths": {"/apis/x.io/v1/": GET, "/apis/x.io/v1/things": GET}}
OTHER = [
    pytest.param(None, id="nothing"),
    pytest.param("text", id="text"),
    pytest.param({"paths": []}, id="no paths"),
    pytest.param({"paths": {"/version/": {}}}, id="other paths"),
    pytest.param({"paths": {"/apis/x.io/v1/": "text"}}, id="a path that is text"),
    pytest.param(
        {"paths": {"/apis/x.io/v1/": GET}, "definitions": {"own": {"type": {"a": 1}}}},
        id="a type that is a map",
    ),
]


def test_a_document_of_openapi_2_is_read_for_its_own_paths_fk_442():
    assert swagger_of(EXTENSION, SWAGGER) == OF_IT


@pytest.mark.parametrize("document", OTHER)
def test_another_document_of_openapi_2_says_nothing_fk_442(document):
    assert swagger_of(EXTENSION, document) is None


def test_documents_of_openapi_2_become_one_fk_442():
    learned = {("x.io", "v1"): ExtensionDocuments(swagger=OF_IT, fresh=True)}
    own = {"swagger": "2.0", "paths": {"/api/": {}}, "definitions": {"shared": {}}}

    groups = others({"group": "x.io", "version": "v1"}, learned=learned).swagger(own)

    assert set(groups["paths"]) == {"/api/", "/apis/x.io/v1/", "/apis/x.io/v1/things"}
    assert groups["definitions"] == {"own": {"type": "object"}, "shared": {}}


@pytest.mark.parametrize(
    "index", [[], {"paths": []}, {"paths": {EXTENSION.path.removeprefix("/"): 1}}, None], ids=repr
)
def test_an_index_that_is_none_says_nothing(index):
    assert openapi_of(EXTENSION, index) == ""


def test_a_document_that_nests_too_deeply_says_nothing():
    deep = {}
    for _ in range(1000):
        deep = {"properties": {"a": deep}}

    assert swagger_of(EXTENSION, {"paths": {f"{EXTENSION.path}/x": {}}, "definitions": {"a": deep}}) is None


def test_a_long_legacy_list_is_read_in_one_go():
    names = [name for number in range(4_000) for name in (f"r{number}", f"r{number}/status")]
    groups = resources_of(
        EXTENSION,
        {"kind": "APIResourceList", "resources": [{"name": documents, "kind": "K"} for documents in names]},
    )

    assert (len(groups), groups[-1]["subresources"][0]["subresource"]) == (4_000, "status")

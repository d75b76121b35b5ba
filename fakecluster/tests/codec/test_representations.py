"""What a client gets for what it accepts: media types, tables, metadata, discovery, OpenAPI (FK-011…027,
FK-360…375, FK-420…424).
"""

from __future__ import annotations

import http.client
import json

import pytest

from fakecluster import FakeCluster
from fakecluster.codec import media
from fakecluster.discovery import resources

MAPS = "/api/v1/namespaces/default/configmaps"
TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io"
PARTIAL = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io"
PARTIAL_LIST = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io"
AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
WIDGETS = "/apis/example.com/v1/widgets"
CRD = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "widgets.example.com"},
    "spec": {
        "group": "example.com",
        "scope": "Cluster",
        "names": {"plural": "widgets", "singular": "widget", "kind": "Widget", "listKind": "WidgetList"},
        "versions": [
            {
                "name": "v1",
                "served": True,
                "storage": True,
                "schema": {
                    "openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
                },
                "additionalPrinterColumns": [
                    {"name": "Size", "type": "integer", "jsonPath": ".spec.size"},
                    {
                        "name": "Ready",
                        "type": "string",
                        "jsonPath": '.status.conditions[?(@.type=="Ready")].status',
                    },
                    {"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"},
                ],
            }
        ],
    },
}
WIDGET = {
    "apiVersion": "example.com/v1",
    "kind": "Widget",
    "metadata": {"name": "w"},
    "spec": {"size": 3.0},
    "status": {"conditions": [{"type": "Other", "status": "False"}, {"type": "Ready", "status": "True"}]},
}


@pytest.fixture(scope="module")
def cluster():
    with FakeCluster(tls=False, anonymous=True, controllers="none") as running:
        running.request("POST", MAPS, {"metadata": {"name": "a"}, "data": {"k": "v"}})
        running.apply([CRD, WIDGET])
        running.advance(150)
        yield running


def get(cluster, path, accept=None, **headers):
    """Return code, headers and body."""
    connection = http.client.HTTPConnection(cluster.url.removeprefix("http://"), timeout=10)
    sent = {
        **({"Accept": accept} if accept is not None else {}),
        **{key.replace("_", "-"): value for key, value in headers.items()},
    }
    connection.request("GET", path, headers=sent)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, answer.headers, body


ORDERS = [
    pytest.param("a/x;q=0.1, b/y", ["b/y", "a/x"], id="quality"),
    pytest.param("*/*, a/x", ["a/x", "*/*"], id="wildcards last"),
    pytest.param("a/x, b/y", ["a/x", "b/y"], id="as written"),
    pytest.param("", [], id="nothing"),
]


@pytest.mark.parametrize(("accept", "expected"), ORDERS)
def test_alternatives_are_tried_best_first(accept, expected):
    assert [clause.type for clause in media.clauses(accept)] == expected


TYPES = [
    pytest.param(None, "application/json", id="nothing"),
    pytest.param("*/*", "application/json", id="anything"),
    pytest.param("application/yaml", "application/yaml", id="yaml"),
    pytest.param(
        "application/vnd.kubernetes.protobuf, */*", "application/vnd.kubernetes.protobuf", id="protobuf"
    ),
    pytest.param(
        "application/json;as=Nope;v=v1;g=meta.k8s.io, application/json",
        "application/json",
        id="unknown conversion",
    ),
]


@pytest.mark.parametrize(("accept", "expected"), TYPES)
def test_the_first_form_we_serve_is_taken(cluster, accept, expected):
    code, headers, _ = get(cluster, f"{MAPS}/a", accept)

    assert (code, headers["Content-Type"]) == (200, expected)


REFUSED = [
    pytest.param(
        f"{MAPS}/a",
        "text/html",
        "406: Not Acceptable\n\nAvailable representations: application/json",
        id="by the router",
    ),
    pytest.param(
        f"{MAPS}/a", "application/*", "406: Not Acceptable", id="a wildcard that the router does not know"
    ),
    pytest.param(
        f"{MAPS}/a",
        "application/json;as=Nope;v=v1;g=meta.k8s.io",
        "only the following media types are accepted: ",
        id="by conversion",
    ),
    pytest.param(
        f"{WIDGETS}/w",
        "text/html",
        "only the following media types are accepted: ",
        id="of a custom resource",
    ),
    pytest.param(
        f"{MAPS}/a", PARTIAL_LIST, "the requested object is not a list (*core.ConfigMap)", id="a list of one"
    ),
    pytest.param(
        WIDGETS,
        PARTIAL,
        "the requested object is a list (*unstructured.UnstructuredList)",
        id="one of a list",
    ),
]


@pytest.mark.parametrize(("path", "accept", "expected"), REFUSED)
def test_what_we_do_not_serve_is_refused(cluster, path, accept, expected):
    code, _, body = get(cluster, path, accept)

    assert code == 406
    assert expected in json.loads(body)["message"]


def test_yaml_is_flush_and_quotes_what_looks_like_something_else(cluster):
    _, _, body = get(cluster, f"{MAPS}/a", "application/yaml")

    assert b'  creationTimestamp: "2026-01-01T00:00:00Z"\n' in body
    assert b"  managedFields:\n  - apiVersion: v1\n" in body


PRETTY = [
    pytest.param("?pretty=true", {}, True, id="asked for"),
    pytest.param("", {"User_Agent": "curl/8"}, True, id="curl"),
    pytest.param("?pretty=false", {"User_Agent": "curl/8"}, False, id="curl that does not want it"),
    pytest.param("", {}, False, id="programs"),
]


@pytest.mark.parametrize(("query", "headers", "expected"), PRETTY)
def test_json_is_indented_for_people(cluster, query, headers, expected):
    assert (b"\n  " in get(cluster, f"{MAPS}/a{query}", **headers)[2]) is expected


CELLS = [
    pytest.param(f"{MAPS}/a", [["a", 1, "2m30s"]], id="built in"),
    pytest.param(f"{WIDGETS}/w", [["w", 3, "True", "2m30s"]], id="custom"),
    pytest.param("/api/v1/namespaces/default", [["default", "Active", "2m30s"]], id="namespace"),
    pytest.param(
        "/apis/rbac.authorization.k8s.io/v1/clusterroles/view",
        [["view", "2026-01-01T00:00:00Z"]],
        id="without columns",
    ),
]


@pytest.mark.parametrize(("path", "expected"), CELLS)
def test_a_table_shows_cells(cluster, path, expected):
    table = json.loads(get(cluster, path, TABLE)[2])

    assert [row["cells"] for row in table["rows"]] == expected


INCLUDED = [
    pytest.param("", "PartialObjectMetadata", id="unsaid"),
    pytest.param("?includeObject=Object", "ConfigMap", id="Object"),
    pytest.param("?includeObject=None", None, id="None"),
]


@pytest.mark.parametrize(("query", "expected"), INCLUDED)
def test_a_row_carries_what_was_asked_for(cluster, query, expected):
    row = json.loads(get(cluster, f"{MAPS}/a{query}", TABLE)[2])["rows"][0]

    assert (row["object"] or {}).get("kind") == expected


def test_a_row_cannot_carry_anything_else(cluster):
    code, _, body = get(cluster, f"{MAPS}/a?includeObject=Foo", TABLE)

    assert code == 400
    assert "must be 'Metadata', 'Object', 'None', or empty" in json.loads(body)["message"]


def test_metadata_of_nothing_is_null(cluster):
    listed = json.loads(get(cluster, f"{MAPS}?labelSelector=none", PARTIAL_LIST)[2])

    assert (listed["kind"], listed["items"]) == ("PartialObjectMetadataList", None)


VERSIONS = ["v1", "v2alpha1", "v10", "v2", "v1beta2", "v1beta10", "foo", "bar"]


def test_versions_are_ordered_by_maturity_and_number():
    expected = ["v10", "v2", "v1", "v1beta10", "v1beta2", "v2alpha1", "bar", "foo"]

    assert sorted(VERSIONS, key=resources.version_rank) == expected


def test_aggregated_discovery_tells_what_a_custom_resource_is(cluster):
    _, headers, body = get(cluster, "/apis", f"{AGGREGATED},application/json")
    group = json.loads(body)["items"][-1]

    assert headers["Content-Type"] == AGGREGATED
    assert group["metadata"] == {"name": "example.com"}
    assert group["versions"][0]["resources"][0]["responseKind"] == {
        "group": "example.com",
        "version": "v1",
        "kind": "Widget",
    }


def test_discovery_that_the_client_knows_is_not_sent_again(cluster):
    tag = get(cluster, "/apis", AGGREGATED)[1]["Etag"]

    assert get(cluster, "/apis", AGGREGATED, If_None_Match=tag)[::2] == (304, b"")


def test_openapi_lets_kubectl_leave_validation_to_the_server(cluster):
    index = json.loads(get(cluster, "/openapi/v3")[2])
    document = json.loads(get(cluster, index["paths"]["apis/example.com/v1"]["serverRelativeURL"])[2])
    patch = document["paths"]["/apis/example.com/v1/widgets/{name}"]["patch"]

    assert {"dryRun", "fieldValidation"} <= {parameter["name"] for parameter in patch["parameters"]}
    assert patch["x-kubernetes-group-version-kind"] == {
        "group": "example.com",
        "version": "v1",
        "kind": "Widget",
    }
    assert "com.example.v1.Widget" in document["components"]["schemas"]


def test_every_reference_of_a_document_is_in_it(cluster):
    text = get(cluster, "/openapi/v3/apis/batch/v1")[2].decode()
    schemas = {f"#/components/schemas/{name}" for name in json.loads(text)["components"]["schemas"]}

    assert {tail.partition('"')[0] for tail in text.split('"$ref":"')[1:]} <= schemas


PAGES = [
    pytest.param("/readyz", 200, b"ok", id="ready"),
    pytest.param("/readyz/ping", 200, b"ok", id="one check"),
    pytest.param("/readyz/nope", 404, b"404 page not found\n", id="unknown check"),
    pytest.param("/nope", 404, b"404 page not found\n", id="unknown page"),
]


@pytest.mark.parametrize(("path", "code", "expected"), PAGES)
def test_pages_answer_in_plain_text(cluster, path, code, expected):
    assert get(cluster, path)[::2] == (code, expected)

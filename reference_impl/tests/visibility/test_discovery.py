"""Discovery and OpenAPI: what machines read of the API (VIS-301…311)."""

from __future__ import annotations

import json

import pytest

from .doubles import BASE, Server, header

AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
V3 = f"/openapi/v3{BASE}/v1beta2"


class TestAggregated:
    def test_document_vis_306(self):
        response = Server().ask("/apis", headers={"accept": f"application/json,{AGGREGATED}"})

        kind = {"group": "", "version": "", "kind": "PendingWorkloadsSummary"}
        below = [{"subresource": "pendingworkloads", "responseKind": kind, "verbs": ["get"]}]
        resources = [
            {
                "resource": f"{singular}s",
                "responseKind": kind,
                "scope": scope,
                "singularResource": singular,
                "verbs": [],
                "subresources": below,
            }
            for singular, scope in (("clusterqueue", "Cluster"), ("localqueue", "Namespaced"))
        ]
        versions = [
            {"version": version, "resources": resources, "freshness": "Current"}
            for version in ("v1beta2", "v1beta1")
        ]
        assert json.loads(response.body) == {
            "kind": "APIGroupDiscoveryList",
            "apiVersion": "apidiscovery.k8s.io/v2",
            "metadata": {},
            "items": [{"metadata": {"name": "visibility.kueue.x-k8s.io"}, "versions": versions}],
        }
        assert header(response, "Content-Type") == AGGREGATED
        assert [header(response, version) for version in ("Cache-Control", "Vary")] == ["public", "Accept"]

    def test_a_known_document_is_not_sent_again_vis_304(self):
        server = Server()
        tag = header(server.ask("/apis", headers={"accept": AGGREGATED}), "Etag")

        second = server.ask("/apis", headers={"accept": AGGREGATED, "if-none-match": tag})

        assert (second.code, second.body, header(second, "Etag")) == (304, b"", tag)

    def test_an_older_form_alone_is_refused_vis_305(self):
        accept = {"accept": AGGREGATED.replace("v=v2", "v=v2beta1")}

        assert Server().ask("/apis", headers=accept).code == 406

    @pytest.mark.parametrize("accept", ["*/*", "application/json", ""])
    def test_others_get_the_list_of_groups(self, accept):
        assert json.loads(Server().ask("/apis", headers={"accept": accept}).body)["kind"] == "APIGroupList"


def targets(document):
    """Every `$ref` of a document."""
    if isinstance(document, dict):
        own = [document["$ref"]] if isinstance(document.get("$ref"), str) else []
        return own + [target for value in document.values() for target in targets(value)]
    return [target for value in document for target in targets(value)] if isinstance(document, list) else []


def resolves(document, reference):
    node = document
    for key in reference.removeprefix("#/").split("/"):
        node = node.get(key, {})
    return bool(node)


class TestOpenApi:
    @pytest.mark.parametrize(
        "path",
        ["/openapi/v2", "/openapi/v3/apis", f"/openapi/v3{BASE}", V3, V3[:-1] + "1", "/openapi/v3/version"],
    )
    def test_every_reference_resolves_vis_r10(self, path):
        document = json.loads(Server().ask(path).body)

        references = targets(document)
        assert references
        assert [reference for reference in references if not resolves(document, reference)] == []

    def test_v2_lists_what_can_be_read_vis_309(self):
        document = json.loads(Server().ask("/openapi/v2").body)

        assert document["info"] == {"title": "Kueue visibility-server", "version": "v0.19.2"}
        queues = ("clusterqueues/{name}", "namespaces/{namespace}/localqueues/{name}")
        own = [f"{BASE}/{v}/{q}/pendingworkloads" for v in ("v1beta1", "v1beta2") for q in queues]
        versions = [f"{BASE}/v1beta1/", f"{BASE}/v1beta2/"]
        assert set(document["paths"]) == {"/apis/", f"{BASE}/", "/version/", *versions, *own}
        assert {tuple(item["get"]["responses"]) for item in document["paths"].values()} == {("200", "401")}

    def test_v2_describes_a_page_vis_310(self):
        document = json.loads(Server().ask("/openapi/v2").body)

        item = document["definitions"]["io.k8s.kueue.visibility.v1beta2.PendingWorkload"]
        assert item["required"] == [
            "priority",
            "localQueueName",
            "positionInClusterQueue",
            "positionInLocalQueue",
        ]
        get = document["paths"][
            f"{BASE}/v1beta2/namespaces/{{namespace}}/localqueues/{{name}}/pendingworkloads"
        ]
        assert [parameter["name"] for parameter in get["parameters"]] == [
            "limit",
            "name",
            "namespace",
            "offset",
            "pretty",
        ]
        name = "readVisibilityKueueXK8sIoV1beta2NamespacedPendingWorkloadsSummaryPendingworkloads"
        assert get["get"]["operationId"] == name

    def test_the_index_leads_to_every_document_vis_311(self):
        server = Server()
        paths = json.loads(server.ask("/openapi/v3").body)["paths"]

        assert sorted(paths) == ["apis", BASE[1:], f"{BASE[1:]}/v1beta1", f"{BASE[1:]}/v1beta2", "version"]
        answers = [server.ask(path["serverRelativeURL"]) for path in paths.values()]
        assert [header(answer, "Cache-Control") for answer in answers] == ["public, immutable"] * 5
        assert header(answers[0], "Expires") == "Wed, 13 Nov 2024 22:13:20 GMT"

    def test_an_old_hash_leads_to_the_new_one_vis_311(self):
        server = Server()
        target = json.loads(server.ask("/openapi/v3").body)["paths"][f"{BASE[1:]}/v1beta2"][
            "serverRelativeURL"
        ]

        moved = server.ask(f"{V3}?hash=OLD")

        assert (moved.code, header(moved, "Location")) == (301, target)

    def test_only_v3_has_defaults(self):
        """An API server prunes them from the definitions of v2."""
        server = Server()

        assert b'"default"' not in server.ask("/openapi/v2").body
        assert b'"default":""' in server.ask(V3).body

    def test_the_index_is_json(self):
        answer = Server().ask("/openapi/v3")

        assert header(answer, "Content-Type") == "application/json"

    @pytest.mark.parametrize("path", ["/openapi/v2", "/openapi/v3", V3])
    def test_a_known_document_is_not_sent_again(self, path):
        server = Server()
        tag = header(server.ask(path), "Etag")

        second = server.ask(path, headers={"if-none-match": tag})

        assert (second.code, second.body) == (304, b"")

    def test_what_does_not_exist_or_cannot_be_produced(self):
        server = Server()

        assert server.ask(f"/openapi/v3{BASE}/v9").code == 404
        assert server.ask("/openapi/v2", headers={"accept": "application/yaml"}).code == 406

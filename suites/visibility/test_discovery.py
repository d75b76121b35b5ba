"""VSB: the API is found by discovery and described by OpenAPI documents (VIS-301…311)."""

import re

from kueue_conformance import scenario

NEEDS = ("pending-workloads API",)
RECORDED = {"needs": NEEDS, "since": "0.15", "level": "should"}
GROUP = "visibility.kueue.x-k8s.io"
AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
PARTS = [("clusterqueues", "Cluster"), ("localqueues", "Namespaced")]
REFERENCE = re.compile(rb'"\$ref":\s*"#/([^"]+)"')


def find_unresolved(answer):
    """Return what a document refers to and does not have."""
    document = answer.document
    return {
        reference
        for reference in set(REFERENCE.findall(answer.body))
        if not resolves(document, reference.decode().split("/"))
    }


def resolves(document, path):
    return not path or (path[0] in document and resolves(document[path[0]], path[1:]))


@scenario(
    "VSB-096",
    "the group, its versions and its resources are found by discovery",
    requirement="visibility-api#discovery",
    shows="VIS-302 VIS-303 VIS-304 VIS-306 VIS-707",
    **RECORDED,
    clauses={
        "a": "the versions of the release, the newest preferred",
        "b": "the lists and how they are read",
        "c": "the same in aggregated discovery",
    },
)
def test_discovery(kueue_cluster):
    admin = kueue_cluster.administrator()

    group, resources = (
        admin.send(f"/apis/{GROUP}").document,
        admin.send(f"/apis/{GROUP}/v1beta2").document["resources"],
    )
    discovery = admin.send("/apis", accept=AGGREGATED)
    (aggregated,) = (item for item in discovery.document["items"] if item["metadata"]["name"] == GROUP)

    versions = kueue_cluster.context.dialect.fact("visibility-versions")
    assert [version["version"] for version in group["versions"]] == versions, f"a: {group}"
    assert group["preferredVersion"]["version"] == "v1beta2", f"a: {group}"
    assert [(resource["name"], resource["namespaced"], resource["verbs"]) for resource in resources] == [
        ("clusterqueues", False, []),
        ("clusterqueues/pendingworkloads", False, ["get"]),
        ("localqueues", True, []),
        ("localqueues/pendingworkloads", True, ["get"]),
    ], f"b: {resources}"
    assert {resource["kind"] for resource in resources} == {"PendingWorkloadsSummary"}, f"b: {resources}"
    assert [(version["version"], version["freshness"]) for version in aggregated["versions"]] == [
        (version, "Current") for version in versions
    ], f"c: {aggregated}"
    assert [
        (resource["resource"], resource["scope"]) for resource in aggregated["versions"][0]["resources"]
    ] == PARTS, f"c: {aggregated}"


@scenario(
    "VSB-097",
    "every reference in the cluster's OpenAPI documents resolves",
    requirement="visibility-api#discovery",
    shows="VIS-308 VIS-309 VIS-310 VIS-311 VIS-709 VIS-R10 VIS-T61",
    **RECORDED,
    clauses={
        "a": "each version has a document that describes both lists",
        "b": "without dangling references",
        "c": "the document of version 2 has none either",
    },
)
def test_openapi(kueue_cluster):
    admin = kueue_cluster.administrator()
    index = admin.send("/openapi/v3").document["paths"]
    third = [
        admin.send(index[f"apis/{GROUP}/{version}"]["serverRelativeURL"])
        for version in kueue_cluster.context.dialect.fact("visibility-versions")
    ]
    second = admin.send("/openapi/v2")

    assert all(
        sum(path.endswith("/pendingworkloads") for path in answer.document["paths"]) == 2 for answer in third
    ), f"a: {index}"
    assert not any(find_unresolved(document) for document in third), (
        f"b: {[find_unresolved(document_answer) for document_answer in third]}"
    )
    assert second.code == 200, f"c: {second}"
    assert not find_unresolved(second), f"c: {find_unresolved(second)}"

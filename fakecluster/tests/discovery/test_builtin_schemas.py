"""Built-in messages as OpenAPI publishes them (FK-371);
the topic `structures` holds those of the real server.
"""

from __future__ import annotations

import pytest

from fakecluster.discovery.openapi.builtin import message_schema
from fakecluster.discovery.openapi.parameters import SharedParameters, parameters

FIELDS = [
    pytest.param("core.v1.EnvVar", "name", {"type": "string", "default": ""}, id="zero of what is always encoded"),
    pytest.param("core.v1.EnvVar", "value", {"type": "string"}, id="no zero of what may be left out"),
    pytest.param("core.v1.PodStatus", "startTime", {"allOf": [{"$ref": "meta.v1.Time"}]}, id="reference"),
    pytest.param("core.v1.Pod", "spec", {"allOf": [{"$ref": "core.v1.PodSpec"}], "default": {}}, id="struct"),
    pytest.param("core.v1.Secret", "data", {"type": "object", "additionalProperties": {"type": "string", "format": "byte"}}, id="bytes"),
    pytest.param("core.v1.ResourceRequirements", "limits",
                 {"type": "object", "additionalProperties": {"$ref": "resource.Quantity"}}, id="map of references"),
    pytest.param("core.v1.Container", "imagePullPolicy", {"type": "string", "enum": ["Always", "IfNotPresent", "Never"]}, id="enumeration"),
    pytest.param("core.v1.AzureDiskVolumeSource", "cachingMode",
                 {"type": "string", "enum": ["None", "ReadOnly", "ReadWrite"], "default": "ReadWrite"}, id="stated default"),
    pytest.param("networking.v1.IngressRule", "http", {"$ref": "networking.v1.HTTPIngressRuleValue"}, id="no comment"),
]  # fmt: skip


@pytest.mark.parametrize(("message", "field", "schema"), FIELDS)
def test_a_field_has_the_default_and_the_values_of_its_go_type(message, field, schema):
    assert message_schema(message, simple=False)["properties"][field] == schema


def test_items_have_defaults_of_their_own():
    items = message_schema("core.v1.PodSpec", simple=False)["properties"]["containers"]["items"]

    assert items == {"allOf": [{"$ref": "core.v1.Container"}], "default": {}}


def test_version_2_knows_neither_defaults_nor_wrapped_references():
    properties = message_schema("core.v1.Pod", simple=True)["properties"]

    assert properties["spec"] == {"$ref": "core.v1.PodSpec"}
    assert "default" not in message_schema("core.v1.EnvVar", simple=True)["properties"]["name"]


def test_a_union_says_which_field_discriminates():
    members = {"localhostProfile": "LocalhostProfile"}

    assert message_schema("core.v1.SeccompProfile", simple=False)["x-kubernetes-unions"] == [
        {"discriminator": "type", "fields-to-discriminateBy": members}
    ]


def test_shared_parameters_are_described_once():
    shared = SharedParameters()

    first, second = shared.references((), ("limit",)), shared.references(("namespace",), ("limit",))

    assert second[0] == first[0]
    assert [name.partition("-")[0] for name in shared.definitions()] == ["limit", "namespace"]


def test_what_older_clients_look_for_is_not_shared():
    shared = SharedParameters()

    assert [
        reference["name"] for reference in shared.references(("name",), ("dryRun", "fieldValidation"))
    ] == [
        "dryRun",
        "fieldValidation",
        "name",
    ]
    assert shared.definitions() == {}


def test_parameters_of_one_name_are_told_apart_by_their_place():
    assert [(parameter["name"], parameter["in"]) for parameter in parameters(("path",), ("pods.path",))] == [
        ("path", "path"),
        ("path", "query"),
    ]

"""OpenAPI documents: what version 2 leaves open, protobuf, and when a document is made anew (FK-371…375)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from fakecluster.api.kind import Kind, ObjectSchema
from fakecluster.api.registry import Registry
from fakecluster.discovery.openapi import gnostic, v2, v3
from fakecluster.discovery.openapi.documents import OpenApi
from fakecluster.discovery.openapi.names import group_title, public, tag
from fakecluster.discovery.openapi.schemas import complete, simplify
from fakecluster.discovery.resources import NoOtherServers
from fakecluster.kinds import BUILTIN_KINDS
from fakecluster.schema.structural import Structural

WIDGET = Kind(
    group="x.example.com",
    version="v1",
    kind="Widget",
    plural="widgets",
    custom=True,
    schema=ObjectSchema(
        structural=Structural({"type": "object", "properties": {"spec": {"type": "object"}}})
    ),
)
ANYTHING = {"type": "object", "properties": {"a": {"type": "string"}}}
NUMBER_OR_TEXT = [{"type": "integer"}, {"type": "string"}]
SIMPLIFIED = [
    pytest.param({**ANYTHING, "nullable": True}, {}, id="may be null"),
    pytest.param(
        {**ANYTHING, "x-kubernetes-preserve-unknown-fields": True},
        {"x-kubernetes-preserve-unknown-fields": True},
        id="keeps unknown fields",
    ),
    pytest.param(
        {"type": "string", "x-kubernetes-int-or-string": True, "anyOf": NUMBER_OR_TEXT},
        {"x-kubernetes-int-or-string": True},
        id="number or text",
    ),
    pytest.param(
        {"type": "integer", "default": 1, "minimum": 0}, {"type": "integer", "minimum": 0}, id="default"
    ),
    pytest.param(
        {"type": "array", "items": {"type": "string", "nullable": True}},
        {"type": "array", "items": {}},
        id="items",
    ),
    pytest.param(
        {"type": "object", "additionalProperties": True},
        {"type": "object", "additionalProperties": True},
        id="any values",
    ),
]
NAMES = [
    pytest.param("core.v1.Pod", "io.k8s.api.core.v1.Pod", id="api"),
    pytest.param("meta.v1.ObjectMeta", "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta", id="machinery"),
    pytest.param("resource.Quantity", "io.k8s.apimachinery.pkg.api.resource.Quantity", id="quantity"),
    pytest.param(
        "resource.v1.DeviceClass", "io.k8s.api.resource.v1.DeviceClass", id="group of the same name"
    ),
]
TITLES = [
    pytest.param("", "Core", "core_v1", id="core"),
    pytest.param("rbac.authorization.k8s.io", "RbacAuthorization", "rbacAuthorization_v1", id="dots"),
    pytest.param("w4.example.com", "W4ExampleCom", "w4ExampleCom_v1", id="foreign"),
]


@pytest.fixture
def registry():
    return Registry((*BUILTIN_KINDS, WIDGET))


@pytest.mark.parametrize(("schema", "expected"), SIMPLIFIED)
def test_version_2_leaves_open_what_it_cannot_say_fk_374(schema, expected):
    assert simplify(schema) == expected


def test_version_3_says_what_extensions_imply_fk_371():
    assert complete({"x-kubernetes-int-or-string": True})["anyOf"] == NUMBER_OR_TEXT
    assert complete({"x-kubernetes-embedded-resource": True})["required"] == ["kind", "apiVersion"]


@pytest.mark.parametrize(("message", "expected"), NAMES)
def test_names_of_schemas(message, expected):
    assert public(message) == expected


@pytest.mark.parametrize(("group", "title", "expected"), TITLES)
def test_names_of_groups(group, title, expected):
    assert (group_title(group), tag(group, "v1")) == (title, expected)


def test_every_reference_of_version_2_leads_somewhere_fk_374(registry):
    document = v2.document(registry.kinds(), ())
    referenced = {
        reference.removeprefix(v2.PREFIX)
        for reference in references(document)
        if reference.startswith(v2.PREFIX)
    }
    assert referenced <= document["definitions"].keys()


@pytest.mark.parametrize(
    "path", [pytest.param("apis/apps/v1", id="apps"), pytest.param("apis/x.example.com/v1", id="custom")]
)
def test_every_reference_of_version_3_leads_somewhere_fk_371(registry, path):
    document = OpenApi(registry, NoOtherServers()).document(path)()
    referenced = {reference.removeprefix(v3.PREFIX) for reference in references(document)}
    assert referenced <= document["components"]["schemas"].keys()


def references(tree):
    """Return every `$ref` of a document."""
    if isinstance(tree, list):
        return {reference for value in tree for reference in references(value)}
    if not isinstance(tree, dict):
        return set()
    own = {tree["$ref"]} if isinstance(tree.get("$ref"), str) else set()
    return own | references(list(tree.values()))


def test_a_document_is_kept_until_its_kinds_change_fk_375(registry):
    openapi = OpenApi(registry, NoOtherServers())
    apps, custom = openapi.document("apis/apps/v1")(), openapi.document("apis/x.example.com/v1")()
    registry.register([replace(WIDGET, subresources=frozenset({"status"}))])

    assert openapi.document("apis/apps/v1")() is apps
    assert openapi.document("apis/x.example.com/v1")() != custom


def test_a_hash_changes_with_its_document_alone_fk_373(registry):
    openapi = OpenApi(registry, NoOtherServers())
    apps, custom = openapi.hash("apis/apps/v1"), openapi.hash("apis/x.example.com/v1")
    registry.register([replace(WIDGET, subresources=frozenset({"status"}))])

    assert (openapi.hash("apis/apps/v1") == apps, openapi.hash("apis/x.example.com/v1") == custom) == (
        True,
        False,
    )


MESSAGES = [
    pytest.param({"swagger": "2.0"}, b"\x0a\x032.0", id="text"),
    pytest.param({"info": {"title": "T"}}, b"\x12\x03\x0a\x01T", id="object"),
    pytest.param(
        {"definitions": {"A": {"type": "object"}}},
        b"\x4a\x12\x0a\x10\x0a\x01A\x12\x0b\xb2\x01\x08\x0a\x06object",
        id="map",
    ),
]


@pytest.mark.parametrize(("document", "expected"), MESSAGES)
def test_version_2_as_a_message_fk_374(document, expected):
    assert gnostic.version2(document) == expected


def test_extensions_are_yaml_fk_374():
    message = gnostic.version2({"definitions": {"A": {"x-kubernetes-map-type": "atomic"}}})
    assert b"x-kubernetes-map-type\x12\x09\x12\x07atomic\n" in message


def test_a_reference_is_a_member_of_its_own_in_version_3_fk_371():
    message = gnostic.version3({"components": {"schemas": {"A": {"allOf": [{"$ref": "#/b"}]}}}})
    assert b"\xd2\x01\x07\x12\x05\x0a\x03#/b" in message

"""The scale subresource (FK-278, FK-503)."""

import pytest
from msgspec.structs import replace

from fakecluster.api.kind import ScalePaths
from fakecluster.tests.conftest import KINDS

URL = "/apis/demo.example.com/v1/namespaces/ns/widgets"
MERGE = "application/merge-patch+json"
PATHS = ScalePaths(spec=".spec.replicas", status=".status.ready", selector=".status.selector")


@pytest.fixture
def scaled(ask):
    row = next(kind for kind in KINDS if kind.plural == "widgets")
    ask.api.registry.register(
        [replace(row, subresources=frozenset({"status", "scale"}), schema=replace(row.schema, scale=PATHS))]
    )
    ask(
        "POST",
        URL,
        {
            "apiVersion": "demo.example.com/v1",
            "kind": "Widget",
            "metadata": {"name": "w"},
            "spec": {"replicas": 2},
        },
    )
    return ask


def test_an_object_is_seen_as_a_scale(scaled):
    _, scale = scaled("GET", f"{URL}/w/scale")

    assert (scale["kind"], scale["spec"], scale["status"]) == ("Scale", {"replicas": 2}, {"replicas": 0})


@pytest.mark.parametrize(
    ("method", "body", "content_type"),
    [
        ("PUT", {"metadata": {"name": "w"}, "spec": {"replicas": 5}}, "application/json"),
        ("PATCH", {"spec": {"replicas": 5}}, MERGE),
    ],
    ids=["put", "patch"],
)
def test_a_scale_is_written_into_its_object(scaled, method, body, content_type):
    _, answer = scaled(method, f"{URL}/w/scale", body, content_type=content_type)

    _, widget = scaled("GET", f"{URL}/w")
    assert (answer["kind"], answer["spec"]["replicas"]) == ("Scale", 5)
    assert (widget["spec"]["replicas"], widget["metadata"]["generation"]) == (5, 2)


def test_less_than_nothing_is_refused(scaled):
    code, answer = scaled("PATCH", f"{URL}/w/scale", {"spec": {"replicas": -1}}, content_type=MERGE)

    assert code == 422
    assert answer["message"].endswith(".spec.replicas: Invalid value: -1: should be a non-negative integer")


def test_an_object_without_a_number_has_no_scale(scaled):
    scaled("PATCH", f"{URL}/w", {"spec": {"replicas": None}}, content_type=MERGE)

    code, answer = scaled("GET", f"{URL}/w/scale")

    assert (code, answer["message"]) == (
        500,
        'Internal error occurred: the spec replicas field ".spec.replicas" does not exist',
    )

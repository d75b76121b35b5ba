"""Protobuf bodies as JSON trees (FK-530, FK-531)."""

from __future__ import annotations

import pytest

from fakecluster.api.protobuf import ProtobufError, decode


def varint(number):
    found = b""
    while number > 127:
        found, number = found + bytes([number & 127 | 128]), number >> 7
    return found + bytes([number])


def field(number, value):
    """Encode a length-delimited field, or a varint for a number."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value & (1 << 64) - 1)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def body(api_version, kind, *fields):
    said = field(1, field(1, api_version) + field(2, kind)) if kind else b""
    return b"k8s\x00" + said + field(2, b"".join(fields)) + field(3, "") + field(4, "")


def named(name):
    return field(1, field(1, name) + field(2, ""))


MOMENT = field(1, 1_577_836_800) + field(2, 123_456_000)
OBJECTS = [
    pytest.param(
        body("v1", "Namespace", named("x"), field(2, b""), field(3, field(1, ""))),
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "x"}, "spec": {}, "status": {}},
        id="zero values are left out",
    ),
    pytest.param(
        body(
            "v1",
            "ConfigMap",
            named("x"),
            field(2, field(1, "k") + field(2, "v")),
            field(3, field(1, "b") + field(2, b"\x00\x01")),
        ),
        {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {"name": "x"},
            "data": {"k": "v"},
            "binaryData": {"b": "AAE="},
        },
        id="maps and bytes",
    ),
    pytest.param(
        body(
            "coordination.k8s.io/v1",
            "Lease",
            named("x"),
            field(2, field(1, "me") + field(3, MOMENT) + field(5, 0)),
        ),
        {
            "apiVersion": "coordination.k8s.io/v1",
            "kind": "Lease",
            "metadata": {"name": "x"},
            "spec": {
                "holderIdentity": "me",
                "acquireTime": "2020-01-01T00:00:00.123456Z",
                "leaseTransitions": 0,
            },
        },
        id="times, and zero behind a pointer",
    ),
    pytest.param(
        body(
            "apps/v1",
            "Deployment",
            field(
                2,
                field(1, -1)
                + field(4, field(2, field(1, field(1, 1) + field(3, "25%")) + field(2, field(2, 3)))),
            ),
        ),
        {
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "spec": {"replicas": -1, "strategy": {"rollingUpdate": {"maxUnavailable": "25%", "maxSurge": 3}}},
        },
        id="negative numbers, and numbers that may be text",
    ),
    pytest.param(
        body("v1", "Pod", field(2, field(1, field(1, "v") + field(2, field(2, field(1, "")))))),
        {"apiVersion": "v1", "kind": "Pod", "spec": {"volumes": [{"name": "v", "emptyDir": {}}]}},
        id="inlined messages",
    ),
    pytest.param(
        body("", "", named("x")),
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}},
        id="kind of the endpoint",
    ),
    pytest.param(
        body("foo/v1", "DeleteOptions", field(1, 0), field(4, "Background")),
        {
            "apiVersion": "foo/v1",
            "kind": "DeleteOptions",
            "gracePeriodSeconds": 0,
            "propagationPolicy": "Background",
        },
        id="options of any group",
    ),
    pytest.param(body("v1", "Nope", named("x")), {"apiVersion": "v1", "kind": "Nope"}, id="unknown kind"),
    pytest.param(
        body("v1", "ConfigMap", named("x"), field(99, "?")),
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}},
        id="unknown field",
    ),
    pytest.param(
        body("v1", "ConfigMap", field(2, field(1, "k") + field(2, b"\xff\xfe"))),
        {"apiVersion": "v1", "kind": "ConfigMap", "data": {"k": "\ufffd\ufffd"}},
        id="text that is no utf-8",
    ),
]
BROKEN = [
    pytest.param(b"", "empty data", id="nothing"),
    pytest.param(b"k8s\x00", "empty body", id="magic alone"),
    pytest.param(
        b"{}",
        r"provided data does not appear to be a protobuf message, expected prefix \[107 56 115 0\]",
        id="json",
    ),
    pytest.param(body("v1", "ConfigMap", named("x"))[:-9], "unexpected EOF", id="cut off"),
    pytest.param(
        body("v1", "ConfigMap", field(1, 7)), "wrong wireType = 0 for field Metadata", id="wrong wire type"
    ),
]


@pytest.mark.parametrize(("data", "expected"), OBJECTS)
def test_a_message_reads_as_the_json_that_a_client_would_have_sent(data, expected):
    assert decode(data, "v1", "ConfigMap") == expected


@pytest.mark.parametrize(("data", "expected"), BROKEN)
def test_what_is_no_message_is_refused(data, expected):
    with pytest.raises(ProtobufError, match=expected):
        decode(data, "v1", "ConfigMap")

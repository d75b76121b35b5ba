"""Protobuf bodies as JSON trees (FK-530, FK-531)."""

from __future__ import annotations

import struct

import pytest

from fakecluster.codec.protobuf import ProtobufError, decode


def varint(number):
    encoded = b""
    while number > 127:
        encoded, number = encoded + bytes([number & 127 | 128]), number >> 7
    return encoded + bytes([number])


def field(number, value):
    """Encode a length-delimited field, or a varint for a number."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value & (1 << 64) - 1)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def body(api_version, kind, *fields):
    type_meta = field(1, field(1, api_version) + field(2, kind)) if kind else b""
    return b"k8s\x00" + type_meta + field(2, b"".join(fields)) + field(3, "") + field(4, "")


def name_of(name):
    return field(1, field(1, name) + field(2, ""))


MOMENT = field(1, 1_577_836_800) + field(2, 123_456_000)
OBJECTS = [
    pytest.param(
        body("v1", "Namespace", name_of("x"), field(2, b""), field(3, field(1, ""))),
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "x"}, "spec": {}, "status": {}},
        id="zero values are left out",
    ),
    pytest.param(
        body(
            "v1",
            "ConfigMap",
            name_of("x"),
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
            name_of("x"),
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
        body("", "", name_of("x")),
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
    pytest.param(body("v1", "Nope", name_of("x")), {"apiVersion": "v1", "kind": "Nope"}, id="unknown kind"),
    pytest.param(
        body("v1", "ConfigMap", name_of("x"), field(99, "?")),
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
    pytest.param(body("v1", "ConfigMap", name_of("x"))[:-9], "unexpected EOF", id="cut off"),
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


def schema(levels):
    """Encode a definition whose schema nests so many objects."""
    inner = field(5, "object")
    for _ in range(levels):
        inner = field(5, "object") + field(29, field(1, "a") + field(2, inner))
    version = field(1, "v1") + field(2, 1) + field(3, 1) + field(4, field(1, inner))
    return body(
        "apiextensions.k8s.io/v1", "CustomResourceDefinition", name_of("x"), field(2, field(7, version))
    )


@pytest.mark.parametrize(
    ("content", "type_meta"),
    [
        pytest.param(schema(140), "exceeded max depth", id="messages"),
        pytest.param(schema(20_000), "exceeded max depth", id="many messages"),
        pytest.param(
            body(
                "v1",
                "ConfigMap",
                field(1, field(17, field(7, field(1, b'{"f:a":' * 149 + b"{}" + b"}" * 149)))),
            ),
            "exceeded max depth",
            id="JSON within a message",
        ),
        pytest.param(
            body("v1", "ConfigMap", field(1, field(17, field(7, field(1, b'{"f:a":' * 2000))))),
            "exceeded max depth",
            id="deep JSON",
        ),
    ],
)
def test_what_nests_too_deep_is_refused_fk_041(content, type_meta):
    with pytest.raises(ProtobufError, match=type_meta):
        decode(content)


def test_numbers_of_32_bits_forget_what_is_above_fk_530():
    encoded = decode(body("coordination.k8s.io/v1", "Lease", name_of("x"), field(2, field(2, 2**32 + 5))))

    assert encoded["spec"] == {"leaseDurationSeconds": 5}


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        pytest.param(-62_135_596_801, "0000-12-31T23:59:59.000000Z", id="before the first year"),
        pytest.param(253_402_300_800, "10000-01-01T00:00:00.000000Z", id="after the last year"),
        pytest.param(2**63 - 1, "292277026596-12-04T15:30:07.000000Z", id="the last second"),
    ],
)
def test_times_of_any_year_are_read_fk_493(seconds, shown):
    moment = field(1, seconds) + field(2, 0)

    encoded = decode(body("coordination.k8s.io/v1", "Lease", name_of("x"), field(2, field(4, moment))))

    assert encoded["spec"] == {"renewTime": shown}


def test_a_number_that_json_does_not_have_is_refused_fk_530():
    nan = bytes([9 << 3 | 1]) + struct.pack("<d", float("nan"))
    version = field(4, field(1, nan))

    with pytest.raises(ProtobufError, match="unsupported value: NaN"):
        decode(
            body(
                "apiextensions.k8s.io/v1",
                "CustomResourceDefinition",
                name_of("x"),
                field(2, field(7, version)),
            )
        )

"""Watches over WebSockets: handshake, messages, and what clients send (FK-140…146, FK-390)."""

from __future__ import annotations

import socket

import pytest
from wsproto.events import CloseConnection

from fakecluster import FakeCluster
from fakecluster.tests import websocket
from fakecluster.tests.websocket import ACCEPT, as_subprotocol

MAPS = "/api/v1/namespaces/default/configmaps"
WATCH = f"{MAPS}?watch=1&fieldSelector=metadata.name%3Da"
TEXT, BINARY, CLOSE, PING = 1, 2, 8, 9


@pytest.fixture(scope="module")
def cluster():
    with FakeCluster(controllers="none", tls=False, authorization="rbac", clock="wall") as entry:
        entry.apply([config_map("a")])
        yield entry


@pytest.fixture
def watch(cluster):
    """Opens a watch over a WebSocket as the administrator."""

    def opened(*headers, target=WATCH, **options):
        return websocket.open_socket(cluster.url, target, *headers, **({"token": cluster.token()} | options))

    return opened


def config_map(name, **data):
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": name, "namespace": "default"},
        "data": data,
    }


def frame(opcode, payload=b"", *, mask=b"\1\2\3\4", head=0x80):
    """Return a frame of up to 125 bytes as a client may send it."""
    if not mask:
        return bytes([head | opcode, len(payload)]) + payload
    masked = bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload))
    return bytes([head | opcode, 0x80 | len(payload)]) + mask + masked


def test_each_event_is_a_text_message(cluster, watch):
    with watch() as client:
        first = client.message()
        cluster.apply([config_map("a", k="v")])
        second = client.message()
        cluster.apply([config_map("a")])

        assert (client.code, client.header("Sec-WebSocket-Accept")) == (101, ACCEPT)
        assert (first["type"], first["object"]["metadata"]["name"]) == ("ADDED", "a")
        assert (second["type"], second["object"]["data"]) == ("MODIFIED", {"k": "v"})


def test_messages_of_protobuf_are_binary_and_have_no_length(watch):
    with watch("Accept: application/vnd.kubernetes.protobuf") as client:
        assert client.message().startswith(b"\n\x05ADDED\x12")


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        pytest.param("application/json;as=Table;v=v1;g=meta.k8s.io", "Table", id="table"),
        pytest.param(
            "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
            "PartialObjectMetadata",
            id="metadata",
        ),
    ],
)
def test_events_have_the_form_that_was_asked_for(watch, accept, kind):
    with watch(f"Accept: {accept}") as client:
        assert client.message()["object"]["kind"] == kind


def test_initial_events_end_with_a_bookmark(watch):
    initial = "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true"
    with watch(target=WATCH + initial) as client:
        assert client.types(2) == ["ADDED", "BOOKMARK"]


def test_a_watch_that_ends_closes_in_order():
    target = f"{WATCH}&timeoutSeconds=60"
    with (
        FakeCluster(controllers="none", tls=False) as cluster,
        websocket.open_socket(cluster.url, target, token=cluster.token()) as client,
    ):
        cluster.advance(61)

        assert client.next() == CloseConnection(code=1000, reason="")
        assert client.next() is None


def test_a_forgotten_revision_is_an_error_message_and_a_close(watch):
    with watch(target=f"{WATCH}&resourceVersion=1") as client:
        assert client.message()["object"]["code"] == 410
        assert client.next().code == 1000


@pytest.mark.parametrize(
    ("target", "options", "code"),
    [
        pytest.param("/api/v1/nothing?watch=1", {}, 404, id="unknown resource"),
        pytest.param(f"{WATCH}&resourceVersion=x", {}, 500, id="unreadable revision"),
        pytest.param(WATCH, {"token": "wrong"}, 401, id="unknown token"),
        pytest.param(f"{MAPS}/a", {}, 200, id="no watch"),
    ],
)
def test_what_is_no_watch_is_answered_as_ever(watch, target, options, code):
    with watch(target=target, **options) as client:
        assert (client.code, bool(client.header("Audit-Id"))) == (code, True)


@pytest.mark.parametrize(
    ("headers", "options", "code", "rest"),
    [
        pytest.param((), {"version": ""}, 400, b"missing or bad WebSocket Version", id="no version"),
        pytest.param((), {"version": "8"}, 400, b"missing or bad WebSocket Version", id="old version"),
        pytest.param((), {"key": ""}, 400, b"mismatch challenge/response", id="no key"),
        pytest.param((), {"origin": ""}, 403, b"", id="no origin"),
        pytest.param(("Sec-WebSocket-Protocol: a, b",), {}, 400, b"", id="two subprotocols"),
    ],
)
def test_a_handshake_that_go_refuses_is_refused(watch, headers, options, code, rest):
    with watch(*headers, **options) as client:
        assert (client.code, client.header("Audit-Id"), client.rest) == (code, None, rest)


@pytest.mark.parametrize(
    ("headers", "answered"),
    [
        pytest.param((), None, id="none"),
        pytest.param(("Sec-WebSocket-Protocol: base64.channel.k8s.io",), "base64.channel.k8s.io", id="one"),
        pytest.param(("Sec-WebSocket-Protocol: a", "Sec-WebSocket-Protocol: b"), "a", id="two headers"),
    ],
)
def test_the_subprotocol_is_the_one_that_was_offered(watch, headers, answered):
    with watch(*headers) as client:
        assert (client.code, client.header("Sec-WebSocket-Protocol")) == (101, answered)


@pytest.mark.parametrize(
    ("before", "after", "code"),
    [
        pytest.param("", ", x", 101, id="with another subprotocol"),
        pytest.param("x, ", "", 101, id="behind another subprotocol"),
        pytest.param("", "", 401, id="alone"),
        pytest.param(f"{as_subprotocol('other')}, ", ", x", 401, id="two tokens"),
    ],
)
def test_a_token_comes_as_a_subprotocol_and_is_not_answered(cluster, watch, before, after, code):
    header = f"Sec-WebSocket-Protocol: {before}{as_subprotocol(cluster.token())}{after}"
    with watch(header, token="") as client:
        assert (client.code, client.header("Sec-WebSocket-Protocol")) == (code, "x" if code == 101 else None)


@pytest.mark.parametrize(
    "value", ["!!!", "YQ=="[:1], "_w", "YWJj"], ids=["letters", "length", "utf-8", "unknown"]
)
def test_a_subprotocol_that_is_no_token_is_not_let_in(watch, value):
    with watch(f"Sec-WebSocket-Protocol: {websocket.BEARER}{value}, x", token="") as client:
        assert client.code == 401


def test_a_token_as_a_subprotocol_counts_for_websockets_only(cluster, watch):
    with websocket.connect(cluster.url) as link:
        link.sendall(
            f"GET {WATCH} HTTP/1.1\r\nHost: localhost\r\nSec-WebSocket-Protocol: {as_subprotocol(cluster.token())}, x\r\n\r\n".encode()
        )

        assert link.recv(100).startswith(b"HTTP/1.1 403 ")


def test_pings_are_answered(watch):
    with watch() as client:
        client.message()

        assert client.ping(b"hello") == b"hello"


@pytest.mark.parametrize("code", [1000, 1001, 1002, 3000])
def test_a_close_is_answered_with_a_normal_one(watch, code):
    with watch() as client:
        client.message()
        client.close(code)

        assert client.next().code == 1000
        assert client.next() is None


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param(frame(TEXT, b"a"), id="text"),
        pytest.param(frame(BINARY, b"a" * 125), id="binary"),
        pytest.param(frame(TEXT, b"a", head=0) + frame(0, b"b"), id="in two fragments"),
        pytest.param(b"".join(frame(TEXT, b"a") for _ in range(1000)), id="very many"),
    ],
)
def test_what_a_client_says_is_ignored(watch, sent):
    with watch() as client:
        client.message()
        client.link.sendall(sent)

        assert client.ping(b"?") == b"?"


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        pytest.param(frame(TEXT, b"a", mask=b""), 1002, id="not masked"),
        pytest.param(frame(5, b"a"), 1002, id="unknown opcode"),
        pytest.param(frame(TEXT, b"a", head=0xC0), 1002, id="reserved bit"),
        pytest.param(frame(PING, head=0), 1002, id="ping in fragments"),
        pytest.param(frame(TEXT, b"\xff"), 1007, id="text that is none"),
    ],
)
def test_what_is_no_websocket_is_closed(watch, sent, code):
    with watch() as client:
        client.message()
        client.link.sendall(sent)

        assert client.next().code == code


def test_a_client_that_closes_its_side_is_closed(watch):
    with watch() as client:
        client.message()
        client.link.shutdown(socket.SHUT_WR)

        assert client.next().code == 1000


def test_what_follows_the_handshake_at_once_is_read(cluster):
    with websocket.connect(cluster.url) as link:
        client = websocket.WebSocket(link)
        host = cluster.url.partition("://")[2]
        client.handshake(websocket.ask(WATCH, host=host, token=cluster.token()) + frame(CLOSE))

        assert client.message()["type"] == "ADDED"
        assert client.next().code == 1000


def test_watchers_of_both_sorts_see_the_same_events(cluster, watch):
    with watch() as messages, websocket.connect(cluster.url) as lines:
        lines.sendall(
            f"GET {WATCH} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {cluster.token()}\r\n\r\n".encode()
        )
        first = messages.message()
        data = b""
        while b"}}\n" not in data:
            data += lines.recv(65536)

        assert f'"uid":"{first["object"]["metadata"]["uid"]}"'.encode() in data


@pytest.mark.parametrize("protocol", ["h2c", "TLS/1.0, HTTP/2.0"])
def test_offers_of_other_protocols_are_ignored(cluster, protocol):
    """Java's own HTTP client offers HTTP/2 with its first request."""
    with websocket.connect(cluster.url) as link:
        link.sendall(
            f"GET /version HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {cluster.token()}\r\n"
            f"Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: {protocol}\r\nHTTP2-Settings: AAMAAABk\r\n\r\n".encode()
        )
        answer = b"".join(iter(lambda: link.recv(65536), b""))

    assert answer.startswith(b"HTTP/1.1 200 OK\r\n")


def test_the_journal_tells_of_the_switch(cluster, watch):
    with watch(target=f"{MAPS}?watch=1&labelSelector=journal"):
        (entry,) = [
            entry
            for entry in cluster.journal.where(verb="watch", resource="configmaps")
            if ("labelSelector", "journal") in entry.query
        ]

    assert entry.code == 101

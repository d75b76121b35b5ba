"""Watches over WebSockets through a front (F-01, FK-140, FK-390)."""

from __future__ import annotations

import pytest

from fakecluster import FakeCluster
from fakecluster.front import Front
from fakecluster.recording.upstream import Upstream
from fakecluster.tests import websocket
from fakecluster.tests.websocket import as_subprotocol

from .conftest import MAPS, becomes, config_map

WATCH = f"{MAPS}?watch=1"
PROTOBUF = "Accept: application/vnd.kubernetes.protobuf"


@pytest.fixture
def watch(front, behind):
    """Opens a watch over a WebSocket as anna."""
    behind.request("POST", MAPS, config_map("a"))

    def opened(*headers, target=WATCH, **options):
        return websocket.open_socket(
            front.url, target, *headers, **({"token": front.token("anna")} | options)
        )

    return opened


def test_a_token_comes_as_a_subprotocol(front, watch):
    header = f"Sec-WebSocket-Protocol: {as_subprotocol(front.token('anna'))}, base64.channel.k8s.io"
    with watch(header, token="") as client:
        assert client.header("Sec-WebSocket-Protocol") == "base64.channel.k8s.io"
        assert client.message()["type"] == "ADDED"
        assert front.journal.where(verb="watch")[0].code == 101


def test_pings_and_closes_are_answered(watch):
    with watch() as client:
        client.message()
        assert client.ping(b"?") == b"?"
        client.close()

        assert client.next().code == 1000


def test_a_close_ends_the_watch_of_the_server_behind(behind, watch):
    with watch() as client:
        client.message()
        assert behind.listener.streams.unseen({}) is False
        client.close()
        client.next()

        assert becomes(lambda: not behind.listener.streams._open)


@pytest.mark.parametrize(
    ("options", "code"),
    [
        pytest.param({"target": "/api/v1/nothing?watch=1"}, 404, id="unknown resource"),
        pytest.param({"token": "wrong"}, 401, id="unknown token"),
        pytest.param({"version": "8"}, 400, id="old version"),
        pytest.param({"origin": ""}, 403, id="no origin"),
        pytest.param({"origin": "http://evil.example"}, 403, id="foreign page"),
    ],
)
def test_what_is_refused_is_no_websocket(watch, options, code):
    with watch(**options) as client:
        assert client.code == code


def test_messages_of_protobuf_come_through(watch):
    with watch(PROTOBUF, "Sec-WebSocket-Protocol: v") as client:
        assert client.header("Sec-Websocket-Protocol") == "v"
        assert client.message().startswith(b"\n\x05ADDED\x12")


@pytest.mark.parametrize("headers", [(), (PROTOBUF,)], ids=["messages of our own", "another server's"])
def test_the_origin_of_the_front_is_none_of_a_foreign_page_behind_it(headers):
    with FakeCluster(clock="wall", controllers="none", tls=False) as behind:
        upstream = Upstream(url=behind.url, token=lambda: f"Bearer {behind.token()}")
        behind.request("POST", MAPS, config_map("a"))
        with (
            Front(upstream) as front,
            websocket.open_socket(front.url, WATCH, *headers, token=front.token("anna")) as client,
        ):
            assert (client.code, bool(client.message())) == (101, True)

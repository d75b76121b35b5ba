"""Servers that a topic of vectors brings along: scripted answers, and what they were asked."""

from __future__ import annotations

import base64
import http.client
import json
import socket
import ssl
from collections.abc import Iterator
from typing import Any

import pytest

from kueue_conformance.vectors.document import Topic, VectorError
from kueue_conformance.vectors.peers import Peer, Script
from kueue_conformance.vectors.rendering import render

ASKED = {"request": {"uid": "u1", "objects": [{"a": 1}, {"a": 2, "b": 3}]}}


@pytest.fixture
def peer() -> Iterator[Peer]:
    answers = {
        "/allow": {"body": {"uid": "${received.request.uid}"}},
        "/text": {"status": 500, "body": "no", "headers": {"X-Own": "1"}},
        "/drop": {"drop": True},
    }
    running = Peer(Script.of({"answers": answers}, "here"))
    yield running
    running.close()


def ask(peer: Peer, path: str) -> tuple[int, str]:
    context = ssl.create_default_context(cadata=base64.b64decode(peer.ca).decode())
    connection = http.client.HTTPSConnection("127.0.0.1", peer.port, timeout=10, context=context)
    try:
        connection.request("POST", path, body=json.dumps(ASKED))
        response = connection.getresponse()
        return response.status, response.read().decode()
    finally:
        connection.close()


@pytest.mark.parametrize(
    ("path", "answer"),
    [("/allow?timeout=10s", (200, '{"uid": "u1"}')), ("/text", (500, "no")), ("/other", (404, ""))],
    ids=["quoting", "text", "unknown path"],
)
def test_answer(peer: Peer, path: str, answer: Any) -> None:
    assert ask(peer, path) == answer


def test_dropped_connection(peer: Peer) -> None:
    with pytest.raises(http.client.RemoteDisconnected):
        ask(peer, "/drop")


def test_caller_who_comes_too_late_is_not_waited_for() -> None:
    peer = Peer(Script.of({"answers": {}, "names": ()}, "here"))
    peer.closing.set()

    with socket.create_connection(("127.0.0.1", peer.port), timeout=10) as late:
        assert late.recv(1) == b""
    peer.close()


def test_received_is_told_once(peer: Peer) -> None:
    ask(peer, "/text?x=1")

    (received,) = peer.take()

    assert (received.method, received.target, received.body) == ("POST", "/text?x=1", ASKED)
    assert peer.take() == ()


@pytest.mark.parametrize(
    ("template", "body"),
    [
        ("is ${received.request.uid}", "is u1"),
        ("${received.request.objects.0}", {"a": 1}),
        ([{"each": "request.objects", "merge": {"b": None}}], [[{"a": 1}, {"a": 2}]]),
        ({"response": {"allowed": True}}, {"response": {"allowed": True}}),
    ],
    ids=["in a text", "whole value", "each", "plain"],
)
def test_rendered(template: Any, body: Any) -> None:
    assert render(template, ASKED) == body


def test_unknown_key_of_a_script() -> None:
    topic = Topic("t", {}, {}, {"hook": {"answers": {"/x": {"odd": 1}}}}, (), False, (), False, ())
    with pytest.raises(VectorError, match=r"t: peer hook: /x: unknown keys \['odd'\]"):
        topic.scripts(lambda text: text)


@pytest.mark.parametrize(
    ("spec", "swapped_spec"),
    [
        pytest.param({"host": "x"}, {"address": "x"}, id="there"),
        pytest.param({"address": "x"}, {"host": "x"}, id="and back"),
        pytest.param({"port": 1}, {"port": 1}, id="neither is there"),
    ],
)
def test_swapped_members_change_places(spec: Any, swapped_spec: Any) -> None:
    template = {"each": "objects", "swap": {"spec.host": "address"}, "merge": {"apiVersion": "v2"}}

    rendered = render(template, {"objects": [{"apiVersion": "v1", "spec": spec}]})

    assert rendered == [{"apiVersion": "v2", "spec": swapped_spec}]

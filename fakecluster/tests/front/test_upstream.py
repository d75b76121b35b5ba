"""Servers behind a front that do not keep to the rules:
what a client gets, and what is asked once and no more.
"""

from __future__ import annotations

import contextlib
import json
import logging
import threading
from types import SimpleNamespace

import pytest

from fakecluster.api.outcome import User
from fakecluster.api.routes import parse
from fakecluster.faults import Repeat, Stale
from fakecluster.front import frames
from fakecluster.front.frames import LineJoiner, read_event
from fakecluster.front.request import FrontRequest
from fakecluster.front.upstream import UpstreamServer
from fakecluster.server.http.message import ArrivedRequest
from fakecluster.server.outgoing.answer import NoAnswerError

from .conftest import MAPS, Client, answered, config_map, scripted

DEEP = b'{"a":' * 600 + b"1" + b"}" * 600
"""JSON that can be read, and is too deep to be written."""
BODIES = [
    b"[]",
    b"1",
    b"null",
    b'"text"',
    b'{"metadata":1}',
    b'{"metadata":{"name":1,"uid":2,"resourceVersion":[]}}',
    b'{"metadata":{"name":"a","uid":"u","deletionTimestamp":{}},"items":[1,{},{"metadata":[]}]}',
    b'{"metadata":{"name":"a","uid":"u","resourceVersion":"%b"}}' % (b"9" * 5000),
    b'{"items":{"a":1}}',
    DEEP,
    b'{"kind":"Status","metadata":[],"code":"x"}',
    b'{"metadata":{"name":"a","uid":"u"},"x":%b}' % DEEP,
]


def with_length(body, code=200):
    return b"HTTP/1.1 %d X\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b" % (
        code,
        len(body),
        body,
    )


@contextlib.contextmanager
def answering(answer):
    """Yield a front before a server that gives every request the same answer, and what it was asked for."""
    targets, ended = [], threading.Event()

    def serve(listening):
        listening.settimeout(0.05)
        while not ended.is_set():
            with contextlib.suppress(OSError), listening.accept()[0] as link:
                while head := link.recv(65536):
                    targets.append(head.partition(b" HTTP/1.1")[0].decode())
                    link.sendall(answer)

    with scripted() as (listening, front):
        thread = threading.Thread(target=serve, args=(listening,))
        thread.start()
        with front:
            yield front, targets
        ended.set()
        thread.join()


@pytest.mark.parametrize("code", [200, 422])
@pytest.mark.parametrize("body", BODIES, ids=lambda body: repr(body[:48]))
def test_whatever_json_comes_reaches_the_client(body, code, caplog):
    caplog.set_level(logging.ERROR)
    with answering(with_length(body, code)) as (front, _):
        client = Client(front, "anna")
        answers = []
        for method, path in [
            ("GET", MAPS),
            ("POST", MAPS),
            ("PUT", f"{MAPS}/a"),
            ("DELETE", f"{MAPS}/a"),
            ("DELETE", MAPS),
        ]:
            answer = client.send(method, path, config_map("a") if method in {"POST", "PUT"} else None)
            answers.append((answer.status, answer.read()))
        front.call(lambda: front.journal.all)
        client.link.close()

    assert answers == [(code, body)] * 5
    assert caplog.records == []


@pytest.mark.parametrize("body", BODIES, ids=lambda body: repr(body[:48]))
def test_a_read_of_the_past_is_answered_or_cut_off(body, caplog):
    caplog.set_level(logging.ERROR)
    with answering(with_length(body)) as (front, _):
        front.faults.add(Stale(1))
        client = Client(front, "anna")
        with contextlib.suppress(ConnectionError):
            client.ask("GET", f"{MAPS}/a")
        client.link.close()

    assert caplog.records == []


def test_what_is_no_json_is_told_before_anything_is_written():
    with answering(with_length(b"{")) as (front, targets):
        client = Client(front, "anna")
        code, status = client.ask("PUT", f"{MAPS}/a", config_map("a"))
        client.link.close()

    assert (code, status["message"].rpartition(": ")[2]) == (503, f"{MAPS}/a is no JSON")
    assert targets == [f"GET {MAPS}/a"]


def test_a_post_whose_answer_is_lost_is_sent_once():
    with scripted() as (listening, front), front:
        client = Client(front, "anna")
        client.link.request("GET", "/version", headers=client.headers)
        link = answered(listening, with_length(b"{}"))
        client.link.getresponse().read()
        client.link.request("POST", MAPS, b"{}", client.headers)
        posted = link.recv(65536)
        link.close()
        answer = client.link.getresponse()
        document = json.loads(answer.read())
        listening.settimeout(0.05)
        with pytest.raises(TimeoutError):
            listening.accept()
        client.link.close()

    assert posted.startswith(b"POST ")
    assert (answer.status, document["message"].rpartition(": ")[2]) == (503, "EOF")


def test_requests_of_several_clients_share_a_connection(front, behind):
    clients = [Client(front, name) for name in ("anna", "bert", "carl")]
    for client in clients:
        client.ask("GET", MAPS)
        client.link.close()

    assert behind.call(lambda: len(behind.listener.connections)) == 1


def test_another_protocol_that_was_not_asked_for_is_not_spoken():
    switching = b"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\nhello"
    with answering(switching) as (front, _):
        client = Client(front, "anna")
        code, status = client.ask("GET", MAPS)
        client.link.close()

    assert (code, "another protocol" in status["message"]) == (503, True)


def test_an_answer_that_is_too_large_is_told(monkeypatch):
    monkeypatch.setattr("fakecluster.server.outgoing.round_tripper.MAX_ANSWER_BYTES", 10)
    with answering(with_length(b"x" * 11)) as (front, _):
        client = Client(front, "anna")
        code, status = client.ask("GET", MAPS)
        client.link.close()

    assert (code, "response body too large: limit is 10 bytes" in status["message"]) == (503, True)


FRAMES = [
    b"[]\n",
    b"1\n",
    b'{"type":[],"object":[]}\n',
    b'{"object":{"rows":[1]}}\n',
    b'{"object":{"rows":{}}}\n',
    b'{"object":{"metadata":{"resourceVersion":"%b","annotations":[]}}}\n' % (b"9" * 5000),
    b"\xff\n",
    DEEP + b"\n",
    '{"object":{"metadata":{"resourceVersion":"²"}}}\n'.encode(),
]


@pytest.mark.parametrize("frame", FRAMES, ids=lambda frame: repr(frame[:48]))
def test_whatever_frame_comes_reaches_the_watcher(frame, caplog):
    caplog.set_level(logging.ERROR)
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    with answering(head + b"%x\r\n%b\r\n0\r\n\r\n" % (len(frame), frame)) as (front, _):
        front.faults.add(Repeat())
        client = Client(front, "anna")
        answer = client.send("GET", f"{MAPS}?watch=1&resourceVersion=1").read()
        client.link.close()

    assert answer == frame * 2
    assert caplog.records == []


@pytest.mark.parametrize("frame", FRAMES, ids=lambda frame: repr(frame[:48]))
def test_a_frame_that_is_no_event_has_no_revision(frame):
    assert read_event(frame).revision == 0


def test_lines_are_joined_from_pieces():
    lines = LineJoiner()

    assert [lines.feed(piece) for piece in (b"a", b"b\nc\nd", b"", b"e\n", b"f")] == [
        [],
        [b"ab\n", b"c\n"],
        [],
        [b"de\n"],
        [],
    ]
    assert lines.rest == b"f"


def test_a_frame_without_end_is_not_kept(monkeypatch):
    monkeypatch.setattr(frames, "MAX_FRAME_BYTES", 10)
    lines = LineJoiner()
    lines.feed(b"x" * 10)

    with pytest.raises(NoAnswerError, match="a frame of a watch is longer than 10 bytes"):
        lines.feed(b"x")


def test_no_head_is_waited_for_without_end(monkeypatch):
    monkeypatch.setattr("fakecluster.front.upstream.ANSWER_TIMEOUT_SECONDS", 0.05)
    with scripted() as (listening, front), front:
        client = Client(front, "anna")
        client.link.request("GET", "/version", headers=client.headers)
        with listening.accept()[0] as link:
            link.sendall(b"HTTP/1.1 103 Early Hints\r\n\r\n")
            answer = client.link.getresponse()
            document = json.loads(answer.read())
        client.link.close()

    assert (answer.status, document["message"].rpartition(": ")[2]) == (
        503,
        "timeout awaiting response headers",
    )


def test_headers_are_looked_through_once_however_many_there_are(monkeypatch):
    """With a look for each header, 60 000 of them would keep a front busy for minutes."""
    searched = []
    plain = ArrivedRequest.header
    monkeypatch.setattr(
        ArrivedRequest, "header", lambda arrived, name: searched.append(name) or plain(arrived, name)
    )
    headers = tuple((f"x-{number}", "a") for number in range(100))
    arrived = ArrivedRequest(method="GET", target="/version", headers=headers)
    ask = FrontRequest(arrived=arrived, info=parse("GET", "/version", ()), user=User(name="u"), audit_id="a")
    upstream = SimpleNamespace(url="https://127.0.0.1:1", identity={}, origin="", context=None)

    sent = list(UpstreamServer(upstream, {})._headers(ask))

    assert (len(sent) > 100, len(searched) < 5) == (True, True)

"""Which connections are kept for the next request, and which requests are sent twice."""

from __future__ import annotations

import asyncio

import pytest

from fakecluster.server.outgoing.answer import NoAnswerError
from fakecluster.server.outgoing.round_tripper import OutgoingRequest

from .scripted import CHUNKED, CUT, OK, ask, talked


def twice(method="GET", **headers):
    """Return a talk of a GET and then another request, which tells the failure of the second."""

    async def talk(scripted, tripper):
        await ask(scripted, tripper)
        try:
            return await ask(scripted, tripper, method, "/second", **headers)
        except NoAnswerError as error:
            return str(error)

    return talk


@pytest.mark.parametrize(
    "answer",
    [OK, CHUNKED + b"2\r\nok\r\n0\r\n\r\n", b"HTTP/1.1 204 No Content\r\n\r\n"],
    ids=["length", "chunks", "no-content"],
)
def test_a_connection_is_kept_for_the_next_request(answer):
    server, _ = talked([answer, answer], twice())

    assert [number for number, _ in server.requests] == [1, 1]


@pytest.mark.parametrize(
    "answer",
    [
        OK.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"),
        OK.replace(b"1.1", b"1.0"),
        OK + b"HTTP/1.1 500 X\r\nContent-Length: 0\r\n\r\n",
        OK + b"more",
    ],
    ids=["close", "http-1.0", "second-answer", "body-after-the-end"],
)
def test_a_connection_is_not_kept(answer):
    server, second = talked([answer, OK], twice())

    assert ([number for number, _ in server.requests], second) == ([1, 2], b"ok")


def test_an_answer_that_nothing_asked_for_is_not_that_of_the_next_request():
    async def talk(scripted, tripper):
        first = await tripper.send(scripted.target, OutgoingRequest(method="GET", path="/", headers=()))
        link = first.link
        await tripper.whole(first)
        # What comes while the connection is idle.
        link.reader.feed_data(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged")
        return await ask(scripted, tripper)

    server, second = talked([OK, OK], talk)

    assert (second, len(server.connections)) == (b"ok", 2)


def test_a_post_whose_connection_ends_is_sent_once():
    server, replies = talked([OK, CUT, OK], twice("POST"))

    assert replies == "EOF"
    assert server.requests == [(1, b"GET /"), (1, b"POST /second")]


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE"])
def test_no_other_write_is_sent_twice(method):
    server, replies = talked([OK, CUT, OK], twice(method))

    assert (replies, len(server.requests)) == ("EOF", 2)


@pytest.mark.parametrize(
    ("method", "headers"),
    [("GET", {}), ("HEAD", {}), ("POST", {"Idempotency_Key": "1"}), ("PUT", {"X_Idempotency_Key": "1"})],
    ids=["get", "head", "key", "older-key"],
)
def test_what_may_be_repeated_is_sent_again_on_a_new_connection(method, headers):
    server, _ = talked([OK, CUT, OK], twice(method, **headers))

    assert [number for number, _ in server.requests] == [1, 1, 2]


def test_nothing_is_sent_again_on_a_new_connection_that_ends():
    server, replies = talked([CUT, OK], lambda scripted, tripper: _error_of(ask(scripted, tripper)))

    assert (replies, len(server.requests)) == ("EOF", 1)


def test_nothing_is_sent_again_once_an_answer_has_begun():
    server, replies = talked([OK, b"HTTP/1.1 200 OK\r\n" + CUT, OK], twice())

    assert replies == "net/http: HTTP/1.x transport connection broken: unexpected EOF"
    assert len(server.requests) == 2


async def _error_of(asking):
    try:
        return await asking
    except NoAnswerError as error:
        return str(error)


def test_a_connection_that_has_ended_meanwhile_is_not_used_for_a_post():
    async def talk(scripted, tripper):
        await ask(scripted, tripper)
        scripted.cut()
        await scripted.idle()
        return await ask(scripted, tripper, "POST")

    server, second = talked([OK, OK], talk)

    assert (second, server.requests) == (b"ok", [(1, b"GET /"), (2, b"POST /")])


def test_idle_connections_are_closed_after_a_while():
    async def talk(scripted, tripper):
        await ask(scripted, tripper)
        await scripted.idle()
        return await ask(scripted, tripper)

    server, _ = talked([OK, OK], talk, idle_seconds=0.0)

    assert len(server.connections) == 2


def test_so_many_connections_are_kept_and_no_more(monkeypatch):
    monkeypatch.setattr("fakecluster.server.outgoing.round_tripper.IDLE_FOR_ONE", 2)

    async def talk(scripted, tripper):
        for _ in range(2):
            await asyncio.gather(*(ask(scripted, tripper) for _ in range(3)))

    server, _ = talked([OK] * 6, talk)

    assert len(server.connections) == 4


def test_the_oldest_connection_gives_way_when_there_are_so_many_in_all(monkeypatch):
    monkeypatch.setattr("fakecluster.server.outgoing.round_tripper.MAX_IDLE_CONNECTIONS", 1)

    async def talk(scripted, tripper):
        for _ in range(2):
            await asyncio.gather(*(ask(scripted, tripper) for _ in range(2)))

    server, _ = talked([OK] * 4, talk)

    assert len(server.connections) == 3


def test_a_request_that_ends_after_the_end_leaves_no_connection_behind():
    async def talk(scripted, tripper):
        answer = await tripper.send(scripted.target, OutgoingRequest(method="GET", path="/", headers=()))
        tripper.close()
        await tripper.whole(answer)
        return answer.link.writer.is_closing()

    assert talked([OK], talk)[1]


def test_a_header_that_would_be_two_is_not_sent():
    sent = OutgoingRequest(
        method="GET", path="/", headers=(("X-Remote-User", "a\r\nX-Remote-Group: system:masters"),)
    )

    with pytest.raises(NoAnswerError, match='invalid header field value for "X-Remote-User"'):
        sent.encode()

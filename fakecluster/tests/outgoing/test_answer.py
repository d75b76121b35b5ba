"""Answers of servers that do not keep to the rules: how long they may be, and where they end."""

from __future__ import annotations

import pytest

from fakecluster.server.outgoing.answer import HEAD_LIMIT, NoAnswerError
from fakecluster.server.outgoing.round_tripper import OutgoingRequest

from .scripted import CHUNKED, CUT, OK, ask, talked

TOO_LONG = "net/http: HTTP/1.x transport connection broken: net/http: server response headers exceeded 1048576 bytes; aborted"
NON_DATA = "chunked encoding contains too much non-data"
LINE = b"X-A: " + b"a" * 1000 + b"\r\n"
LINES = LINE * (HEAD_LIMIT // len(LINE) + 70)
EARLY = b"HTTP/1.1 103 Early Hints\r\nX-A: 1\r\n\r\n"


def parse(script, method="GET"):
    """Return the body of an answer, or why there is none."""

    async def talk(scripted, tripper):
        try:
            return await ask(scripted, tripper, method)
        except NoAnswerError as error:
            return str(error)

    return talked([script], talk)[1]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        pytest.param(b"HTTP/1.1 200 OK\r\n" + LINES, TOO_LONG, id="head"),
        pytest.param(EARLY * 40_000, TOO_LONG, id="heads-that-only-go-before"),
        pytest.param(CHUNKED + b"2;" + b"a" * len(LINES), NON_DATA, id="extension-of-a-chunk"),
        pytest.param(CHUNKED + b"2\r\nok\r\n0\r\n" + LINES, NON_DATA, id="trailers"),
        pytest.param(
            CHUNKED + (b"1;" + b"a" * 500 + b"\r\nx\r\n") * 3000, NON_DATA, id="extensions-of-small-chunks"
        ),
        pytest.param(CHUNKED + b"x\r\n", "malformed chunked encoding", id="no-length-of-a-chunk"),
        pytest.param(OK[:-1] + CUT, "unexpected EOF", id="cut-short"),
        pytest.param(CHUNKED + b"2\r\nok\r\n" + CUT, "unexpected EOF", id="cut-between-chunks"),
        pytest.param(
            b"x" * 1000 + b"\r\n",
            f'net/http: HTTP/1.x transport connection broken: malformed HTTP response "{"x" * 256}"',
            id="no-http",
        ),
    ],
)
def test_an_answer_that_is_none_is_told(answer, expected):
    assert parse(answer) == expected


@pytest.mark.parametrize(
    ("answer", "method"),
    [
        pytest.param(EARLY * 2000 + OK, "GET", id="early-hints"),
        pytest.param(CHUNKED + b"1\r\no\r\n1\r\nk\r\n0\r\nX-T: 1\r\n\r\n", "GET", id="trailers"),
        pytest.param(OK.replace(b"Content-Length: 2\r\n", b"") + CUT, "GET", id="until-the-end"),
        pytest.param(
            OK + b"HTTP/1.1 500 X\r\nContent-Length: 1\r\n\r\nx", "GET", id="another-answer-behind-it"
        ),
        pytest.param(
            OK.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n") + b"more", "GET", id="more-behind-it"
        ),
    ],
)
def test_an_answer_is_read_to_its_end_and_no_further(answer, method):
    assert parse(answer, method) == b"ok"


def test_small_chunks_are_not_too_much_framing():
    body = b"x" * 200_000

    assert parse(CHUNKED + b"1\r\nx\r\n" * len(body) + b"0\r\n\r\n") == body


def test_the_answer_to_a_head_has_no_body():
    assert parse(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n", "HEAD") == b""


def test_a_code_that_goes_before_is_not_the_answer():
    async def talk(scripted, tripper):
        answer = await tripper.send(scripted.target, OutgoingRequest(method="GET", path="/", headers=()))
        await tripper.whole(answer)
        return answer.code, answer.headers

    assert talked([EARLY + OK], talk)[1] == (200, [("content-length", "2")])


def test_a_trailer_is_no_header():
    async def talk(scripted, tripper):
        answer = await tripper.send(scripted.target, OutgoingRequest(method="GET", path="/", headers=()))
        return await tripper.whole(answer), [name for name, _ in answer.headers]

    script = CHUNKED + b"2\r\nok\r\n0\r\nX-Trailer: 1\r\n\r\n"

    assert talked([script], talk)[1] == (b"ok", ["transfer-encoding"])


@pytest.mark.parametrize("bound", ["MAX_ANSWER_BYTES", "IN_ALL"])
def test_an_answer_that_is_too_large_is_not_read(monkeypatch, bound):
    monkeypatch.setattr(f"fakecluster.server.outgoing.round_tripper.{bound}", 1)

    assert parse(OK).startswith("http: response body too large: limit is ")

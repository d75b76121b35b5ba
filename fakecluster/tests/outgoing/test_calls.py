"""Calls of webhooks: redirects and failures in the words of the
real server's client, as recorded from one (FK-306, FK-309).
"""

from __future__ import annotations

import gzip

import pytest

from fakecluster.api.outcome import Call, CallResult
from fakecluster.api.service_address import Address
from fakecluster.server.outgoing.calls import CallInProgress, next_call

from .scripted import CUT, OK, talked

UNREAD = "unexpected error when reading response body. Please retry. Original error: "


def make_call(script, timeout=5.0, longest=0):
    """Return the server, and what came of a call to it; HERE in the error stands for its address."""

    async def talk(scripted, tripper):
        url = f"http://127.0.0.1:{scripted.port}/hook?timeout=5s"
        call = Call(method="POST", url=url, body=b"{}", timeout=timeout, follow=True, longest=longest)
        return await CallInProgress(call, tripper).run()

    server, result = talked(script, talk)
    return server, result, result.error.replace(f"127.0.0.1:{server.port}", "HERE")


def to(location, code=307):
    return b"HTTP/1.1 %d X\r\nLocation: %b\r\nContent-Length: 0\r\n\r\n" % (code, location)


@pytest.mark.parametrize(
    ("location", "error"),
    [
        ("ftp://127.0.0.1:9/ok", 'Post "ftp://127.0.0.1:9/ok": unsupported protocol scheme "ftp"'),
        ("file:///etc/passwd", 'Post "file:///etc/passwd": unsupported protocol scheme "file"'),
        ("https:///x", 'Post "https:///x": http: no Host in request URL'),
        ("http://127.0.0.1:99999/", 'Post "http://127.0.0.1:99999/": dial tcp: address 99999: invalid port'),
        (
            "http://[::1/",
            'Post "http://HERE/hook?timeout=5s": failed to parse Location header "http://[::1/": parse "http://[::1/": missing \']\' in host',
        ),
    ],
    ids=["ftp", "file", "no-host", "port", "bracket"],
)
def test_a_redirect_that_leads_nowhere(location, error):
    assert make_call([to(location.encode())])[2] == error


def test_a_redirect_is_followed_on_the_same_connection():
    server, result, _ = make_call([to(b"/o k"), OK])

    assert (result.code, result.body) == (200, b"ok")
    assert server.requests == [(1, b"POST /hook?timeout=5s"), (1, b"POST /o%20k")]


@pytest.mark.parametrize(
    ("location", "address"),
    [
        ("http://hook.a.svc/other", Address("127.0.0.1", 9, is_configured=True)),
        ("http://evil.example/", None),
    ],
    ids=["same host", "another host"],
)
def test_a_redirect_to_another_host_loses_the_address_that_was_given(location, address):
    call = Call(
        method="POST",
        url="http://hook.a.svc/hook",
        body=b"",
        timeout=1.0,
        address=Address("127.0.0.1", 9, is_configured=True),
    )
    answer = CallResult(code=307, headers=(("location", location),))

    assert next_call(call, answer).address == address


def test_redirects_end():
    server, _, error = make_call([to(b"/hook")] * 10)

    assert error == 'Post "http://HERE/hook": stopped after 10 redirects'
    assert len(server.requests) == 10


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        pytest.param(CUT, 'Post "http://HERE/hook?timeout=5s": EOF', id="nothing"),
        pytest.param(OK[:-1] + CUT, f"{UNREAD}unexpected EOF", id="half-a-body"),
        pytest.param(
            b"HTTP/1.1 200 X\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\nok",
            f"{UNREAD}gzip: invalid header",
            id="no-gzip",
        ),
    ],
)
def test_an_answer_that_cannot_be_read(answer, error):
    assert make_call([answer])[2] == error


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (b"", 'Post "http://HERE/hook?timeout=5s": context deadline exceeded'),
        (OK[:-1], f"{UNREAD}context deadline exceeded"),
    ],
    ids=["no-head", "half-a-body"],
)
def test_an_answer_that_takes_too_long(answer, error):
    assert make_call([answer], timeout=0.05)[2] == error


def test_a_packed_answer_does_not_unpack_without_bound(monkeypatch):
    monkeypatch.setattr("fakecluster.server.outgoing.calls.MAX_ANSWER_BYTES", 1000)
    body = gzip.compress(b" " * 1001)
    head = b"HTTP/1.1 200 X\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(body)

    assert make_call([head + body])[2] == f"{UNREAD}http: response body too large: limit is 1000 bytes"


def test_an_answer_is_no_longer_than_its_call_allows():
    assert make_call([OK], longest=1)[2] == f"{UNREAD}http: response body too large: limit is 1 bytes"


@pytest.mark.parametrize(
    "seconds", ["9" * 5000, "²", "-1", "1e9"], ids=["digits", "other-digits", "negative", "exponent"]
)
def test_a_pause_that_is_no_number_is_not_kept(seconds):
    answer = f"HTTP/1.1 503 X\r\nRetry-After: {seconds}\r\nContent-Length: 0\r\n\r\n".encode()

    assert make_call([answer])[1].code == 503

"""Heads of requests are read strictly; answers have what frames them and nothing of their own."""

import pytest

from reference_impl.runtime.serving.exchange import Response
from reference_impl.runtime.serving.framing import PIECE_BYTES, FramingError, RequestHead, answer, chunk_size


def head(*lines, start="GET / HTTP/1.1", host="a"):
    hosts = [f"Host: {host}"] if host else []
    return RequestHead.parse("\r\n".join([start, *hosts, *lines, "", ""]).encode("latin-1"))


def test_a_head_is_handed_on_as_it_came():
    parsed = head(
        "X-Remote-User: alice",
        "x-remote-group:  b \t",
        "X-Remote-Group: c",
        start="BREW /a%2Fb//?x=%zz HTTP/1.1",
    )

    assert (parsed.method, parsed.target) == ("BREW", "/a%2Fb//?x=%zz")
    assert parsed.headers == (
        ("host", "a"),
        ("x-remote-user", "alice"),
        ("x-remote-group", "b"),
        ("x-remote-group", "c"),
    )


@pytest.mark.parametrize(
    ("line", "length"),
    [
        pytest.param("X: y", 0, id="no body"),
        pytest.param("Content-Length: 7", 7, id="length"),
        pytest.param("Transfer-Encoding: Chunked", None, id="chunks"),
    ],
)
def test_how_a_body_is_framed(line, length):
    assert head(line).length == length


@pytest.mark.parametrize(
    ("start", "line", "closes"),
    [
        pytest.param("GET / HTTP/1.1", "X: y", False, id="kept"),
        pytest.param("GET / HTTP/1.1", "Connection: x, Close", True, id="closed"),
        pytest.param("GET / HTTP/1.0", "X: y", True, id="old"),
    ],
)
def test_when_a_connection_ends(start, line, closes):
    assert head(line, start=start).closes is closes


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        pytest.param({"start": "GET  / HTTP/1.1"}, 400, id="two spaces"),
        pytest.param({"start": "GET / HTTP/2.0"}, 400, id="another version"),
        pytest.param({"start": "GET /\tx HTTP/1.1"}, 400, id="control character in the target"),
        pytest.param({"host": ""}, 400, id="no host"),
        pytest.param({"line": "Host: b"}, 400, id="two hosts"),
        pytest.param({"line": " folded"}, 400, id="folded header"),
        pytest.param({"line": "X : y"}, 400, id="space before the colon"),
        pytest.param({"line": "X: a\rb"}, 400, id="bare carriage return"),
        pytest.param({"line": "X: a\nContent-Length: 3"}, 400, id="bare line feed"),
        pytest.param({"line": "X: a\0"}, 400, id="NUL"),
        pytest.param({"line": "Content-Length: +1"}, 400, id="signed length"),
        pytest.param({"line": "Content-Length: 1\r\nContent-Length: 1"}, 400, id="two lengths"),
        pytest.param(
            {"line": "Content-Length: 1\r\nTransfer-Encoding: chunked"}, 400, id="length and chunks"
        ),
        pytest.param({"line": "Transfer-Encoding: gzip, chunked"}, 400, id="unknown coding"),
        pytest.param({"line": "Expect: more"}, 417, id="unknown expectation"),
    ],
)
def test_a_head_that_can_be_read_in_two_ways_is_refused(lines, code):
    started = {name: text for name, text in lines.items() if name != "line"}

    with pytest.raises(FramingError) as refused:
        head(lines.get("line", "X: y"), **started)

    assert refused.value.code == code


@pytest.mark.parametrize(
    "line", [pytest.param(line, id=repr(line)) for line in (b"\r\n", b"-1\r\n", b"0x1\r\n", b"1 2\r\n")]
)
def test_a_chunk_has_a_hexadecimal_size(line):
    with pytest.raises(FramingError):
        chunk_size(line)


def test_a_chunk_may_have_an_extension():
    assert chunk_size(b"1A ;name=value\r\n") == 26


def lines_of(raw):
    return raw.partition(b"\r\n\r\n")[0].decode().split("\r\n")


@pytest.mark.parametrize(
    ("response", "method", "closes", "lines", "body"),
    [
        pytest.param(
            Response(code=200, headers=(("x-B", "1"), ("x-a", "2"), ("x-B", "3")), body=b"hi"),
            "GET",
            False,
            ["HTTP/1.1 200 OK", "x-B: 1", "x-a: 2", "x-B: 3", "Content-Length: 2"],
            b"hi",
            id="headers in their order",
        ),
        pytest.param(
            Response(code=404, body=b"hi"),
            "HEAD",
            False,
            ["HTTP/1.1 404 Not Found", "Content-Length: 2"],
            b"",
            id="HEAD",
        ),
        pytest.param(
            Response(code=204), "GET", True, ["HTTP/1.1 204 No Content", "Connection: close"], b"", id="204"
        ),
        pytest.param(
            Response(code=299, headers=(("content-length", "0"),)),
            "GET",
            False,
            ["HTTP/1.1 299 status code 299", "content-length: 0"],
            b"",
            id="unknown code, length given",
        ),
        pytest.param(
            Response(code=200, headers=(("Location", "/a\r\nSet-Cookie: b"),)),
            "GET",
            False,
            ["HTTP/1.1 200 OK", "Location: /a  Set-Cookie: b", "Content-Length: 0"],
            b"",
            id="line break in a value",
        ),
    ],
)
def test_an_answer_has_what_frames_it(response, method, closes, lines, body):
    raw = b"".join(answer(response, method=method, closes=closes))

    assert [line for line in lines_of(raw) if not line.startswith("Date: ")] == lines
    assert raw.partition(b"\r\n\r\n")[2] == body


def test_an_answer_has_a_date_once():
    with_own, without = (
        b"".join(answer(Response(code=200, headers=headers), method="GET", closes=False))
        for headers in ((("date", "then"),), ())
    )

    assert "date: then" in lines_of(with_own)
    assert [raw.lower().count(b"\r\ndate: ") for raw in (with_own, without)] == [1, 1]


@pytest.mark.parametrize("size", [0, 1, PIECE_BYTES, PIECE_BYTES + 1, 3 * PIECE_BYTES])
def test_a_long_answer_is_sent_in_pieces_vis_958(size):
    body = bytes(number % 251 for number in range(size))
    pieces = list(answer(Response(code=200, body=body), method="GET", closes=False))

    assert b"".join(pieces).partition(b"\r\n\r\n")[2] == body
    assert max(map(len, pieces)) < PIECE_BYTES + 1000

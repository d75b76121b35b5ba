"""Laws of framing: requests are the same however their bytes are split,
and none is made of anything else (FK-007).
"""

from hypothesis import given
from hypothesis import strategies as st

from fakecluster.server.http.message import ArrivedRequest
from fakecluster.server.http.request_reader import RequestReader
from fakecluster.tests.properties.writes import LAWS
from fakecluster.tests.raw import request

OFFERS = st.sampled_from([(), (b"Connection: Upgrade", b"Upgrade: h2c"), (b"Connection: keep-alive",)])
BODIES = st.one_of(
    st.binary(max_size=40), st.just(request("DELETE", "/everything", b"Content-Length: 3") + b"abc")
)
TRAILERS = st.sampled_from([b"", b"Authorization: Bearer x\r\n", b"X: " + b"y" * 300 + b"\r\n"])
SPLITS = st.lists(st.integers(1, 60), min_size=1, max_size=9)


@st.composite
def messages(draw):
    """Method, body, and both as bytes on the wire."""
    method = draw(st.sampled_from(["GET", "POST", "PATCH", "CONNECT"]))
    target = "x:443/path" if method == "CONNECT" else "/path"
    offer, body = draw(OFFERS), draw(BODIES)
    if draw(st.booleans()):
        return method, body, request(method, target, *offer, body=body)
    at = draw(st.integers(0, len(body)))
    chunks = b"".join(b"%x\r\n%b\r\n" % (len(chunk), chunk) for chunk in (body[:at], body[at:]) if chunk)
    framed = chunks + b"0\r\n" + draw(TRAILERS) + b"\r\n"
    return method, body, request(method, target, *offer, b"Transfer-Encoding: chunked", body=framed)


def read(pieces):
    """Return what is read, as a connection reads it: the rest again behind each offer."""
    reader = RequestReader(lambda: 0.0)
    for piece in pieces:
        rest = memoryview(piece)
        while rest:
            rest = reader.feed(rest)
    return list(reader.complete)


def split(data, lengths):
    """Cut bytes into pieces of lengths that come round again."""
    at = number = 0
    while at < len(data):
        length = lengths[number % len(lengths)]
        yield data[at : at + length]
        at, number = at + length, number + 1


@LAWS
@given(st.lists(messages(), min_size=1, max_size=5), SPLITS)
def test_requests_are_the_same_however_they_are_split(sent, lengths):
    requests = read(split(b"".join(wire for _, _, wire in sent), lengths))

    assert [(request.method, request.target, request.body) for request in requests] == [
        (method, "/path", body) for method, body, _ in sent
    ]


@LAWS
@given(st.binary(max_size=300), SPLITS)
def test_no_bytes_make_it_fail_and_nothing_follows_a_refusal(data, lengths):
    requests = read(split(data, lengths))

    assert all(isinstance(request, ArrivedRequest) for request in requests[:-1])

"""Where a request ends: nothing in a body, a trailer or an offer
of another protocol is ever read as another request (FK-007).
"""

from contextlib import suppress

import pytest

from fakecluster import FakeCluster
from fakecluster.front import Front
from fakecluster.recording.upstream import Upstream
from fakecluster.server.http.request_reader import MAX_HEAD_BYTES
from fakecluster.tests.raw import codes, connect, exchange, request, rest

MAPS = "/api/v1/namespaces/default/configmaps"
OFFER = (b"Connection: Upgrade", b"Upgrade: h2c")
CHUNKED = b"Transfer-Encoding: chunked"
JSON = b"Content-Type: application/json"


@pytest.fixture(scope="module")
def cluster():
    with FakeCluster(tls=False, controllers="none", authorization="rbac") as cluster:
        yield cluster


@pytest.fixture(scope="module")
def front(cluster):
    with Front(Upstream(url=cluster.url, token=lambda: f"Bearer {cluster.token()}")) as front:
        yield front


@pytest.fixture(params=["server", "front"])
def served(request):
    """A server's URL, and the header by which it knows its administrator."""
    cluster = request.getfixturevalue("cluster" if request.param == "server" else "front")
    token = cluster.token() if request.param == "server" else cluster.token("anna")
    return cluster.url, b"Authorization: Bearer " + token.encode()


def last(*headers):
    return request("GET", "/livez", *headers, b"Connection: close")


def config_map(name):
    return b'{"metadata":{"name":"%b"}}' % name.encode()


def chunks(body, trailers=b""):
    return b"%x\r\n%b\r\n0\r\n%b\r\n" % (len(body), body, trailers)


@pytest.mark.parametrize(
    ("method", "target", "code"),
    [pytest.param("POST", MAPS, 400, id="upgrade"), pytest.param("CONNECT", "x:443", 404, id="connect")],
)
@pytest.mark.parametrize("framing", ["length", "chunks"])
def test_a_body_is_no_request_whatever_its_head_offers(served, method, target, code, framing):
    url, admin = served
    inner = request("GET", "/readyz", admin)
    body, headers = (chunks(inner), (CHUNKED,)) if framing == "chunks" else (inner, ())

    answer = exchange(url, request(method, target, admin, JSON, *OFFER, *headers, body=body) + last(admin))

    assert codes(answer) == [code, 200]


@pytest.mark.parametrize("framing", ["length", "chunks"])
def test_a_body_behind_an_offer_is_read(served, framing):
    url, admin = served
    body = config_map(f"offered-{framing}-{url.partition(':')[0]}")
    body, headers = (chunks(body), (CHUNKED,)) if framing == "chunks" else (body, ())
    sent = request("POST", MAPS, admin, JSON, *OFFER, *headers, body=body)

    assert codes(exchange(url, *(sent[at : at + 1] for at in range(len(sent))), last(admin))) == [201, 200]


@pytest.mark.parametrize("size", [0, 1], ids=["empty", "one byte"])
def test_an_offer_with_a_length_does_not_end_the_connection(served, size):
    url, admin = served
    sent = request("GET", "/readyz", admin, *OFFER, b"Content-Length: %d" % size) + b" " * size

    assert codes(exchange(url, sent + last(admin))) == [200, 200]


def test_a_framing_that_nobody_knows_is_refused_behind_an_offer_too(served):
    url, admin = served
    sent = request("POST", MAPS, admin, *OFFER, b"Transfer-Encoding: gzip") + request("GET", "/readyz", admin)

    assert codes(exchange(url, sent)) == [400]


CONNECTS = [
    pytest.param("x:443", 404, id="a host"),
    pytest.param("x:99999", 404, id="a port that is too great"),
    pytest.param("x:443/readyz", 200, id="a path behind a host"),
    pytest.param("/readyz", 200, id="a path"),
    pytest.param("/api", 405, id="a path that others may read"),
    pytest.param("[", 400, id="a bracket"),
    pytest.param("[::1", 400, id="half an address"),
    pytest.param("x:abc", 400, id="a port that is no number"),
    pytest.param("%zz:1", 400, id="a wrong escape"),
]


@pytest.mark.parametrize(("target", "code"), CONNECTS)
def test_a_connect_is_answered_as_any_other_request(cluster, target, code):
    admin = b"Authorization: Bearer " + cluster.token().encode()
    following = [200] if code != 400 else []

    assert codes(exchange(cluster.url, request("CONNECT", target, admin) + last(admin))) == [code, *following]


@pytest.mark.parametrize("target", ["http://[", "http://[::1/x"], ids=str)
def test_an_address_that_is_none_is_refused(served, target):
    url, admin = served

    assert codes(exchange(url, request("GET", target, admin))) == [400]


def test_methods_of_other_protocols_are_methods(cluster):
    sent = request("SETUP", "/readyz", b"Connection: close")

    assert codes(exchange(cluster.url, sent)) == [403]


@pytest.mark.parametrize("trailer", ["authorization", "impersonation"])
def test_a_trailer_is_no_header(served, trailer):
    url, admin = served
    body = config_map(f"trailing-{trailer}-{url.partition(':')[0]}")
    late, early, code = {
        "authorization": (admin, (), 403 if url.startswith("http:") else 401),
        "impersonation": (b"Impersonate-User: nobody", (admin,), 201),
    }[trailer]
    sent = request("POST", MAPS, *early, JSON, CHUNKED, body=chunks(body, late + b"\r\n"))

    answer = exchange(url, sent + request("GET", MAPS, b"Connection: close"))

    assert codes(answer) == [code, 403 if url.startswith("http:") else 401]


@pytest.mark.parametrize(
    "endless",
    [
        pytest.param(b"2\r\n{}\r\n0\r\nX: " + b"y" * MAX_HEAD_BYTES, id="one trailer"),
        pytest.param(b"2\r\n{}\r\n0\r\n" + b"A: b\r\n" * (MAX_HEAD_BYTES // 6 + 1), id="many trailers"),
        pytest.param(b"2;" + b"e" * MAX_HEAD_BYTES, id="an extension of a chunk"),
    ],
)
def test_what_is_neither_head_nor_body_has_the_limit_of_a_head(served, endless):
    url, admin = served
    with connect(url) as client:
        client.sendall(request("POST", MAPS, admin, CHUNKED))
        with suppress(ConnectionError):  # the answer is given before everything is sent
            client.sendall(endless + b"x" * 512 * 1024)
        answer = rest(client)

    assert codes(answer) in ([431], [])


@pytest.mark.parametrize("offer", [(), OFFER], ids=["plain", "upgrade"])
def test_any_number_of_requests_may_be_pipelined(cluster, offer):
    admin = b"Authorization: Bearer " + cluster.token().encode()
    many = request("GET", "/readyz", admin, *offer) * 1500

    assert codes(exchange(cluster.url, many + last(admin))) == [200] * 1501


def test_what_is_no_request_is_told_behind_the_answers_before_it(cluster):
    admin = b"Authorization: Bearer " + cluster.token().encode()

    assert codes(exchange(cluster.url, request("GET", "/readyz", admin) + b"nonsense\r\n\r\n")) == [200, 400]


def test_nothing_behind_the_last_request_is_read(cluster):
    admin = b"Authorization: Bearer " + cluster.token().encode()

    assert codes(exchange(cluster.url, last(admin) + request("GET", "/readyz", admin))) == [200]

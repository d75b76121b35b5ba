"""HTTP/1.1 as it arrives: good, odd and broken (FK-007, FK-009, FK-013, S4)."""

from __future__ import annotations

import re
import socket
import ssl

import pytest

from fakecluster import FakeCluster

HOST = b"Host: x\r\n"
VERSION = b"GET /version HTTP/1.1\r\n" + HOST + b"\r\n"
CLOSE = b"GET /version HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n"
NAMESPACE = b'{"metadata":{"name":"%b"}}'


@pytest.fixture(scope="module")
def plain():
    with FakeCluster(tls=False, anonymous=True, controllers="none") as cluster:
        yield cluster


@pytest.fixture(scope="module")
def secure():
    with FakeCluster(controllers="none", anonymous=True) as cluster:
        yield cluster


def port_of(cluster):
    return int(cluster.url.rpartition(":")[2])


def exchange(cluster, *pieces):
    """Send pieces in separate packets and return everything that comes until the server closes."""
    with socket.create_connection(("127.0.0.1", port_of(cluster)), timeout=10) as client:
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for piece in pieces:
            client.sendall(piece)
        return b"".join(iter(lambda: client.recv(65536), b""))


def post(path, body, *headers):
    head = [f"POST {path} HTTP/1.1".encode(), b"Host: x", b"Connection: close", *headers]
    return b"\r\n".join(head) + b"\r\n\r\n" + body


MALFORMED = [
    pytest.param(b"hello\r\n\r\n", id="not http"),
    pytest.param(b"GET\r\n\r\n", id="no path"),
    pytest.param(b"GET / HTTP/1.1\r\nno colon\r\n\r\n", id="header without colon"),
    pytest.param(b"POST / HTTP/1.1\r\nContent-Length: many\r\n\r\n", id="length that is no number"),
    pytest.param(b"\x16\x03\x01\x02\x00\x01\x00", id="tls on a plain port"),
    pytest.param(b"GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n", id="path that cannot be decoded"),
    pytest.param(b"GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", id="two hosts"),
    pytest.param(b"GET /readyz\r\n\r\n", id="no version"),
]
REFUSED = [
    pytest.param(
        b"GET / HTTP/1.1\r\n\r\n", b"HTTP/1.1 400 Bad Request: missing required Host header\r\n", id="no host"
    ),
    pytest.param(
        b"GET / HTTP/2.0\r\nHost: x\r\n\r\n", b"HTTP/1.1 505 HTTP Version Not Supported", id="version 2"
    ),
    pytest.param(
        b"GET / HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n",
        b"HTTP/1.1 417 Expectation Failed\r\n",
        id="expectation",
    ),
]


@pytest.mark.parametrize(("sent", "expected"), REFUSED)
def test_what_no_server_of_go_takes_is_refused(plain, sent, expected):
    assert exchange(plain, sent).startswith(expected)


def test_a_whole_address_is_a_target(plain):
    sent = b"GET https://x/readyz HTTP/1.1\r\nConnection: close\r\n" + HOST + b"\r\n"
    assert exchange(plain, sent).endswith(b"ok")


def test_an_upgrade_that_is_not_wanted_does_not_end_the_connection(plain):
    offered = b"GET /readyz HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" + HOST + b"\r\n"
    assert exchange(plain, offered, CLOSE).count(b"HTTP/1.1 200 OK") == 2


@pytest.mark.parametrize("sent", MALFORMED)
def test_what_is_not_http_gets_400(plain, sent):
    answer = exchange(plain, sent)

    assert answer.startswith(b"HTTP/1.1 400 Bad Request\r\n")
    assert answer.endswith(b"400 Bad Request")


def test_one_connection_carries_many_requests(plain):
    assert exchange(plain, VERSION, VERSION, CLOSE).count(b"HTTP/1.1 200 OK") == 3


def test_pipelined_requests_are_answered_in_order(plain):
    answer = exchange(
        plain,
        b"GET /readyz HTTP/1.1\r\n" + HOST + b"\r\n" + b"GET /nope HTTP/1.1\r\n" + HOST + b"\r\n" + CLOSE,
    )

    assert re.findall(rb"HTTP/1.1 (\d+)", answer) == [b"200", b"404", b"200"]


def test_a_request_may_arrive_byte_by_byte(plain):
    assert exchange(plain, *(bytes([byte]) for byte in CLOSE)).startswith(b"HTTP/1.1 200 OK")


def test_a_chunked_body_is_put_together(plain):
    body = NAMESPACE % b"chunked"
    chunks = b"5\r\n" + body[:5] + b"\r\n%x\r\n" % len(body[5:]) + body[5:] + b"\r\n0\r\n\r\n"

    answer = exchange(plain, post("/api/v1/namespaces", chunks, b"Transfer-Encoding: chunked"))

    assert answer.startswith(b"HTTP/1.1 201 Created")


def test_a_client_that_expects_to_be_told_to_go_on_is_told_so(plain):
    body = NAMESPACE % b"expected"
    length = b"Content-Length: %d" % len(body)

    answer = exchange(plain, post("/api/v1/namespaces", b"", length, b"Expect: 100-continue"), body)

    assert answer.startswith(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created")


def test_a_body_above_the_limit_gets_413(plain):
    body = b"x" * (3 * 1024 * 1024 + 1)

    answer = exchange(plain, post("/api/v1/namespaces", body, b"Content-Length: %d" % len(body)))

    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b"Request entity too large: limit is 3145728" in answer


def test_head_gets_no_body(plain):
    answer = exchange(plain, b"HEAD /api HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n")

    assert answer.startswith(b"HTTP/1.1 405 ")
    assert answer.endswith(b"\r\n\r\n")


HEADERS = [
    pytest.param(b"Audit-Id: mine", b"Audit-Id: mine\r\n", id="echoes the audit id"),
    pytest.param(b"A: b", b"Cache-Control: no-cache, private\r\n", id="forbids caching"),
    pytest.param(b"A: b", b"X-Kubernetes-Pf-Flowschema-Uid: ", id="names the flow"),
    pytest.param(b"A: b", b"Date: Thu, 01 Jan 2026 00:00:00 GMT\r\n", id="tells the cluster's time"),
]


@pytest.mark.parametrize(("sent", "expected"), HEADERS)
def test_every_answer_carries_the_standard_headers(plain, sent, expected):
    assert expected in exchange(
        plain, b"GET /version HTTP/1.1\r\n" + HOST + sent + b"\r\nConnection: close\r\n\r\n"
    )


def test_strangers_see_no_flow(plain):
    answer = exchange(
        plain, b"GET /version HTTP/1.1\r\n" + HOST + b"Authorization: Bearer no\r\nConnection: close\r\n\r\n"
    )

    assert answer.startswith(b"HTTP/1.1 401 Unauthorized")
    assert b"X-Kubernetes-Pf" not in answer


def test_broken_tls_does_not_harm_others(secure):
    exchange(secure, b"GET / HTTP/1.1\r\n\r\n")

    assert secure.request("GET", "/version")["gitVersion"] == "v1.36.3"
    assert alpn(secure) == "http/1.1"


def alpn(cluster, *offered):
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.set_alpn_protocols([*offered, "h2", "http/1.1"])
    with (
        socket.create_connection(("127.0.0.1", port_of(cluster)), timeout=10) as raw,
        context.wrap_socket(raw) as client,
    ):
        return client.selected_alpn_protocol()

"""The stand-in for etcd: small requests, in pieces or many at once,
and nothing kept of what they bring (apiserver.md §2.8).
"""

from __future__ import annotations

import socket

import pytest

from fakecluster.envtest.etcd import EtcdConnection

HEALTH = b"GET /health HTTP/1.1\r\nHost: a\r\n\r\n"
PUT = b"POST /v3/kv/put HTTP/1.1\r\ncontent-length: 5\r\n\r\nhello"
HEALTHY = b'HTTP/1.1 200 OK\r\nContent-Length: 29\r\n\r\n{"health":"true","reason":""}'
UNKNOWN = b"HTTP/1.1 404 Not Found\r\nContent-Length: 19\r\n\r\n404 page not found\n"


@pytest.fixture
def ends():
    server, client = socket.socketpair()
    with server, client:
        yield server, client


@pytest.mark.parametrize(
    ("pieces", "answers"),
    [
        pytest.param([HEALTH], HEALTHY, id="health"),
        pytest.param([HEALTH[:9], HEALTH[9:-2], HEALTH[-2:]], HEALTHY, id="in-pieces"),
        pytest.param([PUT + HEALTH], UNKNOWN + HEALTHY, id="behind-a-body"),
        pytest.param([PUT[:-2], PUT[-2:] + HEALTH], UNKNOWN + HEALTHY, id="behind-half-a-body"),
        pytest.param([b"GET /v2 HTTP/1.1\r\n\r\n"], UNKNOWN, id="unknown"),
        pytest.param([b"nonsense\r\n\r\n"], UNKNOWN, id="nonsense"),
    ],
)
def test_requests_are_answered_in_order(ends, pieces, answers):
    server, client = ends
    connection = EtcdConnection(server)
    for piece in pieces:
        client.sendall(piece)
        assert connection.receive()

    assert client.recv(1000) == answers


def test_a_client_that_has_gone_is_let_go(ends):
    server, client = ends
    client.close()

    assert not EtcdConnection(server).receive()

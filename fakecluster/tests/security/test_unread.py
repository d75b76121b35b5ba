"""Clients that send and do not read: what is held for them is bounded, and what they asked for comes when
they read (FK-007).
"""

import asyncio

import pytest

from fakecluster import FakeCluster
from fakecluster.server.transport.connection import READ_AHEAD
from fakecluster.tests.raw import codes, connect, request, rest

MAPS = "/api/v1/namespaces/default/configmaps"
BIG = 2_000_000
TINY = request("GET", "/readyz")


@pytest.fixture(params=[False, True], ids=["plain", "tls"], scope="module")
def cluster(request):
    with FakeCluster(tls=request.param, controllers="none") as connection:
        connection.apply([config_map(number) for number in range(10)])
        yield connection


def config_map(number):
    data = {"k": "x" * (BIG // 10)}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": f"big-{number}"}, "data": data}


def big_list(cluster, *headers):
    return request("GET", MAPS, b"Authorization: Bearer " + cluster.token().encode(), *headers)


def hold(cluster):
    """The bytes that the server has still to send, in the connection that has most of them."""

    async def sizes():
        await asyncio.sleep(0)
        return [connection.transport.get_write_buffer_size() for connection in cluster.listener.connections]

    return max(cluster.run(sizes()), default=0)


def fills(cluster):
    """Ask the server something small until a client does not keep up."""
    return any(hold(cluster) for _ in range(5000))


def test_a_client_that_does_not_read_holds_one_answer(cluster):
    with connect(cluster.url) as client:
        client.sendall(big_list(cluster) * 100)
        assert fills(cluster)
        for _ in range(100):
            cluster.request("GET", "/api/v1/namespaces/default")

        assert hold(cluster) < 1.5 * BIG


def test_a_client_that_does_not_read_is_not_read_from(cluster):
    with connect(cluster.url) as client:
        client.sendall(big_list(cluster) * 20)
        assert fills(cluster)
        client.settimeout(0.2)

        with pytest.raises(TimeoutError):
            client.sendall(TINY * (500 * READ_AHEAD // len(TINY)))


def test_what_was_asked_for_is_answered_once_the_client_reads(cluster):
    with connect(cluster.url) as client:
        client.sendall(big_list(cluster) * 19 + big_list(cluster, b"Connection: close"))
        assert fills(cluster)

        answer = rest(client)

    assert codes(answer) == [200] * 20
    assert len(answer) > 20 * BIG

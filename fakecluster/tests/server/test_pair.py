"""Connections within one event loop: bytes arrive in order,
and the end of one side is the end of the other.
"""

from __future__ import annotations

import asyncio

import pytest

from fakecluster import FakeCluster
from fakecluster.server.transport.pair import connect

REQUEST = "GET /version HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n\r\n"


class Noting(asyncio.Protocol):
    """Notes what it is told."""

    def __init__(self) -> None:
        self.told: list[bytes | str] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.told.append(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self.told.append("lost")


async def turns(number: int = 3) -> None:
    for _ in range(number):
        await asyncio.sleep(0)


@pytest.fixture
def ends() -> tuple[Noting, Noting]:
    return Noting(), Noting()


def play(scene, ends):
    async def play():
        connect(*ends)
        await scene(*ends)
        await turns()

    asyncio.run(play())
    return [end.told for end in ends]


def test_bytes_arrive_together_a_turn_later(ends):
    async def scene(client, server):
        client.transport.write(b"a")
        client.transport.write(b"b")
        assert (server.told, client.transport.get_write_buffer_size()) == ([], 2)

    assert play(scene, ends) == [[], [b"ab"]]


def test_what_was_written_before_the_end_is_read(ends):
    async def scene(client, server):
        server.transport.write(b"a")
        server.transport.close()
        server.transport.write(b"b")

    assert play(scene, ends) == [[b"a", "lost"], ["lost"]]


def test_what_is_cut_is_not_read(ends):
    async def scene(client, server):
        server.transport.write(b"a")
        server.transport.abort()

    assert play(scene, ends) == [["lost"], ["lost"]]


def test_who_does_not_read_hears_of_the_end_behind_what_is_left(ends):
    async def scene(client, server):
        server.transport.pause_reading()
        client.transport.write(b"a")
        client.transport.close()
        await turns()
        assert server.told == []
        server.transport.resume_reading()

    assert play(scene, ends) == [["lost"], [b"a", "lost"]]


def test_a_cluster_answers_over_it_until_it_is_stopped():
    with FakeCluster(controllers="none", tls=False) as cluster:
        client = Noting()

        def ask():
            cluster.dial(client)
            client.transport.write(REQUEST.format(cluster.token()).encode())

        cluster.call(ask)
        cluster.settle()
        assert client.told[0].startswith(b"HTTP/1.1 200 OK\r\n")

        with cluster.fork() as other:
            other.stop()
            with pytest.raises(ConnectionRefusedError):
                other.dial(client)

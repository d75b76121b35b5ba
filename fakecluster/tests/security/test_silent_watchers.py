"""Watchers that do not read, or slowly: what they cost is bounded, and what they read is complete (S10)."""

import asyncio
import socket
from types import SimpleNamespace

import pytest

from fakecluster.cluster.fake_cluster import FakeCluster
from fakecluster.server.watch import streams
from fakecluster.server.watch.chunks import CHUNK_BYTES, cut
from fakecluster.server.watch.streams import STALLED_SECONDS
from fakecluster.tests import websocket

OBJECTS, SIZE = 12, 1_000_000
MAPS = "/api/v1/namespaces/default/configmaps"
HIGH_WATER = 64 * 1024


@pytest.fixture
def cluster():
    """A cluster with 12 MB of ConfigMaps: far more than what the two sockets of a connection take."""
    with FakeCluster(controllers="none", tls=False) as cluster:
        for number in range(OBJECTS):
            make(cluster, f"big-{number:02}", "x" * SIZE)
        yield cluster


@pytest.fixture(params=["chunks", "websocket"])
def watch(request, cluster):
    """Opens a watch whose client has read nothing but the beginning of the answer."""
    links = []

    def opened(query=""):
        link = socket.socket()
        link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
        link.settimeout(10)
        link.connect(("127.0.0.1", int(cluster.url.rpartition(":")[2])))
        target, token = f"{MAPS}?watch=1{query}", cluster.token()
        if request.param == "chunks":
            link.sendall(
                f"GET {target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\r\n".encode()
            )
        else:
            link.sendall(websocket.ask(target, host="localhost", token=token))
        assert link.recv(20).startswith((b"HTTP/1.1 200 OK", b"HTTP/1.1 101 "))
        links.append(link)
        while not is_written(cluster):
            pass
        return link

    yield opened
    for link in links:
        link.close()


def make(cluster, name, text=""):
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": {"k": text}}
    cluster.request("POST", MAPS, body)


def is_written(cluster):
    """Whether every watcher has been written all that there is, or all that its sockets take."""
    watchers = cluster.listener.streams._open
    return cluster.call(
        lambda: all(stream.complete or stream.channel.transport._paused for stream in watchers)
    )


def unread(cluster):
    return cluster.call(lambda: [stream.unread for stream in cluster.listener.streams._open])


def later(cluster, seconds):
    """Sweep as if so many seconds had passed."""

    async def swept():
        cluster.listener.cut_overdue(asyncio.get_running_loop().time() + seconds)

    cluster.run(swept())


def until(link, expected=None):
    """Everything up to what is wanted, or up to the end."""
    received_bytes = bytearray()
    while (expected is None or expected not in received_bytes[-2 * SIZE :]) and (chunk := receive(link)):
        received_bytes += chunk
    return bytes(received_bytes)


def receive(link):
    try:
        return link.recv(1 << 20)
    except ConnectionResetError:
        return b""


def test_the_initial_state_is_not_kept_for_a_watcher_that_does_not_read(cluster, watch):
    for _ in range(5):
        watch()

    assert max(unread(cluster)) <= HIGH_WATER + CHUNK_BYTES + SIZE + 1000


def test_events_are_not_kept_for_a_watcher_that_does_not_read(cluster, watch):
    watch("&resourceVersion=" + cluster.request("GET", MAPS)["metadata"]["resourceVersion"])

    for number in range(OBJECTS):
        make(cluster, f"new-{number:02}", "x" * SIZE)

    assert unread(cluster)[0] <= HIGH_WATER + CHUNK_BYTES + SIZE + 1000


def test_a_client_that_reads_late_gets_the_initial_state_and_what_happened_since(cluster, watch):
    link = watch()
    make(cluster, "after")

    received_bytes = until(link, b'"name":"after"')

    assert [received_bytes.count(b'"name":"big-%02d"' % number) for number in range(OBJECTS)] == [1] * OBJECTS


def test_a_watcher_that_takes_nothing_is_cut_off(cluster, watch):
    link = watch()

    later(cluster, STALLED_SECONDS + 1)

    assert b'"name":"big-11"' not in until(link)


def test_a_watcher_that_takes_a_little_at_a_time_does_not_stall(cluster, watch):
    watch()
    (stream,) = cluster.call(lambda: tuple(cluster.listener.streams._open))

    stream.stalled_bytes += 1

    assert (stream.stalls(stream.stalled_since + 50), stream.stalls(stream.stalled_since + 50)) == (0, 50)


def test_what_all_together_have_not_read_is_bounded(cluster, watch, monkeypatch):
    monkeypatch.setattr(streams, "UNREAD_IN_ALL", 3 * SIZE)
    for _ in range(6):
        watch()

    later(cluster, 2)
    cluster.settle()

    assert sum(unread(cluster)) <= 3 * SIZE


def test_a_watcher_that_has_slept_through_the_history_is_cut_off(cluster, watch):
    link = watch()
    make(cluster, "between")
    cluster.call(cluster._core.store.compact)
    make(cluster, "after")

    assert b'"name":"after"' not in until(link)


def test_a_piece_of_what_has_happened_ends_with_the_event_that_fills_it():
    events = [SimpleNamespace(revision=number) for number in range(1, 11)]

    piece = cut(lambda _: b"x" * (CHUNK_BYTES // 3 + 1), events, 0)

    assert (piece.frames, piece.position, piece.last) == (3, 3, events[2])

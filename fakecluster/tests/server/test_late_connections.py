"""A client that is in its TLS handshake when the server stops is cut, and asks nothing (FK-007)."""

from __future__ import annotations

import contextlib
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from fakecluster import FakeCluster

REQUEST = (
    b"POST /api/v1/namespaces HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b"Content-Length: 64\r\n\r\n" + b'{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"late"}}'[:64]
)
WAIT_SECONDS = 20.0


class Client:
    """A TLS client whose handshake is made a message at a time."""

    def __init__(self, url: str) -> None:
        host, _, port = url.partition("://")[2].partition(":")
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        self._arriving, self._leaving = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._arriving, self._leaving)
        self.socket = socket.create_connection((host, int(port)), timeout=WAIT_SECONDS)

    def greet(self) -> None:
        """Send the first message and wait for the server's part of the handshake."""
        with contextlib.suppress(ssl.SSLWantReadError):
            self._tls.do_handshake()
        self.socket.sendall(self._leaving.read())
        self._arriving.write(self.socket.recv(65536))

    def finish_with(self, request: bytes) -> None:
        """End the handshake and ask something with the same packet."""
        self._tls.do_handshake()
        self._tls.write(request)
        self.socket.sendall(self._leaving.read())

    def await_end(self) -> None:
        """Read until the server cuts the connection. Raises TimeoutError."""
        with contextlib.suppress(ConnectionError):
            while self.socket.recv(65536):
                pass


@pytest.fixture
def cluster() -> Iterator[FakeCluster]:
    with FakeCluster(tls=True, controllers="none") as fake_cluster:
        yield fake_cluster


def test_it_is_cut_where_the_loop_goes_on(cluster):
    with FakeCluster(controllers="none"):
        client = Client(cluster.url)
        client.greet()
        cluster.stop()
        client.finish_with(REQUEST)
        client.await_end()
        client.socket.close()

    assert not cluster.journal.where(verb="create", resource="namespaces")


@pytest.mark.parametrize("has_greeted", [False, True])
def test_it_is_cut_where_the_loop_ends_with_its_last_cluster(has_greeted):
    # In a process of its own, where no other cluster keeps the loop, and where warnings are errors.
    script = f"from {__name__} import stop_during_handshake; stop_during_handshake({has_greeted})"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script],
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")


def stop_during_handshake(has_greeted: bool) -> None:
    """Stop the only cluster of the process during a handshake. Raises TimeoutError where that goes on."""
    cluster = FakeCluster(tls=True, controllers="none").start()
    client = Client(cluster.url)
    if has_greeted:
        client.greet()
    cluster.stop()
    client.await_end()
    client.socket.close()

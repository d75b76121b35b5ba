"""When extension servers are looked at, and what becomes of their APIServices meanwhile (FK-436, FK-438)."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from fakecluster import FakeCluster
from fakecluster.api.status import StatusError
from fakecluster.auth.certificates import Authority
from fakecluster.base.json_types import Json

API = "/apis/demo.example.com/v1"
APISERVICES = "/apis/apiregistration.k8s.io/v1/apiservices"
SPEC = {
    "group": "demo.example.com",
    "version": "v1",
    "groupPriorityMinimum": 1,
    "versionPriority": 1,
    "insecureSkipTLSVerify": True,
    "service": {"namespace": "n", "name": "s"},
}
OBJECT = {
    "apiVersion": "apiregistration.k8s.io/v1",
    "kind": "APIService",
    "metadata": {"name": "v1.demo.example.com"},
    "spec": SPEC,
}


class Empty(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "2")
        # A thread would go on answering on a connection that is kept, even when its server is closed.
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class names it
        """Say nothing."""


class SharedPortServer(ThreadingHTTPServer):
    allow_reuse_port = True


@pytest.fixture(scope="module")
def context() -> ssl.SSLContext:
    context = Authority.fresh().context_for(["localhost"])
    context.verify_mode = ssl.CERT_NONE
    return context


@contextmanager
def listening(context: ssl.SSLContext, port: int) -> Iterator[None]:
    server = SharedPortServer(("127.0.0.1", port), Empty)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def port() -> Iterator[int]:
    """A port without a listener, which stays taken, so that no other process gets it meanwhile."""
    with socket.socket() as holder:
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        holder.bind(("127.0.0.1", 0))
        yield int(holder.getsockname()[1])


@pytest.fixture
def cluster(port: int) -> Iterator[FakeCluster]:
    with FakeCluster(controllers="none", services={"n/s": f"127.0.0.1:{port}"}) as running:
        running.apply([OBJECT])
        running.settle()
        yield running


def condition(cluster: FakeCluster) -> Json:
    return cluster.request("GET", f"{APISERVICES}/v1.demo.example.com")["status"]["conditions"][0]


def test_an_extension_that_comes_up_is_found_fk_436(
    cluster: FakeCluster, context: ssl.SSLContext, port: int
) -> None:
    before = condition(cluster)
    with listening(context, port):
        cluster.advance(1)
        after = condition(cluster)

    assert (before["status"], before["reason"]) == ("False", "FailedDiscoveryCheck")
    assert (after["status"], after["reason"]) == ("True", "Passed")
    assert after["lastTransitionTime"] != before["lastTransitionTime"]


def test_an_extension_that_goes_down_is_noticed_fk_436(
    cluster: FakeCluster, context: ssl.SSLContext, port: int
) -> None:
    with listening(context, port):
        cluster.advance(1)
    cluster.advance(30)

    assert condition(cluster)["reason"] == "FailedDiscoveryCheck"


def test_an_extension_that_went_down_unnoticed_is_told_fk_438(
    cluster: FakeCluster, context: ssl.SSLContext, port: int
) -> None:
    with listening(context, port):
        cluster.advance(1)

    with pytest.raises(
        StatusError,
        match=f"error trying to reach service: dial tcp 127.0.0.1:{port}: connect: connection refused",
    ):
        cluster.request("GET", f"{API}/things")


def test_an_extension_is_forgotten_with_its_service_fk_436(cluster: FakeCluster) -> None:
    cluster.request("DELETE", f"{APISERVICES}/v1.demo.example.com")
    count = len(list(cluster.journal))

    cluster.advance(120)

    assert len(list(cluster.journal)) == count

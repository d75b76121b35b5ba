"""Requests through a cluster to an extension server and back:
streams, certificates, cut connections (FK-437, FK-438).
"""

from __future__ import annotations

import http.client
import json
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from fakecluster import FakeCluster
from fakecluster.auth.certificates import Authority
from fakecluster.base.json_types import Json

API = "/apis/demo.example.com/v1"
SETTINGS = "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication"
LINES = (b'{"type":"ADDED"}\n', b'{"type":"DELETED"}\n')
ANSWER_TIMEOUT_SECONDS = 10.0


class Extension(ThreadingHTTPServer):
    """An extension server that a test can hold."""

    daemon_threads = False

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.release = threading.Event()
        self.hung_up = threading.Event()

    def trust(self, ca: str) -> None:
        """Show a certificate and demand one that `ca` signed."""
        context = Authority.fresh().context_for(["localhost"])
        context.load_verify_locations(cadata=ca)
        context.verify_mode = ssl.CERT_REQUIRED
        self.socket = context.wrap_socket(self.socket, server_side=True)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients hang up; that is what tests are about."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Extension

    def do_GET(self) -> None:
        pages = {
            f"{API}/stream": self.stream,
            f"{API}/held": self.held,
            f"{API}/cut": self.cut,
            f"{API}/who": self.who,
            f"{API}/echo": self.echo,
        }
        pages.get(
            self.path.partition("?")[0], lambda: self.send({"kind": "APIResourceList", "resources": []})
        )()

    def do_HEAD(self) -> None:
        self.head("Content-Length", "100")

    def send(self, body: Json) -> None:
        content = json.dumps(body).encode()
        self.head("Content-Length", str(len(content)))
        self.wfile.write(content)

    def head(self, name: str, value: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header(name, value)
        self.end_headers()

    def who(self) -> None:
        subject = self.connection.getpeercert()["subject"]
        self.send(
            {
                "certificate": dict(pair for name in subject for pair in name),
                "user": self.headers["X-Remote-User"],
            }
        )

    def echo(self) -> None:
        """Speak a protocol of lines that come back, after a greeting that comes with the head."""
        self.wfile.write(
            b"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: %b\r\n\r\nhello\n"
            % self.headers.get("Upgrade", "nothing").encode()
        )
        while (line := self.rfile.readline()) not in {b"", b"bye\n"}:
            self.wfile.write(line)
        self.close_connection = True

    def stream(self) -> None:
        self.head("Transfer-Encoding", "chunked")
        self.wfile.write(b"%x\r\n%b\r\n" % (len(LINES[0]), LINES[0]))
        self.server.release.wait(ANSWER_TIMEOUT_SECONDS)
        self.wfile.write(b"%x\r\n%b\r\n0\r\n\r\n" % (len(LINES[1]), LINES[1]))

    def held(self) -> None:
        """Begin a stream and wait for its reader to leave."""
        self.head("Transfer-Encoding", "chunked")
        self.wfile.write(b"%x\r\n%b\r\n" % (len(LINES[0]), LINES[0]))
        with suppress(OSError):
            self.rfile.peek(1)  # type: ignore[attr-defined]
        self.server.hung_up.set()
        self.close_connection = True

    def cut(self) -> None:
        self.head("Content-Length", "100")
        self.wfile.write(b"short")
        self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class names it
        """Say nothing."""


@pytest.fixture(scope="module")
def cluster() -> Iterator[FakeCluster]:
    extension = Extension()
    with FakeCluster(
        controllers="none", anonymous=True, services={"n/s": f"127.0.0.1:{extension.server_port}"}
    ) as running:
        extension.trust(running.request("GET", SETTINGS)["data"]["requestheader-client-ca-file"])
        thread = threading.Thread(target=extension.serve_forever, args=(0.01,))
        thread.start()
        running.extension = extension  # type: ignore[attr-defined]
        spec = {
            "group": "demo.example.com",
            "version": "v1",
            "groupPriorityMinimum": 1,
            "versionPriority": 1,
            "insecureSkipTLSVerify": True,
            "service": {"namespace": "n", "name": "s"},
        }
        service = {
            "apiVersion": "apiregistration.k8s.io/v1",
            "kind": "APIService",
            "metadata": {"name": "v1.demo.example.com"},
        }
        running.apply([{**service, "spec": spec}])
        running.settle()
        yield running
    extension.shutdown()
    extension.server_close()
    thread.join()


@pytest.fixture
def connection(cluster: FakeCluster) -> Iterator[http.client.HTTPSConnection]:
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    connection = http.client.HTTPSConnection(
        "127.0.0.1", int(cluster.url.rpartition(":")[2]), timeout=ANSWER_TIMEOUT_SECONDS, context=context
    )
    yield connection
    connection.close()


def test_the_extension_is_shown_the_certificate_of_the_front_proxy_fk_437(cluster: FakeCluster) -> None:
    body = cluster.request("GET", f"{API}/who")

    assert (body["certificate"]["commonName"], body["user"]) == ("front-proxy-client", "admin")


def test_a_watch_comes_through_piece_by_piece_fk_437(
    cluster: FakeCluster, connection: http.client.HTTPSConnection
) -> None:
    extension: Extension = cluster.extension  # type: ignore[attr-defined]
    extension.release.clear()
    connection.request("GET", f"{API}/stream?watch=true")
    answer = connection.getresponse()

    first = answer.readline()
    assert not extension.release.is_set()
    extension.release.set()

    assert (first, answer.read()) == LINES


def test_a_client_that_hangs_up_ends_the_request_behind_fk_437(
    cluster: FakeCluster, connection: http.client.HTTPSConnection
) -> None:
    extension: Extension = cluster.extension  # type: ignore[attr-defined]
    extension.hung_up.clear()
    connection.request("GET", f"{API}/held?watch=true")
    connection.getresponse().readline()

    connection.close()

    assert extension.hung_up.wait(ANSWER_TIMEOUT_SECONDS)


def test_an_answer_that_breaks_off_breaks_off_here_too_fk_438(
    connection: http.client.HTTPSConnection,
) -> None:
    connection.request("GET", f"{API}/cut")

    with pytest.raises(http.client.IncompleteRead) as broken:
        connection.getresponse().read()

    assert broken.value.partial == b"short"


def test_the_journal_has_what_was_passed_on_fk_437(cluster: FakeCluster) -> None:
    cluster.request("GET", f"{API}/who")

    last = list(cluster.journal)[-1]

    assert (last.path, last.user, last.code) == (f"{API}/who", "admin", 200)


def test_a_fork_asks_the_extension_as_well_fk_437(cluster: FakeCluster) -> None:
    with cluster.fork() as fork:
        assert fork.request("GET", f"{API}/who")["user"] == "admin"


UPGRADE = f"GET {API}/{{}} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: lines\r\n\r\n"


@pytest.fixture
def raw(cluster: FakeCluster) -> Iterator[Any]:
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    port = int(cluster.url.rpartition(":")[2])
    with context.wrap_socket(
        socket.create_connection(("127.0.0.1", port), timeout=ANSWER_TIMEOUT_SECONDS)
    ) as tls_socket:
        yield tls_socket


def line_by_line(raw: Any, page: str, sent: bytes, lines: int) -> list[bytes]:
    """Ask for another protocol, send what is of it,
    and return the lines that come after the head of the answer.
    """
    raw.sendall(UPGRADE.format(page).encode() + sent)
    with raw.makefile("rb") as answer:
        while answer.readline() != b"\r\n":
            pass
        return [answer.readline() for _ in range(lines)]


def test_another_protocol_goes_through_in_both_directions_fk_437(raw: Any) -> None:
    assert line_by_line(raw, "echo", b"", 1) == [b"hello\n"]
    raw.sendall(b"one\n")
    assert raw.recv(10) == b"one\n"


def test_what_comes_before_the_answer_belongs_to_the_other_protocol_fk_437(raw: Any) -> None:
    assert line_by_line(raw, "echo", b"early\n", 2) == [b"hello\n", b"early\n"]


def test_a_tunnel_ends_with_its_extension_fk_437(raw: Any) -> None:
    assert line_by_line(raw, "echo", b"bye\n", 2) == [b"hello\n", b""]


def test_much_comes_through_a_tunnel_fk_437(raw: Any) -> None:
    line = b"x" * 100_000 + b"\n"
    assert line_by_line(raw, "echo", line, 2) == [b"hello\n", line]


def test_an_extension_may_decline_and_the_next_request_is_answered_fk_437(raw: Any) -> None:
    following = f"GET {API}/who HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode()
    raw.sendall(UPGRADE.format("none").encode() + following)
    with raw.makefile("rb") as answer:
        body = answer.read()

    assert body.startswith(b"HTTP/1.1 503 ")
    assert b"invalid upgrade response: status code 200\nHTTP/1.1 200 OK\r\n" in body


def test_nobody_gets_a_tunnel_that_did_not_ask_for_one_fk_437(
    connection: http.client.HTTPSConnection,
) -> None:
    connection.request("GET", f"{API}/echo")

    assert connection.getresponse().status == 503


def test_a_head_is_answered_without_a_body_fk_437(connection: http.client.HTTPSConnection) -> None:
    connection.request("HEAD", f"{API}/who")
    answer = connection.getresponse()

    assert (answer.status, answer.read()) == (200, b"")

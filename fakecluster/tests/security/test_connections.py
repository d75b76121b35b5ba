"""What a stranger on the network can do: loopback, TLS 1.2,
limits of heads and bodies, clients that dawdle (FK-007, FK-013).
"""

import asyncio
import socket
import ssl
from types import SimpleNamespace

import pytest

from fakecluster.cluster.fake_cluster import FakeCluster
from fakecluster.server.http.bad_requests import FIELD_CHARACTERS, TARGET_BYTES
from fakecluster.server.http.request_reader import MAX_HEAD_BYTES
from fakecluster.server.transport.connection import PHASE_TIMEOUT_SECONDS, Connection

HEAD = b"GET /version HTTP/1.1\r\nHost: x\r\n"
TOO_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\n"


@pytest.fixture(scope="module")
def cluster():
    with FakeCluster(controllers="none", tls=False, anonymous=True) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def secure():
    with FakeCluster(controllers="none", anonymous=True) as cluster:
        yield cluster


@pytest.fixture
def connection(cluster):
    with socket.create_connection(("127.0.0.1", port(cluster)), timeout=10) as connection:
        yield connection


def port(cluster):
    return int(cluster.url.rpartition(":")[2])


def later(cluster, seconds):
    """Sweep as if so many seconds had passed."""

    async def swept():
        import asyncio

        cluster.listener.cut_overdue(asyncio.get_running_loop().time() + seconds)

    cluster.run(swept())


def rest(connection):
    """Everything until the server hangs up."""
    received = b""
    while chunk := _receive(connection):
        received += chunk
    return received


def _receive(connection):
    try:
        return connection.recv(65536)
    except ConnectionResetError:
        return b""


def test_only_loopback_is_listened_on(cluster):
    (listening,) = cluster.listener._server.sockets

    assert listening.getsockname()[0] == "127.0.0.1"


@pytest.mark.parametrize(
    "version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3], ids=lambda tls_version: tls_version.name
)
def test_tls_since_1_2_is_spoken(secure, version):
    assert handshake(secure, version) in {"TLSv1.2", "TLSv1.3"}


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion:DeprecationWarning")
def test_older_tls_is_refused(secure):
    with pytest.raises((ssl.SSLError, ConnectionError)):
        handshake(secure, ssl.TLSVersion.TLSv1_1)


def handshake(cluster, version):
    context = ssl._create_unverified_context(ssl.PROTOCOL_TLS_CLIENT)
    context.set_ciphers("ALL:@SECLEVEL=0")
    context.minimum_version = context.maximum_version = version
    with (
        socket.create_connection(("127.0.0.1", port(cluster)), timeout=10) as plain,
        context.wrap_socket(plain) as talk,
    ):
        return talk.version()


def test_each_cluster_has_an_authority_and_a_token_of_its_own(secure):
    with FakeCluster(controllers="none") as other:
        assert other._authority.pem != secure._authority.pem
        assert other.token() != secure.token()


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param(b"GET /" + b"a" * MAX_HEAD_BYTES, id="endless path"),
        pytest.param(HEAD + b"X: " + b"y" * MAX_HEAD_BYTES, id="endless header"),
        pytest.param(HEAD + b"A: b\r\n" * (MAX_HEAD_BYTES // 6), id="headers without end"),
    ],
)
def test_a_head_has_a_limit(connection, sent):
    try:
        connection.sendall(sent)
    except ConnectionError:  # the answer was given before everything was sent
        assert rest(connection).startswith((TOO_LARGE, b""))
    else:
        assert rest(connection).startswith(TOO_LARGE)


@pytest.mark.parametrize(
    ("sent", "answer"),
    [
        pytest.param(b"GET /" + b"a" * TARGET_BYTES + b" HTTP/1.1\r\nHost: x\r\n\r\n", b"414 URI Too Long", id="target"),
        pytest.param(HEAD + b"X: " + b"y" * (FIELD_CHARACTERS + 1) + b"\r\n\r\n", b"431 Request Header Fields", id="header"),
    ],
)  # fmt: skip
def test_a_target_and_a_header_have_limits_of_their_own(connection, sent, answer):
    connection.sendall(sent)

    assert rest(connection).startswith(b"HTTP/1.1 " + answer)


def test_a_pause_before_the_connection_begins_is_no_error():
    async def paused():
        early = Connection(SimpleNamespace())
        early.pause_writing()
        early.resume_writing()

    asyncio.run(paused())


def test_a_body_has_a_limit(connection):
    body = b" " * (3 * 1024 * 1024 + 1)
    connection.sendall(
        b"POST /api/v1/namespaces HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: %d\r\n\r\n"
        % len(body)
        + body
    )

    assert rest(connection).split(b"\r\n")[0] in {
        b"HTTP/1.1 413 Request Entity Too Large",
        b"HTTP/1.1 401 Unauthorized",
        b"HTTP/1.1 403 Forbidden",
    }


@pytest.mark.parametrize(
    ("sent", "phase"),
    [
        pytest.param(b"", "head", id="says nothing"),
        pytest.param(HEAD, "head", id="stops in the head"),
        pytest.param(
            b"POST /api/v1/namespaces HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{",
            "body",
            id="stops in the body",
        ),
    ],
)
def test_who_dawdles_is_cut_off(cluster, connection, sent, phase):
    connection.sendall(sent)
    cluster.request("GET", "/version")

    later(cluster, PHASE_TIMEOUT_SECONDS[phase] + 1)

    assert rest(connection) == b""


def test_who_waits_between_requests_is_cut_off_later(cluster, connection):
    connection.sendall(HEAD + b"\r\n")
    assert connection.recv(65536).startswith(b"HTTP/1.1 200 OK")

    later(cluster, PHASE_TIMEOUT_SECONDS["body"] + 1)
    connection.sendall(HEAD + b"\r\n")
    assert connection.recv(65536).startswith(b"HTTP/1.1 200 OK")

    later(cluster, PHASE_TIMEOUT_SECONDS["idle"] + 1)
    assert rest(connection) == b""


def test_a_watch_may_last(cluster, connection):
    token = cluster.token().encode()
    connection.sendall(
        b"GET /api/v1/namespaces?watch=1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + token + b"\r\n\r\n"
    )
    assert connection.recv(100).startswith(b"HTTP/1.1 200 OK")

    later(cluster, 3600)

    cluster.apply([{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "seen"}}])
    assert b'"seen"' in until(connection, b'"seen"')


def until(connection, expected):
    received = b""
    while expected not in received and (chunk := _receive(connection)):
        received += chunk
    return received

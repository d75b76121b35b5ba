"""Whom the visibility server refuses over real TLS,
and in which words (VIS-402…429); no text names what is another tenant's.
"""

import json
import socket
import ssl
import subprocess
import sys
import threading
import time

import pytest

from .live import GROUP, SHARED, SOON, Issuer, Pair, local_queue, showing
from .tenants import QUEUES, SECRET, fill

pytestmark = [pytest.mark.xdist_group("visibility-live")]
DEADLINE_SECONDS = 30.0
MINE, FOREIGN = local_queue("a", QUEUES["a"]), local_queue("b", QUEUES["b"])


@pytest.fixture(scope="module")
def pair(tmp_path_factory):
    with Pair(tmp_path_factory.mktemp("pair")) as pair:
        with pair.admin as client:
            fill(client)
        yield pair
        assert "Traceback" not in pair.logs


@pytest.fixture
def alice(pair):
    return pair.certificate("alice")


def forbidden(user, resource, where, name="shared"):
    return (
        f'{resource}.{GROUP} "{name}" is forbidden: User "{user}" cannot get resource "{resource}/pendingworkloads"'
        f' in API group "{GROUP}" {where}'
    )


def test_each_sees_what_is_theirs(pair, alice):
    boss = pair.certificate("boss")

    assert [
        item["metadata"]["name"] for item in json.loads(pair.ask(MINE, certificate=alice).body)["items"]
    ] == ["work"]
    assert {
        item["metadata"]["name"] for item in json.loads(pair.ask(SHARED, certificate=boss).body)["items"]
    } == {
        "work",
        f"{SECRET}-work",
    }


@pytest.mark.parametrize("port_name", ["port", "api_port"])
@pytest.mark.parametrize(
    ("path", "message"),
    [
        pytest.param(SHARED, forbidden("alice", "clusterqueues", "at the cluster scope"), id="ClusterQueue"),
        pytest.param(
            local_queue("b", "main"),
            forbidden("alice", "localqueues", 'in the namespace "b"', "main"),
            id="another namespace",
        ),
    ],
)
def test_a_user_of_one_namespace(pair, alice, path, message, port_name):
    """VIS-425, VIS-429: the same words directly and through the API server."""
    answer = pair.ask(path, certificate=alice, port=getattr(pair, port_name))

    assert (answer.code, answer.message) == (403, message)


def test_a_queue_of_another_namespace_does_not_exist_here(pair, alice):
    answer = pair.ask(local_queue("a", QUEUES["b"]), certificate=alice)

    assert (answer.code, answer.message) == (404, f'localqueue.{GROUP} "{QUEUES["b"]}" not found')


def test_an_expired_certificate(pair):
    """VIS-405."""
    answer = pair.ask(MINE, certificate=pair.certificate("alice", until=SOON))

    assert (answer.code, answer.message) == (401, "Unauthorized")


def test_a_certificate_of_another_authority(pair):
    """VIS-405: refused in the handshake, where the real server answers 401."""
    with pytest.raises((ssl.SSLError, ConnectionError)):
        pair.ask(MINE, certificate=Issuer.new("elsewhere").issue(pair.folder, "alice"))


ROOT = {"X-Remote-User": "root", "X-Remote-Group": "system:masters"}


def test_a_front_proxy_with_another_name(pair):
    """VIS-402."""
    proxy = Issuer.of(pair.pki, "front-proxy-ca").issue(pair.folder, "other-proxy")
    answer = pair.ask(SHARED, certificate=proxy, headers=ROOT)

    assert (answer.code, answer.message) == (401, "Unauthorized")


@pytest.mark.parametrize("port_name", ["port", "api_port"])
@pytest.mark.parametrize(
    ("shown", "user"),
    [
        pytest.param(False, "system:anonymous", id="no certificate"),
        pytest.param(True, "alice", id="a client's certificate"),
    ],
)
def test_a_name_without_the_proxys_certificate_counts_for_nothing(pair, alice, shown, user, port_name):
    """VIS-402."""
    answer = pair.ask(
        SHARED, certificate=alice if shown else None, headers=ROOT, port=getattr(pair, port_name)
    )

    assert (answer.code, answer.message) == (403, forbidden(user, "clusterqueues", "at the cluster scope"))


@pytest.mark.parametrize("port_name", ["port", "api_port"])
def test_the_token_of_a_deleted_account(pair, port_name):
    """VIS-406."""
    accounts = "/api/v1/namespaces/a/serviceaccounts"
    review = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {"audiences": []}}
    with pair.admin as client:
        client.create(accounts, {"metadata": {"name": f"gone-{port_name.replace('_', '-')}"}})
        name = f"{accounts}/gone-{port_name.replace('_', '-')}"
        token = client.create(f"{name}/token", review)["status"]["token"]
        client.ask("DELETE", name)

    answer = pair.ask(MINE, headers={"Authorization": f"Bearer {token}"}, port=getattr(pair, port_name))

    assert (answer.code, answer.message) == (401, "Unauthorized")


def test_a_new_authority_is_believed_without_a_restart(pair):
    """VIS-401."""
    other = Issuer.new("second")
    alice = other.issue(pair.folder, "alice")
    source = "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication"
    with pair.admin as client:
        config_map = client.get(source)
        config_map["data"]["client-ca-file"] += other.pem
        client.ask("PUT", source, config_map)

    def code():
        try:
            return pair.ask(MINE, certificate=alice).code
        except OSError:
            return 0

    deadline = time.monotonic() + DEADLINE_SECONDS
    while (last := code()) != 200 and time.monotonic() < deadline:
        threading.Event().wait(0.1)
    assert last == 200
    assert pair.ask(MINE, certificate=pair.certificate("alice")).code == 200


def test_a_client_that_offers_http_2_is_led_to_http_1_1(pair):
    """VIS-003: Go's client, and curl, offer both and take what the server picks."""
    offering = showing(protocols=("h2", "http/1.1"))
    with (
        socket.create_connection(("127.0.0.1", pair.port), timeout=30) as plain,
        offering.wrap_socket(plain, server_hostname="localhost") as connection,
    ):
        chosen = connection.selected_alpn_protocol()
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        answer = b"".join(iter(lambda: connection.recv(4096), b""))

    assert chosen == "http/1.1"
    assert answer.startswith(b"HTTP/1.1 200 ")
    assert answer.endswith(b"ok")


def test_two_managers_on_one_port(pair):
    """VIS-005."""
    ended = subprocess.run(
        [
            sys.executable,
            "-m",
            *map(str, pair.command),
            "--leader-elect=false",
            "--visibility-bind-address",
            f"127.0.0.1:{pair.port}",
        ],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert ended.returncode == 1
    assert "Unable to create and start visibility server: cannot listen on 127.0.0.1" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert pair.ask("/healthz").code == 200


def test_nothing_of_another_tenant_is_told(pair, alice):
    """Whatever alice asks for: names of tenant b occur only where she said them herself."""
    proxied = Issuer.of(pair.pki, "front-proxy-ca").issue(pair.folder, "other-proxy")
    paths = (
        SHARED,
        local_queue("b", "main"),
        local_queue("b", ""),
        f"{SHARED}?limit=x",
        "/metrics",
        "/openapi/v2",
        "/apis",
        "/x",
        "/readyz?verbose",
    )
    answers = [pair.ask(path, certificate=item) for path in paths for item in (alice, None, proxied)]

    assert {answer.code for answer in answers} <= {200, 401, 403, 404}
    assert not [answer for answer in answers if SECRET in answer.body + str(answer.headers)]
    assert SECRET not in pair.reference.log.read_text("utf-8", "replace")

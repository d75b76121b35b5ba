"""Whose certificate a server believes, over TLS: two authorities, and X-Remote-* from the front proxy alone
(FK-390, FK-406, FK-437).
"""

from __future__ import annotations

import json
import socket
import ssl
from urllib.parse import urlsplit

import pytest

from fakecluster import FakeCluster
from fakecluster.auth.certificates import Authority, KeyPair, identify
from fakecluster.tests.raw import HOST

REVIEWS = "/apis/authentication.k8s.io/v1/selfsubjectreviews"
SETTINGS = "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication"
REMOTE = ("X-Remote-User: carol", "X-Remote-Group: dev")


@pytest.fixture(scope="module")
def cluster():
    with FakeCluster(controllers="none", anonymous=True) as fake_cluster:
        yield fake_cluster


def user(cluster: FakeCluster, pair: KeyPair | None, *headers: str) -> str | int:
    """Ask over TLS who is asking: the name, or the code of a refusal."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    if pair is not None:
        identify(context, pair)
    lines = [f"POST {REVIEWS} HTTP/1.1", "Connection: close", "Content-Type: application/json", *headers]
    request_bytes = "\r\n".join([*lines, "Content-Length: 2"]).encode() + b"\r\n" + HOST + b"\r\n{}"
    where = urlsplit(cluster.url)
    with (
        socket.create_connection((where.hostname, where.port), timeout=10) as plain,
        context.wrap_socket(plain) as talk,
    ):
        talk.sendall(request_bytes)
        head, _, body = b"".join(iter(lambda: talk.recv(65536), b"")).partition(b"\r\n\r\n")
    code = int(head.split()[1])
    return json.loads(body)["status"]["userInfo"]["username"] if code == 201 else code


def test_the_config_map_has_two_authorities_fk_406(cluster):
    data = cluster.request("GET", SETTINGS)["data"]

    assert data["client-ca-file"] != data["requestheader-client-ca-file"]
    assert data["client-ca-file"] == cluster._authority.pem.decode()
    assert data["requestheader-allowed-names"] == '["front-proxy-client"]'


def test_the_front_proxy_says_who_asks_fk_390(cluster):
    assert user(cluster, cluster._authority.front_proxy, *REMOTE) == "carol"


@pytest.mark.parametrize("headers", [(), REMOTE[1:], ("X-Remote-User:",)], ids=["none", "group", "empty"])
def test_the_front_proxy_itself_is_no_user_vc_19(cluster, headers):
    assert user(cluster, cluster._authority.front_proxy, *headers) == 401


def test_another_name_of_the_front_proxys_authority_is_not_believed_vc_19(cluster):
    pair = cluster._authority.proxies.client("admin", ["system:masters"])

    assert (user(cluster, pair, *REMOTE), user(cluster, pair)) == (401, 401)


def test_a_token_counts_beside_a_certificate_that_is_not_believed_vc_19(cluster):
    pair = cluster._authority.proxies.client("other", [])

    assert user(cluster, pair, *REMOTE, f"Authorization: Bearer {cluster.token()}") == "admin"


def test_a_client_with_the_front_proxys_name_is_a_client_fk_390(cluster):
    pair = cluster._authority.client("front-proxy-client", [])

    assert user(cluster, pair, *REMOTE) == "front-proxy-client"


def test_a_client_is_asked_before_its_token_vc_20(cluster):
    pair = cluster._authority.client("ann", [])

    assert user(cluster, pair, *REMOTE, "Authorization: Bearer wrong") == "ann"


def test_the_front_proxy_is_asked_before_a_token_vc_20(cluster):
    assert user(cluster, cluster._authority.front_proxy, *REMOTE, "Authorization: Bearer wrong") == "carol"


def test_headers_without_a_certificate_say_nothing_fk_437(cluster):
    assert user(cluster, None, *REMOTE) == "system:anonymous"


def test_a_proxy_of_a_foreign_authority_is_cut_off_vc_20(cluster):
    with pytest.raises(ssl.SSLError, match="alert unknown ca"):
        user(cluster, Authority.fresh().front_proxy, *REMOTE)


def test_a_fork_believes_the_same_front_proxy_fk_390(cluster):
    with cluster.fork() as fork:
        assert user(fork, cluster._authority.front_proxy, *REMOTE) == "carol"

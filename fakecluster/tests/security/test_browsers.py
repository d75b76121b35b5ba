"""What a web page of another origin can do to a server on loopback: nothing (issue 16, 12)."""

from __future__ import annotations

import http.client
import json
from urllib.parse import urlsplit

import pytest

from fakecluster import FakeCluster

PATHS = ("/api/v1/secrets", "/_fakecluster/clusters/fork", "/healthz", "/nothing")


@pytest.fixture(scope="module")
def cluster():
    with FakeCluster(tls=False, controllers="none", hosts=["fake.example.com"]) as cluster:
        yield cluster


@pytest.fixture
def ask(cluster):
    link = http.client.HTTPConnection(urlsplit(cluster.url).netloc, timeout=10)

    def asked(path, token=None, **headers):
        credentials = {"Authorization": f"Bearer {token or cluster.token()}"} if token != "" else {}
        link.request("GET", path, headers={**credentials, **headers})
        answer = link.getresponse()
        return answer.status, json.loads(answer.read() or b"{}")

    yield asked
    link.close()


@pytest.mark.parametrize("path", [*PATHS, "/livez", "/version"], ids=str)
def test_without_credentials_nothing_is_answered_where_everything_is_allowed(ask, path):
    code, answer = ask(path, token="")

    assert (code, answer["reason"], answer["message"]) == (401, "Unauthorized", "Unauthorized")


def test_where_rights_are_looked_at_strangers_may_ask_for_health():
    with FakeCluster(tls=False, controllers="none", authorization="rbac") as cluster:
        link = http.client.HTTPConnection(urlsplit(cluster.url).netloc, timeout=10)
        link.request("GET", "/healthz")

        assert link.getresponse().status == 200
        link.close()


@pytest.mark.parametrize("path", PATHS, ids=str)
@pytest.mark.parametrize(
    "headers",
    [
        pytest.param({"Host": "evil.example"}, id="name that was made to lead here"),
        pytest.param({"Host": "127.0.0.1.evil.example:80"}, id="name that looks like loopback"),
        pytest.param({"Host": "a.localhost.evil.example"}, id="name that has that of loopback in it"),
        pytest.param({"Host": "evil.example."}, id="name with a last dot"),
        pytest.param({"Host": "a" * 300}, id="longer than a name can be"),
        pytest.param({"Host": "[::1"}, id="no name"),
        pytest.param({"Origin": "http://evil.example"}, id="page of another name"),
        pytest.param({"Origin": "http://127.0.0.1:1"}, id="page of another port"),
        pytest.param({"Origin": "null"}, id="page without an origin"),
    ],
)
def test_what_a_browser_sends_for_a_foreign_page_is_refused(ask, path, headers):
    code, answer = ask(path, **headers)

    assert (code, answer["reason"]) == (403, "Forbidden")
    assert "is not a name of this server" in answer["message"]


@pytest.mark.parametrize(
    "headers",
    [
        pytest.param({"Host": "localhost:6443"}, id="loopback by name"),
        pytest.param({"Host": "[::1]:6443"}, id="loopback of version 6"),
        pytest.param({"Host": "172.18.0.1:6443"}, id="address of a container network"),
        pytest.param({"Host": "fakecluster"}, id="name of a container"),
        pytest.param({"Host": "kubernetes.default.svc"}, id="the API server's Service"),
        pytest.param({"Host": "Fake.Example.COM"}, id="name that was given"),
        pytest.param({"Origin": "https://fake.example.com"}, id="page of the name that was given"),
        pytest.param(
            {"Host": "localhost", "Origin": "http://localhost"}, id="client that names the server as origin"
        ),
    ],
)
def test_clients_that_know_the_server_are_answered(ask, headers):
    assert ask("/version", **headers)[0] == 200


@pytest.mark.parametrize("origin", ["http://localhost:{}", "https://127.0.0.1:{}", "http://[::1]:{}"])
def test_the_server_by_another_of_its_names_is_no_foreign_page(cluster, ask, origin):
    port = urlsplit(cluster.url).port

    assert ask("/version", Origin=origin.format(port))[0] == 200


@pytest.mark.parametrize(
    ("headers", "name"),
    [
        pytest.param({"Host": "fake.lan:6443"}, "fake.lan", id="name"),
        pytest.param({"Origin": "https://console.lan:8443"}, "console.lan", id="page"),
        pytest.param({"Origin": "null"}, "NAME", id="no page"),
    ],
)
def test_the_refusal_says_what_lets_the_request_in(ask, headers, name):
    _, answer = ask("/version", **headers)

    assert f"start the server with --host {name} (in Python: hosts=['{name}'])" in answer["message"]


def test_another_protocol_is_not_begun_for_a_foreign_page(ask):
    code, _ = ask(
        "/api/v1/namespaces?watch=1", Origin="http://evil.example", Connection="Upgrade", Upgrade="websocket"
    )

    assert code == 403


def test_a_name_that_is_asked_for_once_is_not_kept_for_ever(ask):
    from fakecluster.server.http import hosts

    ask("/version", Host="a" * 60_000)

    assert hosts._name.cache_info().maxsize * (hosts.LONGEST_CHARACTERS + 1) < 100_000
    assert hosts._local.cache_info().maxsize <= 256


@pytest.mark.parametrize(("token", "code"), [(True, 200), (False, 403)], ids=["token", "no token"])
def test_where_rights_are_looked_at_a_token_is_answered_under_any_name(token, code):
    with FakeCluster(tls=False, controllers="none", authorization="rbac") as cluster:
        link = http.client.HTTPConnection(urlsplit(cluster.url).netloc, timeout=10)
        credentials = {"Authorization": f"Bearer {cluster.token()}"} if token else {}
        link.request("GET", "/version", headers={"Origin": "http://evil.example", **credentials})

        assert link.getresponse().status == code
        link.close()

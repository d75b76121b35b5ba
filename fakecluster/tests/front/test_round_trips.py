"""Requests that a front passes on unchanged, its authentication, and its answers without an upstream."""

from __future__ import annotations

import gzip
import json
import re
import urllib.error
import urllib.request

import pytest

from fakecluster import FakeCluster
from fakecluster.front import Front

from .conftest import MAPS, Client, answered, config_map, names, scripted

PODS = "/api/v1/namespaces/default/pods"
SWITCHED = b"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n"


def test_the_identity_behind_is_that_of_the_kubeconfig(behind, client):
    client.ask("POST", MAPS, config_map("a"))

    assert behind.journal.where(verb="create", name="a")[0].user == "admin"


def test_the_request_comes_as_it_was_sent(behind, client):
    client.ask("POST", f"{MAPS}?fieldManager=some%20body", config_map("a"), Audit_Id="mine")
    (entry,) = behind.journal.where(verb="create", resource="configmaps")

    assert (entry.query, entry.user_agent, entry.audit_id, json.loads(entry.body)["data"]) == (
        (("fieldManager", "some body"),),
        "client/1",
        "mine",
        {"k": "1"},
    )


@pytest.mark.parametrize(
    ("path", "code"), [("/version", 200), ("/nowhere", 404), (f"{MAPS}/none", 404), ("/readyz", 200)]
)
def test_status_and_body_are_those_of_the_server(behind, client, path, code):
    answer = client.send("GET", path)
    body = answer.read()

    assert (answer.status, body) == (code, client_of(behind, path))


def client_of(behind, path):
    """Return the upstream's answer to a client that does not use the front."""
    request = urllib.request.Request(
        f"{behind.url}{path}", headers={"Authorization": f"Bearer {behind.token()}"}
    )
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.read()
    except urllib.error.HTTPError as error:
        return error.read()


def test_headers_of_the_server_reach_the_client(client):
    answer = client.send("GET", MAPS)
    answer.read()

    assert (answer.headers["Cache-Control"], bool(answer.headers["X-Kubernetes-Pf-Flowschema-Uid"])) == (
        "no-cache, private",
        True,
    )


def test_a_head_has_no_body(client):
    answer = client.send("HEAD", f"{MAPS}")

    assert (answer.status, answer.read()) == (200, b"")


def test_large_answers_are_packed_for_who_unpacks(behind, client):
    behind.request("POST", MAPS, config_map("large", "x" * 200_000))
    answer = client.send("GET", f"{MAPS}/large", Accept_Encoding="gzip")

    assert answer.headers["Content-Encoding"] == "gzip"
    assert len(json.loads(gzip.decompress(answer.read()))["data"]["k"]) == 200_000


@pytest.mark.parametrize("token", ["", "Bearer nobody"], ids=["none", "unknown"])
def test_strangers_are_turned_away(behind, client, token):
    client.headers["Authorization"] = token
    code, status = client.ask("GET", MAPS)

    assert (code, status["reason"], len(behind.journal.where(resource="configmaps"))) == (
        401,
        "Unauthorized",
        0,
    )


def test_a_body_beyond_the_limit_stops_here(client):
    assert client.ask("POST", MAPS, b"x" * 3_200_000)[0] == 413


def test_nobody_behind_is_told_with_the_address(front, behind, client):
    behind.stop()
    code, status = client.ask("GET", MAPS)

    assert (code, status["reason"], behind.url in status["message"]) == (503, "ServiceUnavailable", True)
    assert front.journal.all[-1].code == 503


@pytest.mark.parametrize(
    "begun",
    [b"Content-Length: 100\r\n\r\n{", b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"],
    ids=["length", "chunks"],
)
def test_an_answer_that_breaks_off_breaks_off_here(begun):
    with scripted() as (listening, front), front:
        client = Client(front, "anna")
        client.link.request("GET", "/version", headers=client.headers)
        answered(listening, b"HTTP/1.1 200 OK\r\n" + begun).close()
        with pytest.raises(ConnectionError):
            client.link.getresponse()
        client.link.close()


def test_a_kubeconfig_names_the_server_by_its_context(tmp_path):
    with FakeCluster(clock="wall", controllers="none") as cluster:
        cluster.kubeconfig(tmp_path / "config")
        with Front.of_kubeconfig(tmp_path / "config", "fakecluster") as front:
            client = Client(front, "anna")
            namespaces = client.ask("GET", "/api/v1/namespaces")
            client.link.close()

    assert (namespaces[0], "default" in names(namespaces[1])) == (200, True)


def test_who_is_known_by_a_certificate_is_so_behind_a_front(tmp_path):
    with FakeCluster(clock="wall", controllers="none", authorization="rbac") as cluster:
        text = cluster.kubeconfig(user="carla")
        (tmp_path / "config").write_text(re.sub("    token: .*", "", text))
        with Front.of_kubeconfig(tmp_path / "config") as front:
            client = Client(front, "anna")
            code, _ = client.ask("GET", MAPS)
            client.link.close()
        user = cluster.journal.where(verb="list", resource="configmaps")[0].user

    assert (code, user) == (200, "carla")


def test_another_protocol_is_spoken_through():
    """Exec and port-forward of a real cluster upgrade the connection; the front copies the bytes after it."""
    upgrade = {"Connection": "Upgrade", "Upgrade": "SPDY/3.1"}
    with scripted() as (listening, front), front:
        client = Client(front, "anna")
        client.link.request("POST", f"{PODS}/a/exec", headers={**client.headers, **upgrade})
        link = answered(listening, SWITCHED + b"hello")
        begun = b""
        while not begun.endswith(b"hello"):
            begun += client.link.sock.recv(1000)
        client.link.sock.sendall(b"good day")
        heard = link.recv(100)
        client.link.close()
        link.close()

    assert (begun.startswith(b"HTTP/1.1 101"), heard) == (True, b"good day")

"""Watches over WebSockets that an extension server answers: here another cluster, which serves the group by a
definition (FK-437, FK-140).
"""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from wsproto.events import CloseConnection

from fakecluster import FakeCluster
from fakecluster.auth.certificates import Authority
from fakecluster.tests import websocket
from fakecluster.tests.websocket import ACCEPT, as_subprotocol

GROUP = "demo.example.com"
THINGS = f"/apis/{GROUP}/v1/namespaces/default/things"
OPEN = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
DEFINITION = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": f"things.{GROUP}"},
    "spec": {
        "group": GROUP,
        "scope": "Namespaced",
        "names": {"plural": "things", "kind": "Thing"},
        "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": OPEN}}],
    },
}
API_SERVICE = {
    "apiVersion": "apiregistration.k8s.io/v1",
    "kind": "APIService",
    "metadata": {"name": f"v1.{GROUP}"},
    "spec": {
        "group": GROUP,
        "version": "v1",
        "groupPriorityMinimum": 1,
        "versionPriority": 1,
        "insecureSkipTLSVerify": True,
        "service": {"namespace": "n", "name": "s"},
    },
}


@pytest.fixture(scope="module")
def authority():
    """The authority of both, so that the extension server believes the front proxy of the cluster."""
    return Authority.fresh()


@pytest.fixture(scope="module")
def extension(authority):
    with FakeCluster(controllers="none", certificates=authority, hosts=["s.n.svc"]) as cluster:
        cluster.apply([DEFINITION, thing("a")])
        yield cluster


@pytest.fixture(scope="module")
def cluster(extension, authority):
    services = {"n/s": urlsplit(extension.url).netloc}
    with FakeCluster(
        controllers="none", certificates=authority, services=services, authorization="rbac"
    ) as cluster:
        cluster.apply([API_SERVICE])
        cluster.settle()
        yield cluster


def thing(name, **spec):
    metadata = {"name": name, "namespace": "default"}
    return {"apiVersion": f"{GROUP}/v1", "kind": "Thing", "metadata": metadata, "spec": spec}


@pytest.fixture
def watch(cluster):
    """Opens a watch over a WebSocket through the cluster, as the administrator."""

    def opened(*headers, target=f"{THINGS}?watch=1", **options):
        return websocket.open_socket(cluster.url, target, *headers, **({"token": cluster.token()} | options))

    return opened


def test_each_event_of_an_extension_server_is_a_text_message(extension, watch):
    with watch() as client:
        first = client.watch_event()
        extension.apply([thing("a", k="v")])
        second = client.watch_event()

        assert (client.code, client.header("Sec-WebSocket-Accept")) == (101, ACCEPT)
        assert [first, second] == [("ADDED", "a"), ("MODIFIED", "a")]


def test_pings_and_closes_reach_the_extension_server(watch):
    with watch() as client:
        client.watch_event()

        assert client.ping(b"here") == b"here"
        client.close(1000)
        end = client.next()

    assert (type(end), end.code) == (CloseConnection, 1000)


def test_a_token_among_the_subprotocols_stays_at_the_cluster(cluster, watch):
    offered = f"Sec-WebSocket-Protocol: {as_subprotocol(cluster.token())}, base64.binary.k8s.io"

    with watch(offered, token="") as client:
        assert (client.code, client.header("Sec-WebSocket-Protocol")) == (101, "base64.binary.k8s.io")
        assert client.watch_event() == ("ADDED", "a")


def test_a_refusal_of_an_extension_server_is_no_websocket(watch):
    with watch(target=f"/apis/{GROUP}/v1/namespaces/default/others?watch=1") as client:
        assert client.code == 503
        assert b"invalid upgrade response: status code 404" in client.rest


def test_a_client_without_rights_gets_no_tunnel(watch):
    with watch(token="") as client:
        assert client.code == 403

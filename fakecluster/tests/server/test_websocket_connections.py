"""exec and attach over WebSockets where no kubelet answers: the API server says so on a channel (FK-485)."""

from __future__ import annotations

import json

import pytest

from fakecluster import FakeCluster
from fakecluster.tests import websocket

PODS = "/api/v1/namespaces/default/pods"
V5 = "Sec-WebSocket-Protocol: v5.channel.k8s.io"


@pytest.fixture(scope="module")
def cluster():
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}}
    spec = {"nodeName": "n", "containers": [{"name": "c", "image": "i"}]}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "namespace": "default"}, "spec": spec}
    with FakeCluster(controllers="none", tls=False, clock="wall") as cluster:
        cluster.apply([node, pod])
        addresses = [
            {"type": "ExternalIP", "address": "10.9.9.9"},
            {"type": "InternalIP", "address": "10.0.0.7"},
        ]
        node = cluster.request("GET", "/api/v1/nodes/n")
        cluster.request("PUT", "/api/v1/nodes/n/status", {**node, "status": {"addresses": addresses}})
        yield cluster


def connect(cluster, path, *headers):
    return websocket.open_socket(cluster.url, f"{PODS}/p/{path}", *headers, token=cluster.token())


@pytest.mark.parametrize(
    ("path", "first", "target"),
    [
        pytest.param(
            "exec?command=a%26b&stdout=1", b"\1", "/exec/default/p/c?command=a%26b&output=1", id="exec"
        ),
        pytest.param(
            "exec?stderr=1&command=ls&command=-l",
            b"\2",
            "/exec/default/p/c?command=ls&command=-l&error=1",
            id="errors",
        ),
        pytest.param("attach?stdin=1&tty=1", b"\3", "/attach/default/p/c?input=1&tty=1", id="attach"),
    ],
)
def test_a_connection_begins_and_its_error_follows(cluster, path, first, target):
    with connect(cluster, path, V5) as client:
        opening, failure = client.message(), client.message()

        assert (client.header("Sec-WebSocket-Protocol"), opening, failure[:1]) == (
            "v5.channel.k8s.io",
            first,
            b"\3",
        )
        assert (
            f'Post "https://10.0.0.7:10250{target}": dial tcp 10.0.0.7:10250: connect: connection refused'
            in json.loads(failure[1:])["message"]
        )
        assert client.next().code == 1000


@pytest.mark.parametrize(
    "headers", [(), ("Sec-WebSocket-Protocol: v4.channel.k8s.io",)], ids=["none", "older"]
)
def test_other_protocols_are_left_to_the_kubelet(cluster, headers):
    with connect(cluster, "exec?command=ls&stdout=1", *headers) as client:
        assert client.code == 500


def test_the_journal_tells_of_the_switch(cluster):
    with connect(cluster, "attach?stderr=1", V5):
        assert cluster.journal.where(resource="pods", subresource="attach")[-1].code == 101

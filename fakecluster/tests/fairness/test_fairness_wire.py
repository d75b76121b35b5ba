"""A busy priority level over the wire: one request waits for a webhook,
the next is refused (FK-009, FK-520, FK-521).
"""

from __future__ import annotations

import http.client
import socket
from concurrent.futures import ThreadPoolExecutor

import pytest

from fakecluster import FakeCluster
from fakecluster.api.outcome import User

FLOW = "/apis/flowcontrol.apiserver.k8s.io/v1"
LEVEL = f"{FLOW}/prioritylevelconfigurations/global-default"
SCHEMA = f"{FLOW}/flowschemas/global-default"
DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
HOSTS = "/apis/demo.example.com/{}/namespaces/default/hosts"
TOKENS = {"alice-token": User(name="alice", groups=("devs", "system:authenticated"))}


def definition(port):
    schema = {"openAPIV3Schema": {"type": "object"}}
    versions = [
        {"name": name, "served": True, "storage": name == "v1", "schema": schema} for name in ("v1", "v2")
    ]
    webhook = {
        "conversionReviewVersions": ["v1"],
        "clientConfig": {"url": f"https://127.0.0.1:{port}/convert"},
    }
    spec = {
        "group": "demo.example.com",
        "scope": "Namespaced",
        "names": {"plural": "hosts", "kind": "Host"},
        "versions": versions,
        "conversion": {"strategy": "Webhook", "webhook": webhook},
    }
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "hosts.demo.example.com"},
        "spec": spec,
    }


@pytest.fixture
def webhook():
    """A server that takes connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening


@pytest.fixture
def cluster(webhook):
    """A cluster with one seat for each level, whose default
    level has no queues, and an object that needs the webhook.
    """
    with FakeCluster(
        tls=False,
        controllers="none",
        tokens=TOKENS,
        max_requests_inflight=1,
        max_mutating_requests_inflight=0,
    ) as running:
        level = running.request("GET", LEVEL)
        limited = {**level["spec"]["limited"], "limitResponse": {"type": "Reject"}}
        running.request("PUT", LEVEL, {**level, "spec": {"type": "Limited", "limited": limited}})
        running.request("POST", DEFINITIONS, definition(webhook.getsockname()[1]))
        host = {"apiVersion": "demo.example.com/v1", "kind": "Host", "metadata": {"name": "a"}}
        running.request("POST", HOSTS.format("v1"), host)
        yield running


def ask(cluster, path):
    connection = http.client.HTTPConnection(cluster.url.removeprefix("http://"), timeout=10)
    connection.request("GET", path, headers={"Authorization": "Bearer alice-token"})
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer, body


def test_fk_521_whoever_finds_the_level_busy_is_told_to_come_back(cluster, webhook):
    with ThreadPoolExecutor() as pool:
        first = pool.submit(ask, cluster, HOSTS.format("v2") + "/a")
        called, _ = webhook.accept()
        refused, body = ask(cluster, HOSTS.format("v1"))
        called.close()
        answered, _ = first.result()

    assert (refused.status, refused.getheader("Retry-After"), answered.status) == (429, "1", 500)
    assert body == b"Too many requests, please try again later.\n"


def test_fk_521_the_next_request_finds_the_seat_free(cluster, webhook):
    with ThreadPoolExecutor() as pool:
        first = pool.submit(ask, cluster, HOSTS.format("v2") + "/a")
        webhook.accept()[0].close()
        first.result()

    assert ask(cluster, HOSTS.format("v1"))[0].status == 200


def test_fk_009_answers_name_the_flow_and_the_level_by_uid(cluster):
    answer, _ = ask(cluster, HOSTS.format("v1"))

    named = [cluster.request("GET", path)["metadata"]["uid"] for path in (SCHEMA, LEVEL)]
    headers = ("X-Kubernetes-Pf-Flowschema-Uid", "X-Kubernetes-Pf-Prioritylevel-Uid")
    assert [answer.getheader(name) for name in headers] == named

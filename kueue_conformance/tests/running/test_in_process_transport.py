"""The harness asks a cluster of this process without a connection, and is told from others all the same."""

import pytest

from fakecluster.cluster.fake_cluster import FakeCluster
from fakecluster.faults import Answer
from kueue_conformance.backends.fake.in_process_transport import InProcessTransport
from kueue_conformance.base.errors import EnvironmentProblem
from kueue_conformance.wire.client import ApiError, Client


@pytest.fixture
def cluster():
    with FakeCluster(controllers="none", tls=False) as running:
        yield running


@pytest.fixture
def client(cluster):
    return Client(InProcessTransport(cluster), agent="harness")


def test_request_is_answered_and_told_by_the_journal(cluster, client):
    client.create({"kind": "Namespace", "metadata": {"name": "a"}})

    last = [*cluster.journal][-1]
    assert (last.user, last.user_agent, last.verb, last.name, last.code) == (
        "admin",
        "harness",
        "create",
        "a",
        201,
    )


def test_refusal_is_an_answer(client):
    with pytest.raises(ApiError, match='namespaces "a" not found'):
        client.get("Namespace", "a")


def test_stranger_is_not_let_in(cluster, client):
    cluster._settings.tokens.clear()

    with pytest.raises(ApiError) as refused:
        client.get("Namespace", "default")

    assert refused.value.code == 401


def test_faults_are_not_for_the_harness(cluster, client):
    cluster.faults.add(Answer(503), id="for the subject", verb="get")

    assert client.get("Namespace", "default")["kind"] == "Namespace"
    cluster.faults.remove("for the subject")


def test_server_that_is_gone(cluster, client):
    cluster.stop()

    with pytest.raises(EnvironmentProblem, match="the API server of this process does not answer: "):
        client.get("Namespace", "default")

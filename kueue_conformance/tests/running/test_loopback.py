"""The client in the process finds its server again when that has closed an idle connection."""

import pytest

from fakecluster.cluster import FakeCluster
from kueue_conformance.errors import EnvironmentProblem
from kueue_conformance.wire.loopback import Loopback


@pytest.fixture
def cluster():
    with FakeCluster(controllers="none", tls=False) as running:
        yield running


@pytest.fixture
def ask(cluster):
    loopback = Loopback(cluster.url, cluster.token())
    yield lambda: loopback("GET", "/version", {}, None)[0]
    loopback.close()


def test_connection_that_was_closed_meanwhile_is_made_anew(cluster, ask):
    assert ask() == 200

    cluster.call(lambda: cluster.listener.cut_overdue(float("inf")))
    cluster.settle()

    assert ask() == 200


def test_server_that_is_gone(cluster, ask):
    cluster.stop()

    with pytest.raises(EnvironmentProblem, match="the API server of this process does not answer: "):
        ask()

"""An API server is examined by what was recorded, however long the cases between two topics take (design.md §8)."""

import pytest

from fakecluster.api.outcome import User
from fakecluster.cluster import FakeCluster
from kueue_conformance.endpoint import USERS, Endpoint
from kueue_conformance.examining import Examiner
from kueue_conformance.inventory import inventory

A_LONG_TIME = 3600.0


@pytest.fixture
def cluster():
    known = {name: User(name=name, groups=groups) for name, groups in USERS.items()}
    with FakeCluster(
        clock="wall", authorization="rbac", controllers="none", tls=False, tokens=known
    ) as running:
        yield running


def test_topic_is_asked_although_the_server_closed_what_was_idle(cluster):
    examiner = Examiner(Endpoint.by_token(cluster.url, {name: name for name in USERS}))
    scenario = inventory()["API-390"]
    examiner.examine("paging/make-a", scenario)

    cluster.call(lambda: cluster.listener.cut_overdue(cluster.loop.time() + A_LONG_TIME))

    examiner.examine("reading/create-b", scenario)

"""An API server is examined by what was recorded,
however long the cases between two topics take (design.md §8).
"""

import pytest

from fakecluster.api.outcome import User
from fakecluster.cluster.fake_cluster import FakeCluster
from kueue_conformance.base.errors import Nonconformance
from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.vectors.examiner import Examiner
from kueue_conformance.vectors.known_differences import known_differences
from kueue_conformance.wire.client import RUN_LABEL
from kueue_conformance.wire.endpoint import USERS, Endpoint

A_LONG_TIME = 3600.0


@pytest.fixture
def api_server(cluster):
    """The server of the cluster, which has no controllers."""
    endpoint = Endpoint.by_token(cluster.url, {name: name for name in USERS})
    return lambda *, controllers=False: endpoint


@pytest.fixture
def cluster():
    users = {name: User(name=name, groups=groups) for name, groups in USERS.items()}
    with FakeCluster(
        clock="wall", authorization="rbac", controllers="none", tls=False, tokens=users, patience=0
    ) as running:
        yield running


def test_topic_is_asked_although_the_server_closed_what_was_idle(cluster, api_server):
    examiner = Examiner(api_server)
    scenario = inventory()["API-390"]
    examiner.examine("paging/make-a", scenario)

    cluster.call(lambda: cluster.listener.cut_overdue(cluster.loop.time() + A_LONG_TIME))

    examiner.examine("reading/create-b", scenario)


def test_known_difference_is_told_with_its_row(api_server):
    examiner = Examiner(api_server, known_differences())

    assert examiner.examine("malformed/merge-key", inventory()["API-001"]).startswith(
        "known difference, FK-026: "
    )


def test_known_difference_that_is_gone_fails(api_server):
    known_rows = {"paging/make-a": {"row": "FK-130", "reason": "none"}}
    examiner = Examiner(api_server, known_rows)

    with pytest.raises(Nonconformance, match="nothing by now: remove its row"):
        examiner.examine("paging/make-a", inventory()["API-130"])


def test_the_namespace_of_a_topic_bears_the_labels_of_a_run(cluster, api_server):
    Examiner(api_server, labels={RUN_LABEL: "run-1"}).examine("paging/make-a", inventory()["API-130"])

    labels = [
        change.after["metadata"]["labels"].get(RUN_LABEL)
        for entry in cluster.journal
        if (entry.resource, entry.verb) == ("namespaces", "create")
        for change in entry.changes
    ]
    assert labels == ["run-1"]

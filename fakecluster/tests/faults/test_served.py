"""Rules of a cluster name what it serves, and what never hit is told when it stops (issue 16, 18)."""

from __future__ import annotations

import pytest

from fakecluster import FakeCluster
from fakecluster.faults import Drop, RuleError

DEFINITION = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "widgets.demo.example.com"},
    "spec": {
        "group": "demo.example.com",
        "names": {"plural": "widgets", "kind": "Widget"},
        "scope": "Namespaced",
        "versions": [
            {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {"type": "object"}}}
        ],
    },
}


@pytest.fixture
def cluster():
    with FakeCluster(tls=False, controllers="none") as fake_cluster:
        yield fake_cluster


@pytest.mark.parametrize(
    "resource", ["pods/binding", "jobs.batch/status", "namespaces/finalize", "pods/log"], ids=str
)
def test_builtin_resources_may_be_named(cluster, resource):
    assert cluster.faults.add(Drop(), resource=resource)


def test_a_custom_resource_may_be_named_from_its_definition_on(cluster):
    with pytest.raises(RuleError, match="of a kind whose definition is applied"):
        cluster.faults.add(Drop(), resource="widgets")
    cluster.apply([DEFINITION])

    assert cluster.faults.add(Drop(), resource="widgets.demo.example.com")


def test_a_fork_knows_what_it_serves(cluster):
    cluster.apply([DEFINITION])
    with cluster.fork() as child:
        assert child.faults.add(Drop(), resource="widgets")


def test_watches_are_ended_by_words_that_are_checked_as_well(cluster):
    with pytest.raises(RuleError, match=r"a match has no 'resources': .*did you mean 'resource'"):
        cluster.end_watches(410, resources="pods")


def test_what_never_hit_is_told_at_the_end_and_not_at_a_restart(caplog):
    cluster = FakeCluster(tls=False, controllers="none").start()
    cluster.faults.add(Drop(), id="idle", resource="pods")
    cluster.restart()
    assert "idle" not in caplog.text

    cluster.stop()
    cluster.stop()

    assert caplog.text.count("fault idle never hit") == 1

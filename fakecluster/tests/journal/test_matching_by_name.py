"""Questions to the journal by keyword."""

from fakecluster import FakeCluster


def test_a_condition_may_be_given_by_its_name():
    with FakeCluster(controllers="none", tls=False) as cluster:
        cluster.request("GET", "/api/v1/pods")

        found = cluster.journal.where(matches=lambda one: one.verb == "list", resource="pods")

    assert [one.path for one in found] == ["/api/v1/pods"]

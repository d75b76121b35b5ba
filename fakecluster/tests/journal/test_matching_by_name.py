"""Questions to the journal by keyword."""

from fakecluster import FakeCluster


def test_a_condition_may_be_given_by_its_name():
    with FakeCluster(controllers="none", tls=False) as cluster:
        cluster.request("GET", "/api/v1/pods")

        entries = cluster.journal.where(matches=lambda entry: entry.verb == "list", resource="pods")

    assert [entry.path for entry in entries] == ["/api/v1/pods"]

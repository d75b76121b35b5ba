"""Every answer has an id of its own, which is not that of an object (FK-009)."""

from http.client import HTTPConnection
from urllib.parse import urlsplit

from fakecluster.cluster.fake_cluster import FakeCluster

ENOUGH = 200
"""Requests and objects: more than a cluster begins with."""


def test_no_audit_id_is_the_uid_of_an_object():
    with FakeCluster(tls=False, controllers="none") as cluster:
        connection = HTTPConnection(urlsplit(cluster.url).netloc)
        headers = {"Authorization": f"Bearer {cluster.token()}"}
        uids, audit_ids = set(), set()
        for number in range(ENOUGH):
            response = cluster.request(
                "POST", "/api/v1/namespaces/default/configmaps", {"metadata": {"name": f"x-{number}"}}
            )
            uids.add(response["metadata"]["uid"])
            connection.request("GET", "/version", headers=headers)
            answer = connection.getresponse()
            answer.read()
            audit_ids.add(answer.headers["Audit-Id"])
        connection.close()

    assert len(audit_ids) == ENOUGH
    assert not audit_ids & uids

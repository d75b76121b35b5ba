"""/metrics: what was answered is counted from the first look on,
and before as far as the journal reaches (FK-018).
"""

from __future__ import annotations

import pytest

from fakecluster import FakeCluster
from fakecluster.api.status import StatusError

MAPS = "/api/v1/namespaces/default/configmaps"
REQUEST = 'apiserver_request_total{{code="{}",component="apiserver",dry_run="{}",group="",resource="configmaps",scope="{}",subresource="",verb="{}",version="v1"}} {}'


@pytest.fixture
def cluster():
    with FakeCluster(tls=False, controllers="none") as running:
        running.request("POST", MAPS, {"metadata": {"name": "a"}})
        running.request("POST", MAPS, {"metadata": {"name": "b"}}, query=[("dryRun", "All")])
        yield running


def metrics(cluster):
    return cluster.request("GET", "/metrics").splitlines()


def test_requests_are_counted_by_what_they_asked_for(cluster):
    samples = metrics(cluster)
    assert REQUEST.format(201, "", "resource", "POST", 1) in samples
    assert REQUEST.format(201, "All", "resource", "POST", 1) in samples


def test_later_requests_are_counted_as_well(cluster):
    metrics(cluster)
    cluster.request("GET", MAPS)
    assert REQUEST.format(200, "", "namespace", "LIST", 1) in metrics(cluster)


def test_apply_is_a_verb_of_its_own(cluster):
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}
    headers = {"content-type": "application/apply-patch+yaml"}
    cluster.request("PATCH", f"{MAPS}/a", body, query=[("fieldManager", "m")], headers=headers)
    assert REQUEST.format(200, "", "resource", "APPLY", 1) in metrics(cluster)


def test_delete_sets_the_counters_back(cluster):
    assert cluster.request("DELETE", "/metrics") == "metrics reset\n"
    assert REQUEST.format(201, "", "resource", "POST", 1) not in metrics(cluster)


def test_objects_are_counted_where_they_are(cluster):
    cluster.request("POST", MAPS, {"metadata": {"name": "c"}})
    (line,) = (
        metric for metric in metrics(cluster) if 'resource="configmaps"' in metric and "_objects" in metric
    )
    assert (
        line
        == f'apiserver_resource_objects{{group="",resource="configmaps"}} {len(cluster.request("GET", "/api/v1/configmaps")["items"])}'
    )


@pytest.mark.parametrize("path", ["/nowhere", "/api/v1/namespaces/default/things", f"{MAPS}/a/things"])
def test_what_is_not_there_is_not_counted(cluster, path):
    with pytest.raises(StatusError, match=r"not (found|find)"):
        cluster.request("GET", path)

    assert not [line for line in metrics(cluster) if 'code="404"' in line]

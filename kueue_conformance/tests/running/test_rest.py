"""Rest in real time: a write begins it anew, and the Lease of a leader does not."""

from contextlib import closing

import pytest

from kueue_conformance.backends.fake.shared import WallFakeBackend
from kueue_conformance.scenarios.dialect import known_dialects
from kueue_conformance.wire.client import Client
from kueue_conformance.wire.transport import connect

LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases"
CONFIG_MAPS = "/api/v1/namespaces/default/configmaps"


@pytest.fixture
def lease():
    backend = WallFakeBackend()
    try:
        with closing(backend.lend(known_dialects()["v0.19"])) as lent:
            yield lent
    finally:
        backend.close()


@pytest.mark.parametrize(("path", "waits"), [(LEASES, 1), (CONFIG_MAPS, 2)], ids=["Lease", "ConfigMap"])
def test_only_the_lease_of_a_leader_leaves_a_cluster_at_rest(lease, path, waits):
    client, calls = Client(connect(lease.kubeconfig), agent="leader"), []

    def write_once():
        calls.append(None)
        if len(calls) == 1:
            client.call("POST", path, {"metadata": {"name": "written"}})
        return False

    lease.rest(0.2, write_once)

    assert len(calls) == waits

"""What a LocalQueue that stops or goes changes for its ClusterQueue (C-10, AC-432)."""

import pytest

from reference_impl.kueue.queues.status import cluster_queue_status, local_queue_status
from reference_impl.kueue.workload.conditions import Condition

from ..scheduling.queue_side import Cluster, group

LOCAL = {"metadata": {"namespace": "ns", "name": "cq"}, "spec": {"clusterQueue": "cq"}}
STOPPED = {**LOCAL, "spec": {"clusterQueue": "cq", "stopPolicy": "Hold"}}
ACTIVE = Condition("Active", True, "Ready", "m")


def make_crowded():
    return Cluster().flavors().queue("cq", group("cpu", default=["0"])).cpu("w", "1")


def cluster_queue(cluster, **status):
    spec = cluster.queue_manager.catalogue.cluster_queues["cq"]
    obj = {"metadata": {"name": "cq"}, "status": status}
    return cluster_queue_status(cluster.queue_manager, spec, obj, ACTIVE, cluster.now)


@pytest.mark.parametrize("new", [STOPPED, None], ids=["stopped", "deleted"])
def test_the_cluster_queue_hears_nothing_but_its_metrics_do(new):
    cluster = make_crowded()
    cluster.silence.dirty.clear()

    cluster.notes.local_queue(LOCAL, new)

    assert cluster.silence.dirty == ["ns/cq"]
    assert cluster.silence.fewer == ["cq"]
    assert cluster.queue_manager.queues.cluster_queues["cq"].pending == 0


def test_the_local_queue_has_nobody_waiting():
    cluster = make_crowded()
    before = local_queue_status(cluster.queue_manager, LOCAL, {}, ACTIVE, cluster.now)["pendingWorkloads"]

    cluster.notes.local_queue(LOCAL, STOPPED)

    after = local_queue_status(cluster.queue_manager, STOPPED, {}, ACTIVE, cluster.now)["pendingWorkloads"]
    assert (before, after) == (1, 0)


def test_a_share_that_somebody_wrote_is_taken_out():
    assert "fairSharing" not in cluster_queue(make_crowded(), fairSharing={"weightedShare": 7})


def test_of_a_queue_without_flavors_no_usage_is_told():
    cluster = Cluster().queue("cq")

    status = cluster_queue(cluster, flavorsUsage=[{"name": "gone"}])

    assert not status.keys() & {"flavorsReservation", "flavorsUsage"}

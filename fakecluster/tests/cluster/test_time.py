"""Virtual time until something holds, hurried time, and clusters that share a clock (F-02, F-10)."""

from __future__ import annotations

import json
import threading
import urllib.request

import pytest

from fakecluster import FakeCluster
from fakecluster.cluster.time_control import NeverHeld

JOB = {
    "apiVersion": "batch/v1",
    "kind": "Job",
    "metadata": {"name": "j", "namespace": "default"},
    "spec": {
        "template": {
            "metadata": {"annotations": {"fakecluster.dev/script": "2s Running, 3600s Succeeded"}},
            "spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": "i"}]},
        }
    },
}
JOBS = "/apis/batch/v1/namespaces/default/jobs"


def complete(cluster):
    return cluster.journal.where(
        lambda entry: (entry.after or {}).get("status", {}).get("completionTime"), resource="jobs"
    )


def test_time_runs_until_something_holds():
    with FakeCluster() as cluster:
        before = cluster.clock.now()
        cluster.apply([JOB])
        cluster.run_until(lambda: bool(complete(cluster)), max_virtual=7200)

        assert 3602 <= cluster.clock.now() - before < 3700


def test_what_never_holds_is_told_with_the_story():
    with FakeCluster(controllers="none") as cluster:
        cluster.apply([JOB])
        with pytest.raises(
            NeverHeld, match=r"it did not hold within 60 s of virtual time:\n(.*\n)*.*batch/v1.*jobs/j"
        ):
            cluster.run_until(lambda: False, max_virtual=60)


def test_pods_live_faster_in_hybrid_time():
    with FakeCluster(clock="hybrid", speed=100_000) as cluster:
        journal = cluster.journal
        done = threading.Event()
        journal.subscribe(
            lambda entry: done.set() if (entry.after or {}).get("status", {}).get("completionTime") else None
        )
        cluster.apply([JOB])

        assert done.wait(30)


def test_clusters_of_one_clock_move_together():
    with FakeCluster() as entry, FakeCluster(beside=entry) as other:
        other.apply([JOB])
        entry.advance(3700)

        assert entry.clock is other.clock
        assert other.request("GET", f"{JOBS}/j")["status"]["succeeded"] == 1


def succeeded(cluster):
    """Ask over the network, as an ordinary client does: each request needs the cluster's loop."""
    request = urllib.request.Request(f"{cluster.url}{JOBS}/j")
    request.add_header("Authorization", f"Bearer {cluster.token()}")
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)["status"].get("succeeded")


@pytest.mark.parametrize("wait", ["run_until", "wait_until"])
def test_what_is_waited_for_may_be_asked_over_the_network(wait):
    with FakeCluster(tls=False) as cluster:
        cluster.apply([JOB])

        assert getattr(cluster, wait)(lambda: succeeded(cluster), 7200) == 1


def test_real_time_is_waited_for_as_well():
    with FakeCluster(tls=False, clock="hybrid", speed=100_000) as cluster:
        cluster.apply([JOB])

        assert cluster.wait_until(lambda: succeeded(cluster)) == 1


def test_what_never_holds_in_real_time_is_told_with_what_was_written():
    with FakeCluster(clock="wall", controllers="none") as cluster:
        cluster.apply([JOB])
        with pytest.raises(NeverHeld, match=r"it did not hold within 0\.1 s:\n(.*\n)*.*jobs/j"):
            cluster.wait_until(lambda: False, seconds=0.1)


def test_what_changes_outside_of_the_cluster_is_seen_in_real_time():
    answers = iter([None, None, "here"])
    with FakeCluster(clock="wall", controllers="none") as cluster:
        assert cluster.wait_until(lambda: next(answers)) == "here"

"""Pods are driven from the thread of a test and from the loop of the cluster."""

import pytest

from fakecluster import FakeCluster

POD = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "a", "namespace": "default", "annotations": {"note": "x" * 40_000}},
    "spec": {"containers": [{"name": "c", "image": "example.com/c:1"}]},
}


@pytest.mark.parametrize("on_the_loop", [False, True], ids=["in its own thread", "on the loop"])
def test_a_pod_succeeds_in_the_call(on_the_loop):
    with FakeCluster() as cluster:
        cluster.apply([POD])
        cluster.advance(5)

        if on_the_loop:
            cluster.call(lambda: cluster.pods.succeed("default", "a"))
        else:
            cluster.pods.succeed("default", "a")

        phases = cluster.call(
            lambda: [pod.object["status"]["phase"] for pod in cluster._core.store.list(("", "pods"))]
        )
        assert phases == ["Succeeded"]

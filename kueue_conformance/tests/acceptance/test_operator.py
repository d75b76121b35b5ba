"""An operator that comes from elsewhere, unmodified: KubeRay,
on controller-runtime, makes and keeps clusters of pods.
"""

from __future__ import annotations

import subprocess

import pytest
import yaml

from fakecluster import FakeCluster

pytestmark = [pytest.mark.acceptance, pytest.mark.timeout(1500)]
CLUSTERS = "/apis/ray.io/v1/namespaces/default/rayclusters"
PODS = "/api/v1/namespaces/default/pods"
LEASE = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/ray-operator-leader"


@pytest.fixture
def cluster(kuberay, tmp_path):
    """A cluster with the operator beside it."""
    program, definitions = kuberay
    with FakeCluster(clock="wall") as fake_cluster, (tmp_path / "log").open("w") as log:
        fake_cluster.kubeconfig(tmp_path / "kubeconfig")
        fake_cluster.apply(
            yaml.safe_load(file.read_text("utf-8")) for file in sorted(definitions.glob("*.yaml"))
        )
        endpoints = ["-metrics-addr", "127.0.0.1:0", "-health-probe-bind-address", "127.0.0.1:0"]
        leading = ["-leader-election-namespace", "kube-system"]
        operator = subprocess.Popen(
            [program, "-kubeconfig", tmp_path / "kubeconfig", *endpoints, *leading], stdout=log, stderr=log
        )
        try:
            yield fake_cluster
        finally:
            operator.terminate()
            operator.wait(30)


def ray_cluster(**spec):
    pod = {"spec": {"containers": [{"name": "ray", "image": "ray:1"}]}}
    workers = {
        "groupName": "small",
        "replicas": 2,
        "minReplicas": 0,
        "maxReplicas": 5,
        "rayStartParams": {},
        "template": pod,
    }
    return {
        "apiVersion": "ray.io/v1",
        "kind": "RayCluster",
        "metadata": {"name": "c", "namespace": "default"},
        "spec": {
            "headGroupSpec": {"rayStartParams": {}, "template": pod},
            "workerGroupSpecs": [workers],
            **spec,
        },
    }


def pods(cluster, kind):
    """The names of the running pods of one kind."""
    return {
        pod["metadata"]["name"]
        for pod in cluster.request("GET", PODS)["items"]
        if pod["metadata"]["labels"]["ray.io/node-type"] == kind and pod["status"]["phase"] == "Running"
    }


def change(cluster, alter):
    """Change the RayCluster, which the operator writes to as well."""

    def write():
        current = cluster.request("GET", f"{CLUSTERS}/c")
        alter(current["spec"])
        cluster.apply([{**ray_cluster(), "spec": current["spec"]}])
        return True

    cluster.wait_until(write)


def test_it_makes_a_cluster_keeps_it_and_lets_it_go(cluster):
    cluster.apply([ray_cluster()])
    cluster.wait_until(
        lambda: cluster.request("GET", f"{CLUSTERS}/c").get("status", {}).get("state") == "ready"
    )
    assert (len(pods(cluster, "head")), len(pods(cluster, "worker"))) == (1, 2)
    assert (
        cluster.request("GET", "/api/v1/namespaces/default/services/c-head-svc")["spec"]["clusterIP"]
        == "None"
    )

    before = pods(cluster, "worker")
    cluster.request("DELETE", f"{PODS}/{min(before)}")
    cluster.wait_until(lambda: len(pods(cluster, "worker") - before) == 1)

    change(cluster, lambda spec: spec["workerGroupSpecs"][0].update(replicas=4))
    cluster.wait_until(lambda: len(pods(cluster, "worker")) == 4)

    change(cluster, lambda spec: spec.update(suspend=True))
    cluster.wait_until(lambda: not pods(cluster, "head") and not pods(cluster, "worker"))

    cluster.request("DELETE", f"{CLUSTERS}/c")
    cluster.wait_until(lambda: "c-head-svc" not in service_names(cluster))


def service_names(cluster):
    return {
        item["metadata"]["name"]
        for item in cluster.request("GET", "/api/v1/namespaces/default/services")["items"]
    }


def test_it_leads_by_a_lease(cluster):
    cluster.wait_until(
        lambda: cluster.journal.where(resource="leases", verb="create", name="ray-operator-leader")
    )

    assert cluster.request("GET", LEASE)["spec"]["holderIdentity"]

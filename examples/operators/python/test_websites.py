"""The operator of this folder, played again with one perturbation at a time."""

import sys

import pytest

from fakecluster.explore import perturb

DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments"
SHOP = {
    "apiVersion": "example.com/v1",
    "kind": "Website",
    "metadata": {"name": "shop", "namespace": "default"},
}


def drive(cluster):
    cluster.apply([SHOP | {"spec": {"replicas": 1}}])
    yield
    cluster.apply([SHOP | {"spec": {"replicas": 3}}])


def check(cluster):
    (deployment,) = cluster.request("GET", DEPLOYMENTS)["items"]
    assert deployment["spec"]["replicas"] == 3


@pytest.mark.fakecluster(clock="wall")
def test_websites(cluster):
    cluster.apply_files(["website.yaml"])
    perturb(cluster, [sys.executable, "websites.py"], drive, check)

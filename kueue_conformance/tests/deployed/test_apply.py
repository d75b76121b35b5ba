"""`kubectl apply` of the printed manifests: once, again without any change, and `kubectl delete`."""

import shutil
import subprocess

import pytest

from fakecluster import FakeCluster

from .site import manifests

KUBECTL = shutil.which("kubectl")


@pytest.fixture
def cluster():
    with FakeCluster(clock="wall", controllers="namespaces,clusterroles") as cluster:
        yield cluster


@pytest.fixture
def kubectl(cluster, tmp_path):
    """Run kubectl with the manifests on its input."""
    if KUBECTL is None:
        pytest.skip("kubectl is not on PATH: install it to apply the printed manifests")
    cluster.kubeconfig(tmp_path / "kubeconfig")
    text, _ = manifests()

    def kubectl(*arguments):
        return subprocess.run(
            [KUBECTL, *arguments, "-f", "-"],
            input=text,
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
            env={"KUBECONFIG": str(tmp_path / "kubeconfig"), "HOME": str(tmp_path)},
        ).stdout.splitlines()

    return kubectl


def test_applied_twice_and_deleted(cluster, kubectl):
    _, objects = manifests()

    created = kubectl("apply")
    before = cluster.journal.last
    kubectl("apply")
    changed = [
        entry.line()
        for entry in cluster.journal.since(before)
        if entry.wrote and entry.user_agent.startswith("kubectl")
    ]
    kubectl("delete", "--ignore-not-found")

    assert len(created) == len(objects)
    assert changed == []
    assert kubectl("get", "--ignore-not-found", "--output", "name") == []

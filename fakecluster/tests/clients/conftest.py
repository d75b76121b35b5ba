"""A cluster over HTTPS with a definition and a kubeconfig, for clients that know nothing of us."""

from __future__ import annotations

import pytest

from fakecluster import FakeCluster

WIDGETS = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "widgets.example.com"},
    "spec": {
        "group": "example.com",
        "scope": "Namespaced",
        "names": {"plural": "widgets", "singular": "widget", "kind": "Widget", "listKind": "WidgetList"},
        "versions": [
            {
                "name": "v1",
                "served": True,
                "storage": True,
                "subresources": {"status": {}},
                "schema": {
                    "openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
                },
            }
        ],
    },
}


@pytest.fixture
def cluster():
    with FakeCluster(clock="wall") as cluster:
        cluster.apply([WIDGETS])
        yield cluster


@pytest.fixture
def kubeconfig(cluster, tmp_path):
    cluster.kubeconfig(tmp_path / "kubeconfig")
    return tmp_path / "kubeconfig"


@pytest.fixture
def job():
    """A Job whose pod succeeds at once."""
    container = {"name": "c", "image": "i"}
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": "j", "namespace": "default"},
        "spec": {"template": {"spec": {"restartPolicy": "Never", "containers": [container]}}},
    }

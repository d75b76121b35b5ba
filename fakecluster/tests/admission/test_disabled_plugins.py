"""Admission plugins that are disabled by the names that kube-apiserver has for them."""

from __future__ import annotations

import pytest

from fakecluster import FakeCluster
from fakecluster.api.status import StatusError
from fakecluster.envtest import apiserver
from fakecluster.envtest.flags import Flags

PODS = "/api/v1/namespaces/default/pods"
NODE = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "node"}}
POD = {
    "apiVersion": "v1", "kind": "Pod", "metadata": {"name": "pod"},
    "spec": {"containers": [{"name": "main", "image": "image"}]},
}  # fmt: skip


@pytest.mark.parametrize(
    ("plugin", "path", "made", "field"),
    [
        pytest.param("TaintNodesByCondition", "/api/v1/nodes", NODE, "taints", id="the taint of a new node"),
        pytest.param("DefaultTolerationSeconds", PODS, POD, "tolerations", id="the tolerations of a pod"),
        pytest.param("Priority", PODS, POD, "priority", id="the priority of a pod"),
    ],
)
def test_a_disabled_plugin_leaves_an_object_as_it_is(plugin, path, made, field):
    with (
        FakeCluster(controllers="none") as enabled,
        FakeCluster(controllers="none", disabled_admission_plugins=[plugin]) as disabled,
    ):
        found = [
            field in cluster.request("POST", path, made).get("spec", {}) for cluster in (enabled, disabled)
        ]

    assert found == [True, False]


def test_without_namespace_lifecycle_objects_need_no_namespace():
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}}
    path = "/api/v1/namespaces/absent/configmaps"

    with FakeCluster(controllers="none", disabled_admission_plugins=["NamespaceLifecycle"]) as disabled:
        made = disabled.request("POST", path, body)
    with (
        FakeCluster(controllers="none") as enabled,
        pytest.raises(StatusError, match='namespaces "absent" not found'),
    ):
        enabled.request("POST", path, body)

    assert made["metadata"]["namespace"] == "absent"


def test_the_flag_of_kube_apiserver_names_them(monkeypatch):
    monkeypatch.setattr(apiserver, "_certificates", lambda _: None)

    made = apiserver.settings(Flags.of(["--disable-admission-plugins=ServiceAccount,TaintNodesByCondition"]))

    assert made["disabled_admission_plugins"] == ("ServiceAccount", "TaintNodesByCondition")

"""Admission plugins that are disabled by the names that kube-apiserver has for them."""

from __future__ import annotations

import pytest

from fakecluster import FakeCluster
from fakecluster.admission.plugins.table import PLUGINS
from fakecluster.api.status import StatusError
from fakecluster.envtest import apiserver
from fakecluster.envtest.flags import Flags

PODS = "/api/v1/namespaces/default/pods"
NODE = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "node"}}
CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims"
INGRESSES = "/apis/networking.k8s.io/v1/namespaces/default/ingresses"
CLAIM = {
    "apiVersion": "v1",
    "kind": "PersistentVolumeClaim",
    "metadata": {"name": "claim"},
    "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}},
}
INGRESS = {
    "apiVersion": "networking.k8s.io/v1",
    "kind": "Ingress",
    "metadata": {"name": "ingress"},
    "spec": {"defaultBackend": {"service": {"name": "service", "port": {"number": 80}}}},
}
CLASSES = [
    {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "StorageClass",
        "provisioner": "disks",
        "metadata": {"name": "fast", "annotations": {"storageclass.kubernetes.io/is-default-class": "true"}},
    },
    {
        "apiVersion": "networking.k8s.io/v1",
        "kind": "IngressClass",
        "spec": {"controller": "example.com/proxy"},
        "metadata": {"name": "proxy", "annotations": {"ingressclass.kubernetes.io/is-default-class": "true"}},
    },
]
POD = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "pod"},
    "spec": {"containers": [{"name": "main", "image": "image"}]},
}


@pytest.mark.parametrize(
    ("plugin", "path", "created", "field"),
    [
        pytest.param("TaintNodesByCondition", "/api/v1/nodes", NODE, "taints", id="the taint of a new node"),
        pytest.param("DefaultTolerationSeconds", PODS, POD, "tolerations", id="the tolerations of a pod"),
        pytest.param("Priority", PODS, POD, "priority", id="the priority of a pod"),
        pytest.param("DefaultStorageClass", CLAIMS, CLAIM, "storageClassName", id="the class of a claim"),
        pytest.param(
            "DefaultIngressClass", INGRESSES, INGRESS, "ingressClassName", id="the class of an Ingress"
        ),
    ],
)
def test_a_disabled_plugin_leaves_an_object_as_it_is(plugin, path, created, field):
    with (
        FakeCluster(controllers="none") as enabled,
        FakeCluster(controllers="none", disabled_admission_plugins=[plugin]) as disabled,
    ):
        for cluster in (enabled, disabled):
            cluster.apply(CLASSES)
        plugins = [
            field in cluster.request("POST", path, created).get("spec", {}) for cluster in (enabled, disabled)
        ]

    assert plugins == [True, False]


DEFAULT_PLUGINS = {
    "CertificateApproval",
    "CertificateSigning",
    "CertificateSubjectRestriction",
    "ClusterTrustBundleAttest",
    "DefaultIngressClass",
    "DefaultStorageClass",
    "DefaultTolerationSeconds",
    "JobValidation",
    "LimitRanger",
    "MutatingAdmissionPolicy",
    "MutatingAdmissionWebhook",
    "NamespaceLifecycle",
    "NodeDeclaredFeatureValidator",
    "PersistentVolumeClaimResize",
    "PodGroupProtection",
    "PodGroupWorkloadExists",
    "PodResizeValidator",
    "PodSecurity",
    "PodTopologyLabels",
    "Priority",
    "ResourceQuota",
    "RuntimeClass",
    "ServiceAccount",
    "StorageObjectInUseProtection",
    "TaintNodesByCondition",
    "ValidatingAdmissionPolicy",
    "ValidatingAdmissionWebhook",
}
"""What kube-apiserver v1.36.3 enables."""
FEATURES_OFF = {"ClusterTrustBundleAttest", "JobValidation", "PodGroupProtection", "PodGroupWorkloadExists"}
"""Plugins of features that a stock server has switched off."""
ELSEWHERE = {
    "CertificateApproval",
    "CertificateSigning",
    "MutatingAdmissionWebhook",
    "ResourceQuota",
    "ValidatingAdmissionPolicy",
    "ValidatingAdmissionWebhook",
}
"""Plugins that are asked beside the table."""
DEVIATIONS = {"MutatingAdmissionPolicy"}
"""Stated in docs/deviations.md."""


def test_every_default_plugin_is_there():
    assert {plugin.name for plugin in PLUGINS} - {
        ""
    } == DEFAULT_PLUGINS - FEATURES_OFF - ELSEWHERE - DEVIATIONS


def test_a_quota_is_not_asked_where_its_plugin_is_disabled():
    quota = {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": {"name": "none", "namespace": "default"},
        "spec": {"hard": {"pods": "0"}},
    }
    with FakeCluster(disabled_admission_plugins=["ResourceQuota"]) as disabled:
        disabled.apply([quota])
        disabled.settle()

        assert disabled.request("POST", PODS, POD)["metadata"]["name"] == "pod"


def test_without_namespace_lifecycle_objects_need_no_namespace():
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}}
    path = "/api/v1/namespaces/absent/configmaps"

    with FakeCluster(controllers="none", disabled_admission_plugins=["NamespaceLifecycle"]) as disabled:
        created = disabled.request("POST", path, body)
    with (
        FakeCluster(controllers="none") as enabled,
        pytest.raises(StatusError, match='namespaces "absent" not found'),
    ):
        enabled.request("POST", path, body)

    assert created["metadata"]["namespace"] == "absent"


def test_the_flag_of_kube_apiserver_names_them(monkeypatch):
    monkeypatch.setattr(apiserver, "_certificates", lambda _: None)

    created = apiserver.settings(
        Flags.of(["--disable-admission-plugins=ServiceAccount,TaintNodesByCondition"])
    )

    assert created["disabled_admission_plugins"] == ("ServiceAccount", "TaintNodesByCondition")

"""The plugin ServiceAccount: where it is asked, and pods whose account is about to be made."""

from __future__ import annotations

import pytest

from fakecluster import FakeCluster
from fakecluster.api.status import StatusError

NAMESPACE = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "new"}}
PODS = "/api/v1/namespaces/new/pods"


def pod(**spec):
    """Return a pod with one container."""
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "pod"},
        "spec": {"containers": [{"name": "main", "image": "image"}], **spec},
    }


def test_a_pod_gets_the_account_that_its_namespace_is_about_to_have():
    with FakeCluster() as cluster:
        cluster.request("POST", "/api/v1/namespaces", NAMESPACE)
        spec = cluster.request("POST", PODS, pod())["spec"]

    assert (spec["serviceAccountName"], spec["serviceAccount"]) == ("default", "default")
    assert [mount["name"] for mount in spec["containers"][0]["volumeMounts"]] == [spec["volumes"][0]["name"]]


def test_any_other_account_has_to_be_there():
    with FakeCluster() as cluster:
        cluster.request("POST", "/api/v1/namespaces", NAMESPACE)
        with pytest.raises(StatusError) as refusal:
            cluster.request("POST", PODS, pod(serviceAccountName="robot"))

    assert refusal.value.code == 403
    assert str(refusal.value).endswith(
        'error looking up service account new/robot: serviceaccount "robot" not found'
    )


@pytest.mark.parametrize(
    "options",
    [
        pytest.param({"controllers": "pods"}, id="without the controller that makes accounts"),
        pytest.param({"disabled_admission_plugins": ["ServiceAccount"]}, id="disabled"),
    ],
)
def test_pods_are_left_as_they_are(options):
    with FakeCluster(**options) as cluster:
        cluster.request("POST", "/api/v1/namespaces", NAMESPACE)
        spec = cluster.request("POST", PODS, pod())["spec"]

    assert "serviceAccountName" not in spec
    assert "volumes" not in spec


def test_a_pod_of_a_seed_names_its_volume_alike_in_each_run():
    names = []
    for _ in range(2):
        with FakeCluster(seed=7) as cluster:
            cluster.request("POST", "/api/v1/namespaces", NAMESPACE)
            names.append(cluster.request("POST", PODS, pod())["spec"]["volumes"][0]["name"])

    assert names[0] == names[1]

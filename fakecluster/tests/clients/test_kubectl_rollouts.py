"""Real kubectl rolls Deployments out, back, up and down:
what it waits for and prints is what the controllers write.
"""

from __future__ import annotations

import pytest

from fakecluster import FakeCluster

from .test_kubectl import KUBECTL, Kubectl

pytestmark = pytest.mark.skipif(KUBECTL is None, reason="unsupported: needs kubectl on PATH")


@pytest.fixture
def kubectl(tmp_path):
    """kubectl for a cluster in real time, in which a Deployment of two pods runs."""
    with FakeCluster(clock="wall") as cluster:
        cluster.kubeconfig(tmp_path / "kubeconfig")
        run = Kubectl(cluster, tmp_path)
        run("create", "deployment", "web", "--image=nginx:1", "--replicas=2")
        run("rollout", "status", "deployment/web", "--timeout=30s")
        yield run


def images(kubectl):
    return kubectl(
        "get", "pods", "-l", "app=web", "-o", "jsonpath={.items[*].spec.containers[0].image}"
    ).split()


def test_a_created_deployment_gets_its_pods(kubectl):
    assert kubectl("get", "deployment", "web", "--no-headers").split()[:4] == ["web", "2/2", "2", "2"]
    assert [line.split()[1:3] for line in kubectl("get", "pods", "--no-headers").splitlines()] == [
        ["1/1", "Running"]
    ] * 2
    assert "condition met" in kubectl("wait", "--for=condition=Available", "deployment/web", "--timeout=10s")
    assert "Scaled up replica set web-" in kubectl("describe", "deployment", "web")


def test_a_rollout_is_followed_told_and_undone(kubectl):
    kubectl("set", "image", "deployment/web", "nginx=nginx:2")
    assert 'deployment "web" successfully rolled out' in kubectl(
        "rollout", "status", "deployment/web", "--timeout=30s"
    )
    assert images(kubectl) == ["nginx:2"] * 2
    assert [
        line.split()[0] for line in kubectl("rollout", "history", "deployment/web").splitlines()[2:] if line
    ] == ["1", "2"]

    assert "rolled back" in kubectl("rollout", "undo", "deployment/web")
    kubectl("rollout", "status", "deployment/web", "--timeout=30s")

    assert images(kubectl) == ["nginx:1"] * 2
    assert [
        line.split()[0] for line in kubectl("rollout", "history", "deployment/web").splitlines()[2:] if line
    ] == ["2", "3"]


def test_a_restart_replaces_every_pod(kubectl):
    before = kubectl("get", "pods", "-o", "name").split()

    kubectl("rollout", "restart", "deployment/web")
    kubectl("rollout", "status", "deployment/web", "--timeout=30s")
    kubectl("wait", "--for=delete", *before, "--timeout=30s")

    after = kubectl("get", "pods", "-o", "name").split()
    assert len(after) == 2
    assert not set(before) & set(after)


def test_scaling_is_followed(kubectl):
    kubectl("scale", "deployment/web", "--replicas=4", "--current-replicas=2")
    kubectl("rollout", "status", "deployment/web", "--timeout=30s")
    assert len(images(kubectl)) == 4

    kubectl("scale", "deployment/web", "--replicas=0")
    kubectl("wait", "--for=delete", "pods", "-l", "app=web", "--timeout=30s")
    assert images(kubectl) == []


def test_a_pause_holds_a_rollout_back(kubectl):
    kubectl("rollout", "pause", "deployment/web")
    kubectl(
        "wait",
        "deployment/web",
        '--for=jsonpath={.status.conditions[?(@.type=="Progressing")].reason}=DeploymentPaused',
        "--timeout=30s",
    )
    kubectl("set", "image", "deployment/web", "nginx=nginx:2")
    assert "nginx:2" not in images(kubectl)

    kubectl("rollout", "resume", "deployment/web")
    kubectl("rollout", "status", "deployment/web", "--timeout=30s")

    assert images(kubectl) == ["nginx:2"] * 2


def test_an_exposed_deployment_has_endpoints(kubectl):
    kubectl("expose", "deployment", "web", "--port=80")
    kubectl(
        "wait",
        "endpointslice",
        "-l",
        "kubernetes.io/service-name=web",
        "--for=jsonpath={.endpoints[1].conditions.ready}=true",
        "--timeout=30s",
    )

    addresses = kubectl(
        "get",
        "endpointslice",
        "-l",
        "kubernetes.io/service-name=web",
        "-o",
        "jsonpath={.items[0].endpoints[*].addresses[0]}",
    )
    assert len(addresses.split()) == 2

"""PodSecurity: policies in labels, what is noted for the audit log, and pods that a raised level meets."""

from __future__ import annotations

import json

import pytest

from fakecluster import FakeCluster
from fakecluster.admission.pod_security import namespaces
from fakecluster.admission.pod_security.levels import LATEST, LevelVersion, policy
from fakecluster.journal.exports import render

PREFIX = "pod-security.kubernetes.io/"
PODS = "/api/v1/namespaces/guarded/pods"


def namespace(**labels):
    """Return a namespace with labels of PodSecurity."""
    labels_of_namespace = {f"{PREFIX}{name.replace('_', '-')}": value for name, value in labels.items()}
    return {
        "apiVersion": "v1",
        "kind": "Namespace",
        "metadata": {"name": "guarded", "labels": labels_of_namespace},
    }


def pod(name, **spec):
    """Return a pod with one container."""
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name},
        "spec": {"containers": [{"name": "main", "image": "image"}], **spec},
    }


@pytest.fixture
def cluster():
    with FakeCluster(controllers="none") as cluster:
        yield cluster


@pytest.mark.parametrize(
    ("labels", "mode", "expected"),
    [
        pytest.param({}, "enforce", LevelVersion(), id="nothing is asked without labels"),
        pytest.param({"enforce": "baseline"}, "warn", LevelVersion("baseline"), id="enforce warns as well"),
        pytest.param(
            {"enforce": "restricted", "enforce-version": "v1.20"},
            "warn",
            LevelVersion("restricted", 20),
            id="in the same version",
        ),
        pytest.param(
            {"enforce": "restricted", "warn": "baseline"},
            "warn",
            LevelVersion("baseline"),
            id="unless warn says otherwise",
        ),
        pytest.param({"enforce": "bogus"}, "enforce", LevelVersion("restricted"), id="enforce fails closed"),
        pytest.param({"audit": "bogus"}, "audit", LevelVersion(), id="audit fails open"),
        pytest.param(
            {"warn": "baseline", "warn-version": "v1.x"},
            "warn",
            LevelVersion("baseline", LATEST),
            id="a wrong version is the latest",
        ),
    ],
)
def test_labels_make_a_policy(labels, mode, expected):
    policy_read, _ = policy({f"{PREFIX}{name}": value for name, value in labels.items()})

    assert getattr(policy_read, mode) == expected


def test_the_audit_log_says_what_was_enforced_and_what_would_violate(cluster):
    cluster.request(
        "POST", "/api/v1/namespaces", namespace(enforce="baseline", audit="restricted", audit_version="v1.7")
    )
    cluster.request("POST", PODS, pod("plain"))

    event = json.loads(render(cluster.journal.all, "audit").splitlines()[-1])

    assert event["annotations"] == {
        f"{PREFIX}enforce-policy": "baseline:latest",
        f"{PREFIX}audit-violations": 'would violate PodSecurity "restricted:v1.7": runAsNonRoot != true'
        ' (pod or container "main" must set securityContext.runAsNonRoot=true)',
    }


def test_a_raised_level_looks_at_so_many_pods_and_no_more(cluster, monkeypatch):
    monkeypatch.setattr(namespaces, "MOST_PODS", 2)
    cluster.request("POST", "/api/v1/namespaces", namespace())
    for name in "abc":
        cluster.request("POST", PODS, pod(name, hostPID=True))

    assert list(namespaces.warnings(cluster._core.store, "guarded", LevelVersion("baseline"))) == [
        "new PodSecurity enforce level only checked against the first 2 of 3 existing pods",
        'existing pods in namespace "guarded" violate the new PodSecurity enforce level "baseline:latest"',
        "a (and 1 other pod): host namespaces",
    ]

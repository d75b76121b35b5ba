"""Rights that do not suffice to write the status of a ResourceClaim (FK-397, FK-504)."""

from __future__ import annotations

import pytest

from fakecluster import FakeCluster
from fakecluster.api.outcome import User
from fakecluster.tests.auth.rights import ADMIN, ALICE, MERGE, allow, failure_code, rule

GROUP = "resource.k8s.io"
CLAIMS = f"/apis/{GROUP}/v1/namespaces/default/resourceclaims"
ON_NODE_A = {"authentication.kubernetes.io/node-name": ("node-a",)}
ROBOT = User(name="system:serviceaccount:default:robot", extra=ON_NODE_A)
DEVICE = {"driver": "d.example.com", "pool": "p", "device": "d"}
REQUESTS = {"devices": {"requests": [{"name": "r", "exactly": {"deviceClassName": "c"}}]}}
LABEL = {"metadata": {"labels": {"resource.kubernetes.io/admin-access": "true"}}}
BINDING = rule("patch", "resourceclaims/binding", GROUP)
ASSOCIATED = rule("associated-node:patch", "resourceclaims/driver", GROUP)


def allocation(*nodes):
    match = [{"key": "metadata.name", "operator": "In", "values": [node]} for node in nodes]
    terms = [{"matchFields": [field]} for field in match]
    selector = {"nodeSelector": {"nodeSelectorTerms": terms}} if terms else {}
    return {"devices": {"results": [{"request": "r", **DEVICE}]}, **selector}


INSUFFICIENT = [
    pytest.param([], {"devices": [DEVICE]}, rule("arbitrary-node:patch", "resourceclaims/driver", GROUP, "x"), ALICE, id="right-to-another-driver"),
    pytest.param(["node-a"], {"devices": [DEVICE]}, ASSOCIATED, ALICE, id="own-node-of-a-user-on-no-node"),
    pytest.param(["node-a"], {"devices": [DEVICE]}, ASSOCIATED, User(name="alice", extra=ON_NODE_A), id="own-node-of-no-service-account"),
    pytest.param(["node-b"], {"devices": [DEVICE]}, ASSOCIATED, ROBOT, id="device-on-another-node"),
    pytest.param(["node-a", "node-b"], {"devices": [DEVICE]}, ASSOCIATED, ROBOT, id="device-on-one-of-two-nodes"),
    pytest.param([], {"devices": [DEVICE]}, ASSOCIATED, ROBOT, id="device-on-any-node"),
    pytest.param(["node-a"], {"devices": [DEVICE]}, BINDING, ALICE, id="right-to-allocate"),
    pytest.param(["node-a"], {"reservedFor": [{"resource": "pods", "name": "p", "uid": "u"}]}, ASSOCIATED, ROBOT, id="right-to-the-driver"),
]  # fmt: skip


@pytest.fixture
def cluster():
    with FakeCluster(authorization="rbac", controllers="none") as cluster:
        cluster.request("POST", CLAIMS, {"metadata": {"name": "claim"}, "spec": REQUESTS})
        yield cluster


def set_status(cluster, user, **status):
    return failure_code(cluster, "PATCH", f"{CLAIMS}/claim/status", {"status": status}, user)


@pytest.mark.parametrize(("nodes", "status", "right", "user"), INSUFFICIENT)
def test_a_status_is_invalid_by_a_right_to_something_else(cluster, nodes, status, right, user):
    allow(cluster, rule("patch", "resourceclaims/status", GROUP), right, user=user)
    assert set_status(cluster, ADMIN, allocation=allocation(*nodes)) == 0

    assert set_status(cluster, user, **status) == 422
    assert set_status(cluster, ADMIN, **status) == 0


def test_the_status_of_a_device_is_removed_by_its_driver_alone(cluster):
    allow(cluster, rule("patch", "resourceclaims/status", GROUP), BINDING)
    assert set_status(cluster, ADMIN, allocation=allocation(), devices=[DEVICE]) == 0

    assert set_status(cluster, ALICE, devices=None) == 422
    allow(cluster, rule("arbitrary-node:patch", "resourceclaims/driver", GROUP, DEVICE["driver"]))
    assert set_status(cluster, ALICE, devices=None) == 0


def test_the_right_to_allocate_is_one_in_the_whole_cluster(cluster):
    allow(cluster, rule("patch", "resourceclaims/status", GROUP))
    allow(cluster, BINDING, namespace="default")

    assert set_status(cluster, ALICE, allocation=allocation()) == 422
    allow(cluster, BINDING)
    assert set_status(cluster, ALICE, allocation=allocation()) == 0


def test_an_allocation_with_admin_access_needs_the_label_of_the_namespace(cluster):
    result = {"request": "r", **DEVICE, "adminAccess": True}

    assert set_status(cluster, ADMIN, allocation={"devices": {"results": [result]}}) == 422
    cluster.request("PATCH", "/api/v1/namespaces/default", LABEL, headers=MERGE)
    assert set_status(cluster, ADMIN, allocation={"devices": {"results": [result]}}) == 0

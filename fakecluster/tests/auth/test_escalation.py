"""Privilege escalation by roles or bindings is refused: users cannot grant rights that they lack (FK-398)."""

from __future__ import annotations

import pytest

from fakecluster import FakeCluster
from fakecluster.tests.auth.rights import (
    RBAC,
    allow,
    collection,
    failure_code,
    is_forbidden,
    path_rule,
    reference,
    rule,
)

SECRETS = rule("get", "secrets")
AGGREGATION = {"clusterRoleSelectors": [{"matchLabels": {"a": "b"}}]}
WRITERS = rule("create patch", "roles clusterroles rolebindings clusterrolebindings", RBAC)


@pytest.fixture
def cluster():
    with FakeCluster(authorization="rbac", controllers="none") as cluster:
        cluster.request("POST", "/api/v1/namespaces", {"metadata": {"name": "other"}})
        allow(cluster, WRITERS)
        yield cluster


def role(name="r", *rules, **fields):
    return {"metadata": {"name": name}, "rules": list(rules), **fields}


def binding(kind, name="wide"):
    return {"metadata": {"name": "b"}, "roleRef": reference(kind, name), "subjects": []}


ESCALATE = [
    pytest.param("roles", [], True, id="role"),
    pytest.param("clusterroles", [], True, id="cluster-role"),
    pytest.param("roles", [rule("escalate", "roles", RBAC)], False, id="escalate-on-roles"),
    pytest.param("clusterroles", [rule("escalate", "clusterroles", RBAC)], False, id="escalate-on-cluster-roles"),
    pytest.param("roles", [rule("escalate", "clusterroles", RBAC)], True, id="escalate-on-cluster-roles-for-a-role"),
    pytest.param("clusterroles", [rule("escalate", "roles", RBAC)], True, id="escalate-on-roles-for-a-cluster-role"),
    pytest.param("roles", [rule("bind", "roles", RBAC)], True, id="bind-is-not-escalate"),
]  # fmt: skip


@pytest.mark.parametrize(("plural", "rights", "forbidden"), ESCALATE)
def test_a_role_with_rights_that_its_author_lacks_needs_escalate(cluster, plural, rights, forbidden):
    allow(cluster, *rights)

    assert is_forbidden(cluster, "POST", collection(plural), role("r", SECRETS)) is forbidden


def test_escalate_in_a_namespace_holds_there_only(cluster):
    allow(cluster, rule("escalate", "roles", RBAC), namespace="default")

    assert not is_forbidden(cluster, "POST", collection("roles"), role("r", SECRETS))
    assert is_forbidden(cluster, "POST", collection("roles", "other"), role("r", SECRETS))


COVERAGE = [
    pytest.param([SECRETS], SECRETS, False, id="same-rule"),
    pytest.param([rule("get", "*", "*")], rule("get", "pods/log", "batch", "a"), False, id="wildcards"),
    pytest.param([rule("get", "pods"), rule("list", "pods")], rule("get list", "pods"), False, id="two-rules-together"),
    pytest.param([rule("list", "secrets")], SECRETS, True, id="other-verb"),
    pytest.param([rule("get", "secrets")], rule("get list", "secrets"), True, id="one-verb-of-two"),
    pytest.param([rule("get", "secrets", "apps")], SECRETS, True, id="other-group"),
    pytest.param([rule("get", "pods")], SECRETS, True, id="other-resource"),
    pytest.param([SECRETS], rule("get", "secrets", "", "a"), False, id="any-name-covers-a-name"),
    pytest.param([rule("get", "secrets", "", "a")], rule("get", "secrets", "", "b"), True, id="other-name"),
    pytest.param([rule("get", "secrets", "", "a")], SECRETS, True, id="a-name-does-not-cover-any"),
    pytest.param([rule("get", "pods")], rule("get", "pods/log"), True, id="a-resource-does-not-cover-its-subresource"),
    pytest.param([rule("get", "*/log")], rule("get", "pods/log"), False, id="subresource-of-any-resource"),
    pytest.param([path_rule("get", "/x")], path_rule("get", "/x"), False, id="same-path"),
    pytest.param([path_rule("get", "/x/*")], path_rule("get", "/x/y"), False, id="path-below"),
    pytest.param([path_rule("get", "/x")], path_rule("get", "/y"), True, id="other-path"),
    pytest.param([path_rule("get", "/x")], path_rule("post", "/x"), True, id="other-verb-of-a-path"),
    pytest.param([rule("get", "*", "*")], path_rule("get", "/x"), True, id="resources-do-not-cover-paths"),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "granted", "forbidden"), COVERAGE)
def test_rights_that_the_author_holds_may_be_granted(cluster, rules, granted, forbidden):
    allow(cluster, *rules)

    assert is_forbidden(cluster, "POST", collection("clusterroles"), role("r", granted)) is forbidden


def test_rights_in_a_namespace_are_granted_there_only(cluster):
    allow(cluster, SECRETS, namespace="default")

    assert not is_forbidden(cluster, "POST", collection("roles"), role("r", SECRETS))
    assert is_forbidden(cluster, "POST", collection("roles", "other"), role("r", SECRETS))
    assert is_forbidden(cluster, "POST", collection("clusterroles"), role("r", SECRETS))


UPDATES = [
    pytest.param({"rules": [rule("list", "secrets")]}, True, id="other-rules"),
    pytest.param({"metadata": {"labels": {"a": "b"}}}, True, id="labels"),
    pytest.param({"metadata": {"finalizers": ["example.com/f"]}}, False, id="finalizers-alone"),
]


@pytest.mark.parametrize(("patch", "forbidden"), UPDATES)
def test_an_update_of_a_role_is_compared_with_all_of_its_rules(cluster, patch, forbidden):
    cluster.request("POST", collection("clusterroles"), role("wide", SECRETS))

    assert is_forbidden(cluster, "PATCH", f"{collection('clusterroles')}/wide", patch) is forbidden


def test_an_aggregated_role_needs_the_rights_of_cluster_admin(cluster):
    roles = collection("clusterroles")
    cluster.request("POST", roles, role("plain"))
    cluster.request("POST", roles, role("aggregated", aggregationRule=AGGREGATION))

    assert is_forbidden(cluster, "POST", roles, role("new", aggregationRule=AGGREGATION))
    assert is_forbidden(cluster, "PATCH", f"{roles}/plain", {"aggregationRule": AGGREGATION})
    assert is_forbidden(cluster, "PATCH", f"{roles}/aggregated", {"aggregationRule": None})
    assert not is_forbidden(cluster, "PATCH", f"{roles}/plain", {"metadata": {"labels": {"a": "b"}}})


BIND = [
    pytest.param("rolebindings", "Role", [], True, id="role"),
    pytest.param("rolebindings", "ClusterRole", [], True, id="cluster-role"),
    pytest.param("clusterrolebindings", "ClusterRole", [], True, id="cluster-role-in-the-cluster"),
    pytest.param("rolebindings", "Role", [rule("bind", "roles", RBAC, "wide")], False, id="bind-on-the-role"),
    pytest.param("rolebindings", "ClusterRole", [rule("bind", "clusterroles", RBAC, "wide")], False, id="bind-on-the-cluster-role"),
    pytest.param("clusterrolebindings", "ClusterRole", [rule("bind", "clusterroles", RBAC)], False, id="bind-on-all-cluster-roles"),
    pytest.param("rolebindings", "Role", [rule("bind", "clusterroles", RBAC)], True, id="bind-on-cluster-roles-for-a-role"),
    pytest.param("rolebindings", "ClusterRole", [rule("bind", "roles", RBAC)], True, id="bind-on-roles-for-a-cluster-role"),
    pytest.param("rolebindings", "ClusterRole", [rule("bind", "clusterroles", RBAC, "x")], True, id="bind-on-another-role"),
    pytest.param("rolebindings", "ClusterRole", [rule("escalate", "clusterroles", RBAC)], True, id="escalate-is-not-bind"),
    pytest.param("rolebindings", "Role", [SECRETS], False, id="rights-of-the-role"),
    pytest.param("clusterrolebindings", "ClusterRole", [SECRETS], False, id="rights-of-the-cluster-role"),
]  # fmt: skip


@pytest.mark.parametrize(("plural", "kind", "rights", "forbidden"), BIND)
def test_a_binding_needs_the_rights_of_its_role_or_bind(cluster, plural, kind, rights, forbidden):
    for roles in ("roles", "clusterroles"):
        cluster.request("POST", collection(roles), role("wide", SECRETS))
    allow(cluster, *rights)

    assert is_forbidden(cluster, "POST", collection(plural), binding(kind)) is forbidden


@pytest.mark.parametrize("right", [SECRETS, rule("bind", "clusterroles", RBAC)], ids=["rights", "bind"])
def test_a_right_in_a_namespace_lets_bind_there_only(cluster, right):
    cluster.request("POST", collection("clusterroles"), role("wide", SECRETS))
    allow(cluster, right, namespace="default")

    assert not is_forbidden(cluster, "POST", collection("rolebindings"), binding("ClusterRole"))
    assert is_forbidden(cluster, "POST", collection("rolebindings", "other"), binding("ClusterRole"))
    assert is_forbidden(cluster, "POST", collection("clusterrolebindings"), binding("ClusterRole"))


def test_a_binding_to_a_role_that_is_absent_is_not_found_without_bind(cluster):
    assert failure_code(cluster, "POST", collection("rolebindings"), binding("Role", "absent")) == 404

    allow(cluster, rule("bind", "roles", RBAC))
    assert failure_code(cluster, "POST", collection("rolebindings"), binding("Role", "absent")) == 0

"""Rights that do not suffice to write an admission policy
with parameters, or its binding (FK-304, FK-397).
"""

from __future__ import annotations

import pytest

from fakecluster import FakeCluster
from fakecluster.tests.auth.rights import ADMIN, allow, failure_code, rule

GROUP = "admissionregistration.k8s.io"
POLICIES = f"/apis/{GROUP}/v1/validatingadmissionpolicies"
BINDINGS = f"/apis/{GROUP}/v1/validatingadmissionpolicybindings"
MUTATING = f"/apis/{GROUP}/v1/mutatingadmissionpolicies"
MUTATING_BINDINGS = f"/apis/{GROUP}/v1/mutatingadmissionpolicybindings"
WRITER = rule("create patch", "*", GROUP)
CONFIG_MAPS = {"apiVersion": "v1", "kind": "ConfigMap"}
PODS = {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["pods"]}
SPEC = {"validations": [{"expression": "true"}], "matchConstraints": {"resourceRules": [PODS]}}


def policy(name, kind=CONFIG_MAPS):
    return {"metadata": {"name": name}, "spec": {**SPEC, "paramKind": kind}}


def mutating_policy(name):
    mutation = {
        "patchType": "JSONPatch",
        "jsonPatch": {"expression": '[JSONPatch{op: "remove", path: "/a"}]'},
    }
    spec = {"mutations": [mutation], "matchConstraints": SPEC["matchConstraints"], "paramKind": CONFIG_MAPS}
    return {"metadata": {"name": name}, "spec": {**spec, "reinvocationPolicy": "Never"}}


def mutating_binding(**parameter):
    reference = {**parameter, "parameterNotFoundAction": "Deny"}
    return {"metadata": {"name": "b"}, "spec": {"policyName": "p", "paramRef": reference}}


def binding(**parameter):
    body = mutating_binding(**parameter)
    return {**body, "spec": {**body["spec"], "validationActions": ["Deny"]}}


@pytest.fixture
def cluster():
    with FakeCluster(authorization="rbac", controllers="none") as cluster:
        cluster.request("POST", POLICIES, policy("p"))
        cluster.request("POST", MUTATING, mutating_policy("p"))
        allow(cluster, WRITER)
        yield cluster


INSUFFICIENT = [
    pytest.param(POLICIES, policy("new"), rule("get", "configmaps", "", "a"), "", id="policy-by-one-name"),
    pytest.param(POLICIES, policy("new"), rule("get", "configmaps"), "default", id="policy-by-one-namespace"),
    pytest.param(POLICIES, policy("new"), rule("list", "configmaps"), "", id="policy-by-list"),
    pytest.param(POLICIES, policy("new"), rule("get", "secrets"), "", id="policy-by-another-kind"),
    pytest.param(MUTATING, mutating_policy("new"), rule("get", "secrets"), "", id="mutating-policy-by-another-kind"),
    pytest.param(MUTATING_BINDINGS, mutating_binding(name="a", namespace="default"), rule("get", "secrets"), "",
                 id="mutating-binding-by-another-kind"),
    pytest.param(BINDINGS, binding(name="a", namespace="default"), rule("get", "configmaps", "", "b"), "", id="binding-by-another-name"),
    pytest.param(BINDINGS, binding(name="b", namespace="default"), rule("get", "configmaps", "", "a"), "", id="other-binding-by-another-name"),
    pytest.param(BINDINGS, binding(name="a", namespace="other"), rule("get", "configmaps"), "default", id="binding-by-another-namespace"),
    pytest.param(BINDINGS, binding(selector={}, namespace="default"), rule("get", "configmaps"), "", id="selecting-binding-by-get"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "body", "right", "namespace"), INSUFFICIENT)
def test_parameters_are_not_readable_by_a_right_to_something_else(cluster, path, body, right, namespace):
    allow(cluster, right, namespace=namespace)

    assert failure_code(cluster, "POST", path, body) == 422
    assert failure_code(cluster, "POST", path, body, ADMIN) == 0


def test_a_policy_is_updated_without_the_right_until_its_parameters_change(cluster):
    label = {"metadata": {"labels": {"a": "b"}}}
    secrets = {"spec": {"paramKind": {"apiVersion": "v1", "kind": "Secret"}}}

    assert failure_code(cluster, "PATCH", f"{POLICIES}/p", label) == 0
    assert failure_code(cluster, "PATCH", f"{POLICIES}/p", secrets) == 422

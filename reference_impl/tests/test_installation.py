"""What --install creates: in an order that works, with the least rights (apiserver.md §2.5.3)."""

import pytest

from reference_impl.install import RULES, manifests


def test_a_namespace_comes_before_what_lives_in_it():
    kinds = [obj["kind"] for _, obj in manifests("kueue-system")]

    assert kinds == [
        "Namespace",
        "ServiceAccount",
        "ClusterRole",
        "ClusterRoleBinding",
        "Role",
        "RoleBinding",
    ]


def test_roles_are_bound_to_the_account_of_the_namespace():
    bindings = [obj for _, obj in manifests("elsewhere") if obj["kind"].endswith("Binding")]

    assert [binding["subjects"] for binding in bindings] == [
        [{"kind": "ServiceAccount", "name": "kueue-reference", "namespace": "elsewhere"}]
    ] * 2


def allowed(group, resource):
    return {
        verb
        for rule in RULES
        if group in rule["apiGroups"] and resource in rule["resources"]
        for verb in rule["verbs"]
    }


@pytest.mark.parametrize(
    ("group", "resource", "verbs"),
    [
        pytest.param("batch", "jobs", {"get", "list", "watch", "update", "patch"}, id="Jobs are not deleted"),
        pytest.param("events.k8s.io", "events", {"create", "patch"}, id="events are not read"),
        pytest.param("", "secrets", set(), id="no secrets"),
        pytest.param("", "pods", set(), id="no pods"),
        pytest.param(
            "kueue.x-k8s.io", "workloadpriorityclasses", {"get", "list", "watch"}, id="classes are read"
        ),
    ],
)
def test_rights_are_the_least(group, resource, verbs):
    assert allowed(group, resource) == verbs


def test_nothing_is_allowed_by_a_star():
    words = {word for rule in RULES for field in rule.values() for word in field}

    assert "*" not in words

"""What the reference may do: no more than it does (AC-370…375, apiserver.md §2.5.3)."""

import pytest

from reference_impl.kueue.deployment.bundle import bundle
from reference_impl.kueue.deployment.site import Site

OBJECTS = bundle(Site())
BOUND = {obj["roleRef"]["name"] for obj in OBJECTS if "roleRef" in obj}
RULES = [
    rule for obj in OBJECTS if obj["metadata"]["name"] in BOUND and "rules" in obj for rule in obj["rules"]
]


def may(group, resource):
    return {
        verb
        for rule in RULES
        if group in rule["apiGroups"] and resource in rule["resources"]
        for verb in rule["verbs"]
    }


@pytest.mark.parametrize(
    ("group", "resource", "verbs"),
    [
        pytest.param("batch", "jobs", {"list", "watch", "patch"}, id="Jobs are not made and not deleted"),
        pytest.param("events.k8s.io", "events", {"create", "patch"}, id="events are not read"),
        pytest.param(
            "", "pods", {"list", "watch"}, id="pods are looked at, to warn of those that are not simulated"
        ),
        pytest.param("kueue.x-k8s.io", "workloadpriorityclasses", {"list", "watch"}, id="classes are read"),
        pytest.param("authentication.k8s.io", "tokenreviews", {"create"}, id="VIS-444 tokens are reviewed"),
        pytest.param(
            "authorization.k8s.io", "subjectaccessreviews", {"create"}, id="VIS-444 access is reviewed"
        ),
        pytest.param(
            "flowcontrol.apiserver.k8s.io",
            "flowschemas",
            {"list", "watch"},
            id="VIS-444 flow control is followed",
        ),
        pytest.param("kueue.x-k8s.io", "topologies", set(), id="no kinds that have no meaning"),
    ],
)
def test_rights_are_the_least(group, resource, verbs):
    assert may(group, resource) == verbs


def test_nothing_is_allowed_by_a_star():
    words = {word for rule in RULES for field in rule.values() for word in field}

    assert "*" not in words


@pytest.mark.parametrize(
    "resource",
    [
        pytest.param("customresourcedefinitions", id="definitions"),
        pytest.param("mutatingwebhookconfigurations", id="mutating"),
        pytest.param("validatingwebhookconfigurations", id="validating"),
    ],
)
def test_only_what_calls_its_webhooks_is_changed(resource):
    named = {obj["metadata"]["name"] for obj in OBJECTS}

    (rule,) = (rule for rule in RULES if resource in rule["resources"])

    assert rule["verbs"] == ["get", "patch"]
    assert set(rule["resourceNames"]) <= named


def test_one_secret_is_read():
    reading = [rule for rule in RULES if "secrets" in rule["resources"] and "get" in rule["verbs"]]

    assert [rule["resourceNames"] for rule in reading] == [["kueue-webhook-server-cert"]]
    assert [
        obj["metadata"]["name"] for obj in OBJECTS if obj["kind"] == "ClusterRole" and "secrets" in str(obj)
    ] == []

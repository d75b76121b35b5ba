"""Missing fields are filled in by type, wherever the type occurs (FK-340, FK-465, FK-495…501)."""

import pytest

from fakecluster.gotypes import typed
from fakecluster.kinds import BUILTIN_KINDS

ROWS = {kind.resource: kind for kind in BUILTIN_KINDS}


def default(resource, tree):
    kind = ROWS[resource]
    return kind.schema.default(typed.decode(kind, tree).object)


def pod(**spec):
    return default("pods", {"spec": {"containers": [{"name": "c", "image": "i"}], **spec}})["spec"]


def job(**spec):
    return default("jobs.batch", {"spec": {"template": {"spec": {"containers": [{"name": "c"}]}}, **spec}})[
        "spec"
    ]


def pick(value, *names):
    return tuple(value.get(name) for name in names)


def test_a_pod_template_is_defaulted_like_a_pod_fk_495():
    template = job()["template"]["spec"]

    assert pick(template, "restartPolicy", "dnsPolicy", "schedulerName", "terminationGracePeriodSeconds") == (
        "Always",
        "ClusterFirst",
        "default-scheduler",
        30,
    )
    assert "enableServiceLinks" not in template


@pytest.mark.parametrize(
    ("image", "policy"),
    [
        ("i", "Always"),
        ("i:latest", "Always"),
        ("i:1", "IfNotPresent"),
        ("h:5000/i", "Always"),
        ("i@sha256:0", "IfNotPresent"),
    ],
    ids=["no tag", "latest", "tag", "port of a registry", "digest"],
)
def test_the_pull_policy_follows_the_tag_fk_495(image, policy):
    assert pod(containers=[{"name": "c", "image": image}])["containers"][0]["imagePullPolicy"] == policy


def test_requests_follow_limits_in_pods_only_fk_496():
    container = {
        "name": "c",
        "image": "i",
        "resources": {"limits": {"cpu": "2", "memory": "1Gi"}, "requests": {"cpu": "1"}},
    }
    template = {"spec": {"containers": [container]}}

    assert pod(containers=[container])["containers"][0]["resources"]["requests"] == {
        "cpu": "1",
        "memory": "1Gi",
    }
    assert job(template=template)["template"]["spec"]["containers"][0]["resources"]["requests"] == {
        "cpu": "1"
    }


@pytest.mark.parametrize(
    ("volume", "filled"),
    [
        ({"name": "v"}, {"emptyDir": {}}),
        ({"name": "v", "secret": {"secretName": "s"}}, {"secret": {"secretName": "s", "defaultMode": 420}}),
        ({"name": "v", "hostPath": {"path": "/x"}}, {"hostPath": {"path": "/x", "type": ""}}),
    ],
    ids=["no source", "secret", "host path"],
)
def test_volumes_fk_495(volume, filled):
    assert pod(volumes=[volume])["volumes"][0] == {"name": "v", **filled}


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({}, (1, 1, 6, "NonIndexed", False, "TerminatingOrFailed")),
        ({"parallelism": 3}, (None, 3, 6, "NonIndexed", False, "TerminatingOrFailed")),
        ({"completions": 3}, (3, 1, 6, "NonIndexed", False, "TerminatingOrFailed")),
        ({"backoffLimitPerIndex": 1}, (1, 1, 2**31 - 1, "NonIndexed", False, "TerminatingOrFailed")),
        ({"podFailurePolicy": {"rules": [{"action": "Ignore"}]}}, (1, 1, 6, "NonIndexed", False, "Failed")),
    ],
    ids=["nothing", "parallelism", "completions", "limit per index", "failure policy"],
)
def test_jobs_fk_465(spec, expected):
    names = (
        "completions",
        "parallelism",
        "backoffLimit",
        "completionMode",
        "suspend",
        "podReplacementPolicy",
    )

    assert pick(job(**spec), *names) == expected


def test_a_job_without_labels_gets_those_of_its_template_fk_465():
    template = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": []}}

    assert default("jobs.batch", {"spec": {"template": template}})["metadata"]["labels"] == {"a": "b"}


def test_plain_text_of_a_secret_becomes_data_fk_498():
    value = default("secrets", {"data": {"a": "YQ=="}, "stringData": {"b": "b"}})

    assert (value["data"], value["type"], "stringData" in value) == (
        {"a": "YQ==", "b": "Yg=="},
        "Opaque",
        False,
    )


@pytest.mark.parametrize(
    ("resource", "tree", "path", "value"),
    [
        (
            "namespaces",
            {"metadata": {"name": "n"}},
            ("metadata", "labels"),
            {"kubernetes.io/metadata.name": "n"},
        ),
        ("nodes", {"status": {"capacity": {"cpu": "2"}}}, ("status", "allocatable"), {"cpu": "2"}),
        (
            "services",
            {"spec": {"ports": [{"port": 80}]}},
            ("spec", "ports"),
            [{"port": 80, "targetPort": 80, "protocol": "TCP"}],
        ),
        (
            "deployments.apps",
            {},
            ("spec", "strategy"),
            {
                "type": "RollingUpdate",
                "rollingUpdate": {"maxUnavailable": "25%", "maxSurge": "25%"},
            },
        ),
        (
            "deployments.apps",
            {"spec": {"strategy": {"type": "Recreate"}}},
            ("spec", "strategy"),
            {"type": "Recreate"},
        ),
        (
            "statefulsets.apps",
            {},
            ("spec", "updateStrategy"),
            {"type": "RollingUpdate", "rollingUpdate": {"partition": 0}},
        ),
        ("priorityclasses.scheduling.k8s.io", {}, ("preemptionPolicy",), "PreemptLowerPriority"),
        ("rolebindings.rbac.authorization.k8s.io", {}, ("roleRef", "apiGroup"), "rbac.authorization.k8s.io"),
        (
            "limitranges",
            {"spec": {"limits": [{"type": "Container", "max": {"cpu": "2"}, "min": {"memory": "1"}}]}},
            ("spec", "limits"),
            [
                {
                    "type": "Container",
                    "max": {"cpu": "2"},
                    "min": {"memory": "1"},
                    "default": {"cpu": "2"},
                    "defaultRequest": {"cpu": "2", "memory": "1"},
                }
            ],
        ),
        ("leases.coordination.k8s.io", {"spec": {"strategy": "OldestEmulationVersion"}}, ("spec",), {}),
    ],
    ids=[
        "namespace",
        "node",
        "service",
        "deployment",
        "recreate",
        "stateful set",
        "priority class",
        "role binding",
        "limit range",
        "feature switched off",
    ],
)
def test_other_kinds_fk_498_fk_500(resource, tree, path, value):
    stored = default(resource, tree)
    for step in path:
        stored = stored[step]

    assert stored == value


def test_defaulting_twice_changes_nothing_fk_495():
    once = default(
        "deployments.apps", {"spec": {"template": {"spec": {"containers": [{"name": "c", "image": "i"}]}}}}
    )

    assert ROWS["deployments.apps"].schema.default(once) == once

"""What other built-in kinds must satisfy and what may change of them (FK-491, FK-493, FK-499, FK-504)."""

import pytest

from .judging import make, refusal, refusal_of_change, refusal_of_status

GROUP = "rbac.authorization.k8s.io"
TEMPLATE = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
SELECTED = {"selector": {"matchLabels": {"a": "b"}}, "template": TEMPLATE}
HOOK = {
    "name": "a.b.c",
    "clientConfig": {"url": "https://x/y"},
    "sideEffects": "None",
    "admissionReviewVersions": ["v1"],
}
EVENT = {
    "eventTime": "2020-01-01T00:00:00.000001Z",
    "reportingController": "example.com/c",
    "reportingInstance": "c-0",
    "action": "A",
    "reason": "R",
    "type": "Normal",
    "regarding": {"namespace": "default", "kind": "Pod", "name": "p"},
}


@pytest.mark.parametrize(
    ("resource", "tree", "texts"),
    [
        (
            "leases.coordination.k8s.io",
            {"spec": {"leaseDurationSeconds": 0, "leaseTransitions": -1}},
            [
                "spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0",
                "spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0",
            ],
        ),
        (
            f"roles.{GROUP}",
            {"rules": [{}]},
            [
                "rules[0].verbs: Required value: verbs must contain at least one value",
                "rules[0].apiGroups: Required value: resource rules must supply at least one api group",
                "rules[0].resources: Required value: resource rules must supply at least one resource",
            ],
        ),
        (
            f"rolebindings.{GROUP}",
            {"roleRef": {"kind": "Role", "name": "r"}, "subjects": [{"kind": "Foo", "name": "u"}]},
            [
                'subjects[0].kind: Unsupported value: "Foo": supported values: "ServiceAccount", "User", "Group"',
            ],
        ),
        (
            "deployments.apps",
            {"spec": {**SELECTED, "selector": {"matchLabels": {"z": "b"}}}},
            [
                'spec.template.metadata.labels: Invalid value: {"a":"b"}: `selector` does not match template `labels`',
            ],
        ),
        (
            "deployments.apps",
            {"spec": {**SELECTED, "strategy": {"type": "Foo"}}},
            [
                'spec.strategy: Unsupported value: {"Type":"Foo","RollingUpdate":null}: supported values: "Recreate", "RollingUpdate"',
            ],
        ),
        (
            "daemonsets.apps",
            {"spec": {"template": TEMPLATE}},
            [
                'spec.template.metadata.labels: Invalid value: {"a":"b"}: `selector` does not match template `labels`',
            ],
        ),
        (
            "priorityclasses.scheduling.k8s.io",
            {"value": 2_000_000_000},
            [
                "value: Forbidden: maximum allowed value of a user defined priority is 1000000000",
            ],
        ),
        (
            "poddisruptionbudgets.policy",
            {"spec": {"minAvailable": "150%"}},
            [
                'spec.minAvailable: Invalid value: "150%": must not be greater than 100%',
            ],
        ),
        ("services", {"spec": {}}, ["spec.ports: Required value"]),
        (
            "limitranges",
            {"spec": {"limits": [{"type": "Pod", "default": {"cpu": "1"}}]}},
            [
                "spec.limits[0].default: Forbidden: may not be specified when `type` is 'Pod'",
            ],
        ),
        (
            "nodes",
            {"spec": {"taints": [{"key": "a", "effect": "NoExecute"}] * 2}},
            [
                (
                    'metadata.taints[1]: Duplicate value: {"Key":"a","Value":"","Effect":"NoExecute","TimeAdded":null}:'
                    " taints must be unique by key and effect pair"
                ),
            ],
        ),
        (
            "validatingwebhookconfigurations.admissionregistration.k8s.io",
            {"webhooks": [{**HOOK, "name": "a"}]},
            [
                'webhooks[0].name: Invalid value: "a": should be a domain with at least three segments separated by dots',
            ],
        ),
        (
            "secrets",
            {"type": "kubernetes.io/tls", "data": {"tls.key": "YQ=="}},
            ["data[tls.crt]: Required value"],
        ),
        (
            "events",
            {"involvedObject": {"namespace": "other"}},
            [
                'involvedObject.namespace: Invalid value: "other": does not match event.namespace',
            ],
        ),
        (
            "events.events.k8s.io",
            {**EVENT, "type": "Foo", "note": "n" * 1025},
            [
                'message: Invalid value: "": can have at most 1024 characters',
                'type: Invalid value: "": has invalid value: Foo',
            ],
        ),
        (
            "events.events.k8s.io",
            {**EVENT, "series": {"count": 1}},
            [
                'series.count: Invalid value: "": should be at least 2',
                "series.lastObservedTime: Required value",
            ],
        ),
    ],
    ids=[
        "lease",
        "role",
        "role binding",
        "selector",
        "strategy",
        "daemon set",
        "priority class",
        "disruption budget",
        "service",
        "limit range",
        "node",
        "webhook",
        "secret",
        "core event",
        "new event",
        "series",
    ],
)
def test_a_wrong_object_is_refused(resource, tree, texts):
    assert refusal(resource, **tree) == texts


@pytest.mark.parametrize(
    ("resource", "old", "new", "texts"),
    [
        (
            "configmaps",
            {"data": {"a": "b"}, "immutable": True},
            {"data": {"a": "c"}, "immutable": True},
            ["data: Forbidden: field is immutable when `immutable` is set"],
        ),
        ("secrets", {"type": "foo"}, {"type": "bar"}, ['type: Invalid value: "bar": field is immutable']),
        (
            "priorityclasses.scheduling.k8s.io",
            {"value": 5},
            {"value": 6},
            ["value: Forbidden: may not be changed in an update."],
        ),
        (
            f"rolebindings.{GROUP}",
            {"roleRef": {"kind": "Role", "name": "r"}},
            {"roleRef": {"kind": "Role", "name": "s"}},
            [
                f'roleRef: Invalid value: {{"APIGroup":"{GROUP}","Kind":"Role","Name":"s"}}: cannot change roleRef'
            ],
        ),
        (
            "events.events.k8s.io",
            EVENT,
            {**EVENT, "note": "changed"},
            ['message: Invalid value: "changed": field is immutable'],
        ),
        (
            "statefulsets.apps",
            {"spec": {**SELECTED, "serviceName": "a"}},
            {"spec": {**SELECTED, "serviceName": "b"}},
            [
                (
                    "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template',"
                    " 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds'"
                    " are forbidden"
                ),
            ],
        ),
    ],
    ids=["config map", "secret", "priority class", "role binding", "event", "stateful set"],
)
def test_a_wrong_change_is_refused_fk_504(resource, old, new, texts):
    assert refusal_of_change(resource, make(resource, **old), make(resource, **new)) == texts


def test_replicas_are_not_more_than_all_fk_504():
    text = "status.readyReplicas: Invalid value: 5: cannot be greater than status.replicas"

    assert refusal_of_status(
        "deployments.apps", make("deployments.apps", spec=SELECTED), {"replicas": 2, "readyReplicas": 5}
    ) == [text]

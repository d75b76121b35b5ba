"""Good objects of the kinds that are asked about: what a request is before it is spoiled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fakecluster.base.json_types import Json

POD: Json = {
    "restartPolicy": "Never",
    "containers": [
        {"name": "c", "image": "i", "resources": {"requests": {"cpu": "1"}}, "ports": [{"containerPort": 80}]}
    ],
}
SCHEMA: Json = {
    "type": "object",
    "properties": {
        "spec": {
            "type": "object",
            "x-kubernetes-validations": [{"rule": "!has(self.size) || self.size < 100", "message": "too large"}],
            "properties": {
                "size": {"type": "integer", "minimum": 0, "default": 3},
                "name": {"type": "string", "pattern": "^[a-z]*$", "maxLength": 20},
                "list": {
                    "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
                    "items": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}, "n": {"x-kubernetes-int-or-string": True}}},
                },
                "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
            },
        },
        "status": {"type": "object", "properties": {"ready": {"type": "boolean"}}},
    },
}  # fmt: skip
NAMES: Json = {"plural": "widgets", "kind": "Widget"}
VERSION: Json = {
    "name": "v1",
    "served": True,
    "storage": True,
    "subresources": {
        "status": {},
        "scale": {"specReplicasPath": ".spec.size", "statusReplicasPath": ".status.n"},
    },
    "schema": {"openAPIV3Schema": SCHEMA},
    "selectableFields": [{"jsonPath": ".spec.name"}],
    "additionalPrinterColumns": [{"name": "Size", "type": "integer", "jsonPath": ".spec.size"}],
}
DEFINITION: Json = {"group": "fuzz.example.com", "scope": "Namespaced", "names": NAMES, "versions": [VERSION]}


@dataclass(frozen=True)
class Target:
    """A collection and a good object for it."""

    path: str
    api_version: str
    kind: str
    content: Mapping[str, Json] = field(default_factory=dict)
    names: tuple[str, ...] = ("a", "b", "c")

    def good(self, name: str) -> Json:
        """Return an object that the server takes."""
        return {
            "apiVersion": self.api_version,
            "kind": self.kind,
            "metadata": {"name": name, "labels": {"l": name}},
            **self.content,
        }


def _in_namespace(root: str, plural: str, kind: str, **content: Json) -> Target:
    version = root.removeprefix("/apis/").removeprefix("/api/")
    return Target(f"{root}/namespaces/default/{plural}", version, kind, content)


RULE = {"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}
SUBJECT = {"kind": "User", "name": "u", "apiGroup": "rbac.authorization.k8s.io"}
RBAC, BATCH, CORE = "/apis/rbac.authorization.k8s.io/v1", "/apis/batch/v1", "/api/v1"
TARGETS = (
    _in_namespace(CORE, "configmaps", "ConfigMap", data={"k": "v"}, binaryData={"b": "AA=="}),
    _in_namespace(CORE, "secrets", "Secret", data={"k": "dg=="}, type="Opaque"),
    _in_namespace(CORE, "pods", "Pod", spec=POD),
    _in_namespace(CORE, "podtemplates", "PodTemplate", template={"spec": POD}),
    _in_namespace(CORE, "services", "Service", spec={"ports": [{"port": 80}], "selector": {"a": "b"}}),
    _in_namespace(CORE, "serviceaccounts", "ServiceAccount"),
    _in_namespace(CORE, "limitranges", "LimitRange", spec={"limits": [{"type": "Container", "default": {"cpu": "1"}}]}),
    _in_namespace(CORE, "resourcequotas", "ResourceQuota", spec={"hard": {"cpu": "1"}}),
    _in_namespace(CORE, "events", "Event", involvedObject={"namespace": "default"}, reason="R", type="Normal"),
    _in_namespace("/apis/events.k8s.io/v1", "events", "Event", regarding={"namespace": "default"}, eventTime="2026-01-01T00:00:00.000000Z",
                action="A", reason="R", type="Normal", reportingController="a.b/c", reportingInstance="i"),
    _in_namespace(BATCH, "jobs", "Job", spec={"suspend": True, "template": {"spec": POD}}),
    _in_namespace(BATCH, "cronjobs", "CronJob", spec={"schedule": "* * * * *", "jobTemplate": {"spec": {"template": {"spec": POD}}}}),
    _in_namespace("/apis/coordination.k8s.io/v1", "leases", "Lease", spec={"holderIdentity": "h", "leaseDurationSeconds": 15}),
    _in_namespace(RBAC, "roles", "Role", rules=[RULE]),
    _in_namespace(RBAC, "rolebindings", "RoleBinding", subjects=[SUBJECT], roleRef={"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "a"}),
    _in_namespace("/apis/fuzz.example.com/v1", "widgets", "Widget", spec={"size": 1, "name": "w", "list": [{"name": "x", "n": 1}], "free": {"a": [1]}}),
    Target("/api/v1/namespaces", "v1", "Namespace", names=("fuzz-a", "fuzz-b")),
    Target("/api/v1/nodes", "v1", "Node", {"spec": {"taints": [{"key": "k", "effect": "NoSchedule"}]}}),
    Target(f"{RBAC}/clusterroles", "rbac.authorization.k8s.io/v1", "ClusterRole", {"rules": [RULE]}),
    Target("/apis/scheduling.k8s.io/v1/priorityclasses", "scheduling.k8s.io/v1", "PriorityClass", {"value": 5}),
    Target("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", "apiextensions.k8s.io/v1", "CustomResourceDefinition",
           {"spec": DEFINITION}, names=("widgets.fuzz.example.com", "gadgets.fuzz.example.com")),
    Target("/apis/authorization.k8s.io/v1/subjectaccessreviews", "authorization.k8s.io/v1", "SubjectAccessReview",
           {"spec": {"user": "u", "resourceAttributes": {"verb": "get", "resource": "pods"}}}),
    Target("/apis/authentication.k8s.io/v1/tokenreviews", "authentication.k8s.io/v1", "TokenReview", {"spec": {"token": "t"}}),
)  # fmt: skip
"""Webhook configurations and APIServices are left out:
they would make the server call addresses that chance makes up.
"""

"""Webhooks and conversions that a hostile server answers, and the objects for which they are asked."""

import base64

from .hostile_server import ALL
from .requests import DEFINITIONS, NAMESPACE

HOSTILE = "hostile"
"""The name of the webhook configurations."""
LABEL = "hostile"
GROUP = "hostile.example.com"
REGISTRATION = "admissionregistration.k8s.io/v1"
WEBHOOK_SECONDS = 2
OPEN = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}


def plural(behaviour):
    """Return the name of the kind whose conversions are done in one way."""
    return behaviour.replace("-", "")


def path(behaviour, version):
    """Return the collection of a kind in a version; v1 is stored."""
    return f"/apis/{GROUP}/{version}/namespaces/{NAMESPACE}/{plural(behaviour)}"


def object_of(behaviour, version, name):
    """Return an object whose conversion is done in one way."""
    return {
        "apiVersion": f"{GROUP}/{version}",
        "kind": plural(behaviour).title(),
        "metadata": {"name": name},
        "spec": {"t": "t" * 1_000},
    }


def registrations(server):
    """Yield what makes the cluster ask the server, each with the path to which it is posted."""
    for kind, policy in (("Mutating", "Fail"), ("Validating", "Ignore")):
        webhooks = [_webhook(server, behaviour, policy) for behaviour in ALL]
        yield (
            f"/apis/{REGISTRATION}/{kind.lower()}webhookconfigurations",
            {
                "apiVersion": REGISTRATION,
                "kind": f"{kind}WebhookConfiguration",
                "metadata": {"name": HOSTILE},
                "webhooks": webhooks,
            },
        )
    for behaviour in ALL:
        yield DEFINITIONS, _definition(server, behaviour)


def _client(server, behaviour):
    return {"url": server.url(behaviour), "caBundle": base64.b64encode(server.ca).decode()}


def _webhook(server, behaviour, policy):
    rule = {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["configmaps"]}
    return {
        "name": f"{behaviour}.{GROUP}",
        "clientConfig": _client(server, behaviour),
        "rules": [rule],
        "sideEffects": "None",
        "admissionReviewVersions": ["v1"],
        "timeoutSeconds": WEBHOOK_SECONDS,
        "failurePolicy": policy,
        "objectSelector": {"matchLabels": {LABEL: behaviour}},
    }


def _definition(server, behaviour):
    name = plural(behaviour)
    versions = [
        {"name": version, "served": True, "storage": version == "v1", "schema": {"openAPIV3Schema": OPEN}}
        for version in ("v1", "v2")
    ]
    webhook = {"clientConfig": _client(server, behaviour), "conversionReviewVersions": ["v1"]}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{name}.{GROUP}"},
        "spec": {
            "group": GROUP,
            "scope": "Namespaced",
            "names": {"plural": name, "kind": name.title()},
            "versions": versions,
            "conversion": {"strategy": "Webhook", "webhook": webhook},
        },
    }

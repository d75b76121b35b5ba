"""How an API server learns of the webhooks: two configurations,
and where versions are converted (apiserver.md §2.5.5).
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from ...api.releases import Version, has_change
from ...api.resource import Json, Resource
from .hooks import HOOKS, Hook

REGISTRATION: Final = "admissionregistration.k8s.io"
CONVERT: Final = "/convert"
MUTATING_NAME: Final = "kueue-mutating-webhook-configuration"
VALIDATING_NAME: Final = "kueue-validating-webhook-configuration"
MUTATING = Resource(
    group=REGISTRATION,
    version="v1",
    plural="mutatingwebhookconfigurations",
    kind="MutatingWebhookConfiguration",
    namespaced=False,
)
VALIDATING = Resource(
    group=REGISTRATION,
    version="v1",
    plural="validatingwebhookconfigurations",
    kind="ValidatingWebhookConfiguration",
    namespaced=False,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookEndpoint:
    """The address of the webhooks: a URL or a Service, and the CA of their certificate."""

    url: str
    authority: bytes = b""
    namespace: str = "kueue-system"
    service: str = ""

    def client(self, path: str) -> Json:
        """Return the clientConfig for a path."""
        trust = {"caBundle": base64.b64encode(self.authority).decode()} if self.authority else {}
        if self.service:
            service = {"namespace": self.namespace, "name": self.service, "path": path, "port": 443}
            return {**trust, "service": service}
        return {**trust, "url": f"{self.url}{path}"}


def hooks_of(release: Version) -> tuple[Hook, ...]:
    """Return the webhooks that a release has."""
    return tuple(hook for hook in HOOKS if has_change(release, hook.since))


def configurations(endpoint: WebhookEndpoint, release: Version) -> tuple[tuple[Resource, Json], ...]:
    """Return the two configurations."""
    hooks = hooks_of(release)
    mutating = [_webhook(hook, "mutate", endpoint) for hook in hooks if hook.default]
    validating = [_webhook(hook, "validate", endpoint) for hook in hooks]
    return (
        (MUTATING, _configuration(MUTATING, MUTATING_NAME, mutating)),
        (VALIDATING, _configuration(VALIDATING, VALIDATING_NAME, validating)),
    )


def _configuration(resource: Resource, name: str, webhooks: list[Json]) -> Json:
    return {
        "apiVersion": resource.api_version,
        "kind": resource.kind,
        "metadata": {"name": name},
        "webhooks": webhooks,
    }


def _webhook(hook: Hook, verb: str, endpoint: WebhookEndpoint) -> Json:
    mutates = verb == "mutate"
    rule = {
        "apiGroups": [hook.resource.group],
        "apiVersions": [hook.resource.version],
        "operations": ["CREATE"] if mutates else ["CREATE", "UPDATE"],
        "resources": list(_resources(hook, mutates)),
        "scope": "*",  # the default, said so that applying it again is no change
    }
    return {
        "name": f"{verb[0]}{hook.word}.kb.io",
        "admissionReviewVersions": ["v1"],
        "clientConfig": endpoint.client(hook.path(verb)),
        "failurePolicy": "Fail",
        "sideEffects": "None",
        "rules": [rule],
        **({"namespaceSelector": _outside(endpoint.namespace)} if hook.spares_namespaces else {}),
    }


def _resources(hook: Hook, mutates: bool) -> Iterator[str]:
    yield hook.resource.plural
    if not mutates:
        yield from (f"{hook.resource.plural}/{name}" for name in hook.subresources)


def _outside(namespace: str) -> Json:
    key = "kubernetes.io/metadata.name"
    values = ["kube-system", namespace]
    return {"matchExpressions": [{"key": key, "operator": "NotIn", "values": values}]}

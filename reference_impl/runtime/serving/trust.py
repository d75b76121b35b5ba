"""Which API objects name a Service and the authorities that are trusted there:
the `caBundle` is written, and nothing else.
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import dataclass

from ...api.resource import Json, Key, Resource
from ..client import Client

Trusting = Callable[[Json, Key, str], Json]
"""(object, Service, bundle) → what has to be applied so that calls of the Service trust the bundle; empty
when they do.
"""


@dataclass(frozen=True, slots=True)
class WebhookCaller:
    """A cluster-scoped object that has API servers call a Service, and where in it the authorities are."""

    resource: Resource
    name: str
    trusting: Trusting


async def trust(
    client: Client, caller: WebhookCaller, service: Key, authorities: bytes, *, manager: str
) -> bool:
    """Write authorities (PEM) into one object as a field manager; return whether they were new to it.

    Raises ApiError.
    """
    resource, name = caller.resource, caller.name
    configuration = await client.get(resource, Key("", name))
    changed = caller.trusting(configuration, service, base64.b64encode(authorities).decode())
    if not changed:
        return False
    head = {"apiVersion": resource.api_version, "kind": resource.kind, "metadata": {"name": name}}
    await client.apply(resource, {**head, **changed}, manager=manager)
    return True


def in_webhooks(configuration: Json, service: Key, bundle: str) -> Json:
    """Return what a webhook configuration has to be told."""
    ours = [
        webhook
        for webhook in configuration.get("webhooks") or ()
        if _calls(webhook.get("clientConfig"), service)
    ]
    # No write while all trust it: an apply would change managedFields for nothing.
    if all(webhook["clientConfig"].get("caBundle") == bundle for webhook in ours):
        return {}
    # An apply names everything that its manager owns: the webhooks that trust the bundle already as well.
    return {"webhooks": [{"name": webhook["name"], "clientConfig": {"caBundle": bundle}} for webhook in ours]}


def in_conversion(definition: Json, service: Key, bundle: str) -> Json:
    """Return what a CustomResourceDefinition has to be told."""
    webhook = (definition["spec"].get("conversion") or {}).get("webhook") or {}
    config: Json = webhook.get("clientConfig")
    if not _calls(config, service) or config.get("caBundle") == bundle:
        return {}
    return {"spec": {"conversion": {"webhook": {"clientConfig": {"caBundle": bundle}}}}}


def _calls(config: Json, service: Key) -> bool:
    """Tell whether a clientConfig names the Service."""
    called = (config or {}).get("service") or {}
    return (called.get("namespace"), called.get("name")) == service

"""Whom API servers trust: the authorities are written where they call a Service of webhooks, and nothing else is."""

from __future__ import annotations

import base64
from typing import Final

from ..api.crds.definitions import DEFINITIONS
from ..api.kinds import CRDS
from ..api.resource import Json, Key, Resource
from ..runtime.client import Client
from .registration import MUTATING, MUTATING_NAME, VALIDATING, VALIDATING_NAME

MANAGER: Final = "kueue-reference-certificates"
CONVERTED: Final = tuple(f"{row.resource.plural}.{row.resource.group}" for row in DEFINITIONS if row.converts)
CALLERS: Final = (
    (MUTATING, MUTATING_NAME),
    (VALIDATING, VALIDATING_NAME),
    *((CRDS, name) for name in CONVERTED),
)
"""Who calls webhooks."""


async def trust(client: Client, resource: Resource, name: str, service: Key, authorities: bytes) -> bool:
    """Have one caller trust the authorities where it calls the Service; tell whether that was news."""
    found = await client.get(resource, Key("", name))
    said = trusting(found, service, base64.b64encode(authorities).decode())
    if not said:
        return False
    head = {"apiVersion": resource.api_version, "kind": resource.kind, "metadata": {"name": name}}
    await client.apply(resource, {**head, **said}, manager=MANAGER)
    return True


def trusting(caller: Json, service: Key, bundle: str) -> Json:
    """Return what a caller has to be told, empty when it knows. Its other fields stay whose they are."""
    said = {"caBundle": bundle}
    if "spec" in caller:
        webhook = (caller["spec"].get("conversion") or {}).get("webhook") or {}
        news = _is_news(webhook, service, bundle)
        return {"spec": {"conversion": {"webhook": {"clientConfig": said}}}} if news else {}
    ours = [one for one in caller.get("webhooks") or () if _calls(one, service)]
    if not any(_is_news(one, service, bundle) for one in ours):
        return {}
    # What is applied says all that this manager owns: those that know it already as well.
    return {"webhooks": [{"name": one["name"], "clientConfig": said} for one in ours]}


def _is_news(webhook: Json, service: Key, bundle: str) -> bool:
    return _calls(webhook, service) and webhook["clientConfig"].get("caBundle") != bundle


def _calls(webhook: Json, service: Key) -> bool:
    called = (webhook.get("clientConfig") or {}).get("service") or {}
    return (called.get("namespace"), called.get("name")) == service

"""Objects for a Kueue whose manager runs outside of the cluster: definitions, webhooks, and a Service that
leads to it.

Webhooks stay those of a Service, with the certificates that the manager makes for it; the Service is another
name of this machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...base.json_types import Json

SERVICE, SECRET = "kueue-webhook-service", "kueue-webhook-server-cert"
_KEPT = ("CustomResourceDefinition", "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration")


def objects_for_manager(manifests: Iterable[Json], namespace: str, address: str, port: int) -> Iterator[Json]:
    """Return the objects by which the API server reaches a manager at this address and port."""
    yield _object("Namespace", namespace)
    yield service(SERVICE, namespace, address)
    yield _object("Secret", SECRET, namespace=namespace)
    for manifest in manifests:
        if manifest["kind"] in _KEPT:
            yield redirect(manifest, port)


def namespace_of(manifests: Iterable[Json]) -> str:
    """Return the namespace of the manifests' Deployment."""
    namespaces = (
        manifest["metadata"].get("namespace") for manifest in manifests if manifest["kind"] == "Deployment"
    )
    return next(filter(None, namespaces), "kueue-system")


def redirect(caller: Json, port: int) -> Json:
    """Return a definition or webhook configuration with another port of its Service."""
    if "webhooks" in caller:
        hooks = [{**hook, "clientConfig": on_port(hook["clientConfig"], port)} for hook in caller["webhooks"]]
        return {**caller, "webhooks": hooks}
    conversion = caller["spec"].get("conversion") or {}
    if "webhook" not in conversion:
        return caller
    webhook = {
        **conversion["webhook"],
        "clientConfig": on_port(conversion["webhook"]["clientConfig"], port),
    }
    return {**caller, "spec": {**caller["spec"], "conversion": {**conversion, "webhook": webhook}}}


def service(name: str, namespace: str, address: str) -> Json:
    """Return a Service of type ExternalName for an address."""
    return {
        **_object("Service", name, namespace=namespace),
        "spec": {"type": "ExternalName", "externalName": address},
    }


def on_port(caller: Json, port: int) -> Json:
    """Return a reference to a Service with another port."""
    return {**caller, "service": {**caller["service"], "port": port}}


def _object(kind: str, name: str, **namespace_field: str) -> Json:
    return {"apiVersion": "v1", "kind": kind, "metadata": {"name": name, **namespace_field}}

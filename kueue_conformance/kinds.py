"""Objects of any kind, as manifests of other people bring them: where the server says that they live."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from .client import ApiError, Client, Resource
from .errors import EnvironmentProblem

Json: TypeAlias = Any
_BEFORE = ("Namespace", "CustomResourceDefinition", "ServiceAccount")


def located(client: Client, manifest: Json) -> tuple[str, Json]:
    """Return the URL path of the object that a manifest describes, and the manifest as its kind wants it. Raises EnvironmentProblem."""
    resource, metadata = resource_of(client, manifest), manifest["metadata"]
    place = {"namespace": metadata.get("namespace", "default")} if resource.namespaced else {}
    others = {key: value for key, value in metadata.items() if key != "namespace"}
    return resource.path(place.get("namespace", ""), metadata["name"]), {
        **manifest,
        "metadata": {**others, **place},
    }


def resource_of(client: Client, manifest: Json) -> Resource:
    """Return where objects of a manifest's kind live, as discovery tells it."""
    group, _, version = manifest["apiVersion"].rpartition("/")
    try:
        served = client.call("GET", f"/apis/{group}/{version}" if group else f"/api/{version}")["resources"]
    except ApiError as error:
        served = []
        if error.code != 404:
            raise
    for one in served:
        if one["kind"] == manifest["kind"] and "/" not in one["name"]:
            return Resource(group, version, one["kind"], one["name"], namespaced=one["namespaced"])
    raise EnvironmentProblem(
        f"the API server does not serve {manifest['kind']} of {manifest['apiVersion']}",
        hint="install its CustomResourceDefinition first, or check apiVersion and kind",
    )


def is_served(client: Client, definition: Json) -> bool:
    """Tell whether the kind of a CustomResourceDefinition can be used."""
    spec = definition["spec"]
    version = next(one["name"] for one in spec["versions"] if one["served"])
    try:
        resource_of(client, {"apiVersion": f"{spec['group']}/{version}", "kind": spec["names"]["kind"]})
    except EnvironmentProblem:
        return False
    return True


def apply(client: Client, manifests: Sequence[Json], *, manager: str) -> None:
    """Apply objects in an order in which they can exist: definitions and namespaces first."""
    for manifest in in_order(manifests):
        path, body = located(client, manifest)
        client.call(
            "PATCH", path, body, media="application/apply-patch+yaml", fieldManager=manager, force=True
        )


def remove(client: Client, manifests: Sequence[Json]) -> None:
    """Delete objects in the opposite order; an absent one is no error."""
    for manifest in reversed(in_order(manifests)):
        try:
            client.call("DELETE", located(client, manifest)[0], {"propagationPolicy": "Background"})
        except ApiError as error:
            if error.code != 404:
                raise


def in_order(manifests: Sequence[Json]) -> list[Json]:
    """Return manifests with those first that others need."""
    return sorted(manifests, key=lambda one: one["kind"] not in _BEFORE)

"""Objects of any kind, as manifests of other people bring them: where the server says that they live."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..base.errors import EnvironmentProblem
from ..base.json_types import Json
from .client import RUN_LABEL, ApiError, Client
from .resource import Resource

JSON_PATCH = "application/json-patch+json"
_BEFORE = ("Namespace", "CustomResourceDefinition", "ServiceAccount")
_SHARED = ("Namespace", "ServiceAccount", "Secret")
"""Kinds of which others write a part: the cluster, or a control plane its certificates."""
_HEAD = ("apiVersion", "kind", "metadata", "status")


def locate(client: Client, manifest: Json) -> tuple[str, Json]:
    """Return the URL path of the object that a manifest describes, and the manifest as its kind wants it.

    Raises EnvironmentProblem.
    """
    resource, metadata = resource_of(client, manifest), manifest["metadata"]
    namespace = {"namespace": metadata.get("namespace", "default")} if resource.namespaced else {}
    # A cluster-scoped object has no namespace, whatever its manifest says.
    other_fields = {key: value for key, value in metadata.items() if key != "namespace"}
    return resource.path(namespace.get("namespace", ""), metadata["name"]), {
        **manifest,
        "metadata": {**other_fields, **namespace},
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
    for entry in served:
        # Discovery lists subresources too: pods/eviction is of kind Eviction, deployments/scale
        # of kind Scale.
        if entry["kind"] == manifest["kind"] and "/" not in entry["name"]:
            return Resource(group, version, entry["kind"], entry["name"], namespaced=entry["namespaced"])
    raise EnvironmentProblem(
        f"the API server does not serve {manifest['kind']} of {manifest['apiVersion']}",
        hint="install its CustomResourceDefinition first, or check apiVersion and kind",
    )


def served_resources(client: Client) -> Iterator[Resource]:
    """Yield where the objects of every kind live that can be
    listed and deleted, in the version that the server prefers.
    """
    groups = client.call("GET", "/apis")["groups"]
    # One version of each group: the same objects are served in all of them.
    for version in ["v1", *(group_entry["preferredVersion"]["groupVersion"] for group_entry in groups)]:
        group, _, name = version.rpartition("/")
        for entry in _resources(client, f"/apis/{version}" if group else f"/api/{version}"):
            if "/" not in entry["name"] and {"list", "delete"} <= set(entry["verbs"]):
                yield Resource(group, name, entry["kind"], entry["name"], namespaced=entry["namespaced"])


def _resources(client: Client, path: str) -> Sequence[Json]:
    try:
        resources: Sequence[Json] = client.call("GET", path)["resources"]
    except ApiError as error:
        if error.code not in (404, 503):  # a group that went, or whose server is away
            raise
        return ()
    return resources


def is_served(client: Client, definition: Json) -> bool:
    """Tell whether the kind of a CustomResourceDefinition can be used."""
    spec = definition["spec"]
    version = next(version_entry["name"] for version_entry in spec["versions"] if version_entry["served"])
    try:
        resource_of(client, {"apiVersion": f"{spec['group']}/{version}", "kind": spec["names"]["kind"]})
    except EnvironmentProblem:
        return False
    return True


def apply(client: Client, manifests: Sequence[Json], *, manager: str) -> None:
    """Apply objects in an order in which they can exist: definitions and namespaces first; labelled as ours.

    What others have made is neither changed nor deleted: a definition or a namespace is used as it is. Raises
    EnvironmentProblem for the rest.
    """
    for manifest in in_order(manifests):
        path, body = locate(client, client.with_run_label(manifest))
        if _is_others(client, path):
            # A definition, namespace or account that is there can be shared; to apply it would
            # change what others rely on.
            if manifest["kind"] in _BEFORE:
                continue
            raise EnvironmentProblem(
                f"{manifest['kind']} {manifest['metadata']['name']} exists already, and was not made by this run",
                hint="give it another name, or delete it",
            )
        _apply(client, path, body, manager)


def replace(client: Client, manifests: Sequence[Json], *, manager: str) -> None:
    """Apply objects over those of the same names, those of others as well; labelled as ours.

    Of an object that is there, nothing stays that its manifest does not have: where two releases call a
    webhook in different ways, an apply would leave both ways in it, which the API server refuses.
    """
    for manifest in in_order(manifests):
        path, body = locate(client, client.with_run_label(manifest))
        if manifest["kind"] in _SHARED:
            _apply(client, path, body, manager)
            continue
        sections = {key: value for key, value in body.items() if key not in _HEAD}
        steps = [{"op": "add", "path": f"/{key}", "value": value} for key, value in sections.items()]
        labels = {"op": "add", "path": "/metadata/labels", "value": body["metadata"].get("labels", {})}
        try:
            client.call("PATCH", path, [labels, *steps], media=JSON_PATCH)
        except ApiError as error:
            if error.code != 404:
                raise
            _apply(client, path, body, manager)


def _apply(client: Client, path: str, body: Json, manager: str) -> None:
    client.call("PATCH", path, body, media="application/apply-patch+yaml", fieldManager=manager, force=True)


def remove(client: Client, manifests: Sequence[Json]) -> None:
    """Delete objects in the opposite order; an absent one is no error, and one of others stays."""
    for manifest in reversed(in_order(manifests)):
        try:
            path, _ = locate(client, manifest)
            if not _is_others(client, path):
                client.call("DELETE", path, {"propagationPolicy": "Background"})
        except ApiError as error:
            if error.code != 404:
                raise


def _is_others(client: Client, path: str) -> bool:
    """Tell whether an object is there that no run has made; a client that labels nothing cannot tell."""
    # Without a label of its own everything would look like others'.
    if not client.run:
        return False
    try:
        return RUN_LABEL not in client.call("GET", path)["metadata"].get("labels", {})
    except ApiError as error:
        if error.code != 404:
            raise
        return False


def in_order(manifests: Sequence[Json]) -> list[Json]:
    """Return manifests with those first that others need."""
    # The sort is stable: within the two groups the order of the file stays.
    return sorted(manifests, key=lambda manifest: manifest["kind"] not in _BEFORE)

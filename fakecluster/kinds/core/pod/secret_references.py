"""The Secrets that a pod refers to, and those among them that its account does not list (FK-463)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ....base.json_types import Json

CONTAINERS = ("initContainers", "containers", "ephemeralContainers")
REFERRING = ("cephfs", "cinder", "flexVolume", "rbd", "scaleIO", "iscsi", "storageos")
"""Volumes whose `secretRef` names a Secret."""
NOT_LISTED = "is not allowed because service account {} does not reference that {}"


def names(spec: Json) -> Iterator[str]:
    """Yield the names of the Secrets that anything in a pod refers to."""
    references = [secret.get("name") for secret in spec.get("imagePullSecrets") or ()]
    for member in CONTAINERS:
        for container in spec.get(member) or ():
            references += [name for _, name in _of_container(container)]
    for volume in spec.get("volumes") or ():
        references += _of_volume(volume)
    yield from filter(None, references)


def _of_container(container: Json) -> Iterator[tuple[str, str]]:
    """Yield how a container refers to Secrets, and their names."""
    for variable in container.get("env") or ():
        if reference := (variable.get("valueFrom") or {}).get("secretKeyRef"):
            yield f"envVar {variable['name']}", reference.get("name", "")
    for source in container.get("envFrom") or ():
        if reference := source.get("secretRef"):
            yield "envFrom", reference.get("name", "")


def _of_volume(volume: Json) -> list[str]:
    references = [(volume.get(kind) or {}).get("secretRef") or {} for kind in REFERRING]
    references.append((volume.get("csi") or {}).get("nodePublishSecretRef") or {})
    projected = (volume.get("projected") or {}).get("sources") or ()
    references += [source.get("secret") or {} for source in projected]
    named = [(volume.get(kind) or {}).get("secretName", "") for kind in ("secret", "azureFile")]
    return [*named, *(reference.get("name", "") for reference in references)]


def first_beyond_account(spec: Json, account: Json) -> str:
    """Return the reference to a Secret that the service account does not list, empty for none."""
    mountable = _names_in(account, "secrets")
    why = NOT_LISTED.format(account["metadata"]["name"], "secret")
    for volume in spec.get("volumes") or ():
        name = (volume.get("secret") or {}).get("secretName", "")
        if volume.get("secret") is not None and name not in mountable:
            return f'volume with secret.secretName="{name}" {why}'
    for member, noun in (("initContainers", "init container"), ("containers", "container")):
        if text := _containers_beyond(spec.get(member) or (), noun, mountable, why):
            return text
    pulling = _names_in(account, "imagePullSecrets")
    for number, secret in enumerate(spec.get("imagePullSecrets") or ()):
        if secret.get("name", "") not in pulling:
            why = NOT_LISTED.format(account["metadata"]["name"], "imagePullSecret")
            return f'imagePullSecrets[{number}].name="{secret.get("name", "")}" {why}'
    return ""


def of_ephemeral_beyond(spec: Json, account: Json) -> str:
    """Return what in an ephemeral container refers to a Secret that the account does not list."""
    why = NOT_LISTED.format(account["metadata"]["name"], "secret")
    containers = spec.get("ephemeralContainers") or ()
    return _containers_beyond(containers, "ephemeral container", _names_in(account, "secrets"), why)


def _containers_beyond(containers: Iterable[Json], noun: str, mountable: frozenset[str], why: str) -> str:
    for container in containers:
        for how, name in _of_container(container):
            if name not in mountable:
                return f'{noun} {container["name"]} with {how} referencing secret.secretName="{name}" {why}'
    return ""


def _names_in(account: Json, member: str) -> frozenset[str]:
    return frozenset(reference.get("name", "") for reference in account.get(member) or ())

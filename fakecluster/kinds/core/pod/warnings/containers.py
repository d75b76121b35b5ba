"""Containers that do not do what they seem to (FK-236)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .....base.json_types import Json
from .....schema.fields import go_quote
from ....validation.fractional_bytes import BYTES, of_amounts
from .. import app_armor

CONTAINER_FIELDS = ("initContainers", "containers", "ephemeralContainers")
SECCOMP = "container.seccomp.security.alpha.kubernetes.io/"
USE_FIELD = 'non-functional in v1.27+; use the "seccompProfile" field instead'


def with_paths(spec: Json, path: str) -> Iterator[tuple[Json, str]]:
    """Yield the containers of a pod with their paths."""
    for member in CONTAINER_FIELDS:
        for number, container in enumerate(spec.get(member) or ()):
            yield container, f"{path}.{member}[{number}]"


def of_containers(annotations: Mapping[str, str], spec: Json, path: str) -> Iterator[str]:
    """Yield the warnings of the containers of a pod, or of a template at a path that ends with a dot."""
    for container, container_path in with_paths(spec, f"{path}spec"):
        context = container.get("securityContext") or {}
        seccomp = f"{SECCOMP}{container['name']}"
        if seccomp in annotations and not context.get("seccompProfile"):
            yield f"{path}metadata.annotations[{seccomp}]: {USE_FIELD}"
        if path:
            yield from app_armor.of_template(annotations, spec, container, path)
        resources = container.get("resources") or {}
        for name in BYTES:
            for side in ("limits", "requests"):
                yield from of_amounts(resources.get(side), f"{container_path}.resources.{side}", (name,))
        yield from _variables(container.get("env") or (), f"{container_path}.env")


def _variables(variables: Json, path: str) -> Iterator[str]:
    """Name variables that stand for another value than one before them, and do not add to it."""
    before: set[str] = set()
    for number, variable in enumerate(variables):
        name, value = variable["name"], variable.get("value", "")
        reference = f"$({name})"
        adds = reference in value and value != reference and not variable.get("valueFrom")
        if name in before and not adds:
            yield (
                f"{path}[{number}]: hides previous definition of {go_quote(name)},"
                " which may be dropped when using apply"
            )
        before.add(name)

"""What a client sees of the store behind the server: keys in precondition failures (FK-034)."""

from __future__ import annotations

from collections.abc import Mapping

from .action import Action
from .kinds import Kind

PREFIXES: Mapping[tuple[str, str], str] = {
    ("", "services"): "services/specs",
    ("", "endpoints"): "services/endpoints",
    ("", "nodes"): "minions",
    ("networking.k8s.io", "ingresses"): "ingress",
    ("apiextensions.k8s.io", "customresourcedefinitions"): "apiextensions.k8s.io/customresourcedefinitions",
    ("apiregistration.k8s.io", "apiservices"): "apiregistration.k8s.io/apiservices",
}


def uid_mismatch(action: Action, said: str, found: str) -> str:
    """Word a PUT whose body names another object's uid."""
    return (
        f"StorageError: invalid object, Code: 4, Key: {key(action.kind, action.namespace, action.name)}, "
        f"ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: {said}, "
        f"UID in object meta: {found}"
    )


def key(kind: Kind, namespace: str, name: str) -> str:
    """Return the key under which the real store keeps an object."""
    prefix = (
        f"{kind.group}/{kind.plural}" if kind.custom else PREFIXES.get((kind.group, kind.plural), kind.plural)
    )
    return "/".join(filter(None, ("/registry", prefix, namespace, name)))

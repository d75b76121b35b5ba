"""How a built-in kind becomes a row: what most kinds have in common, said once (FK-495)."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from ..api.kind import Kind, ObjectSchema, Presentation, Strategy
from ..gotypes.types import structural
from . import defaulting
from .statuses import initial_status

GROUP_OF = {"core": ""}
GROUP_SUFFIX = {
    "admissionregistration": "k8s.io",
    "apiextensions": "k8s.io",
    "apiregistration": "k8s.io",
    "authentication": "k8s.io",
    "authorization": "k8s.io",
    "certificates": "k8s.io",
    "coordination": "k8s.io",
    "discovery": "k8s.io",
    "events": "k8s.io",
    "flowcontrol": "apiserver.k8s.io",
    "networking": "k8s.io",
    "node": "k8s.io",
    "rbac": "authorization.k8s.io",
    "resource": "k8s.io",
    "scheduling": "k8s.io",
    "storage": "k8s.io",
}
STATUS = frozenset({"status"})
STATUS_AND_SCALE = frozenset({"status", "scale"})
REVIEW_VERBS = ("create",)
CATEGORY_ALL, CATEGORY_EXTENSIONS = ("all",), ("api-extensions",)
"""Categories of kinds, which clients ask for together."""


def row(
    message: str, plural: str, *, short: str = "", subresources: frozenset[str] = frozenset(), **members: Any
) -> Kind:
    """Return the row of the kind that `message` (`apps.v1.Deployment`) describes;
    `short` lists short names.
    """
    prefix, version, kind = message.split(".")
    members.setdefault("default", defaulting.for_message(message))
    if "status" in subresources:
        members.setdefault("prepare", initial_status(message))
    return Kind(
        group=group(prefix),
        version=version,
        kind=kind,
        plural=plural,
        singular=kind.lower(),
        short_names=tuple(short.split()),
        subresources=subresources,
        schema=ObjectSchema(structural=structural(message), **_take_fields(members, ObjectSchema)),
        strategy=Strategy(**_take_fields(members, Strategy)),
        presentation=Presentation(**_take_fields(members, Presentation)),
        **members,
    )


def _take_fields(members: dict[str, Any], struct: type[Struct]) -> dict[str, Any]:
    """Take the fields of one part of a Kind out of the arguments of a row."""
    return {name: members.pop(name) for name in struct.__struct_fields__ if name in members}


def group(prefix: str) -> str:
    """Return the API group of a message's first part."""
    if prefix in GROUP_SUFFIX:
        return f"{prefix}.{GROUP_SUFFIX[prefix]}"
    return GROUP_OF.get(prefix, prefix)

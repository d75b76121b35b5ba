"""The kinds of `rbac.authorization.k8s.io`: rows, defaults, columns (FK-499)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ...api.kind import Column, Kind
from ...base.json_types import Json
from ...base.lazy_modules import LazyModule
from ...codec.cells import AGE, column
from ...codec.tables import CREATED_COLUMN
from ..default_rules import Defaulter, where_empty
from ..row import row

if TYPE_CHECKING:
    from . import validation
else:
    validation = LazyModule(".validation", __package__)


def _subjects(kind: str) -> Column:
    def cell(binding: Json) -> str:
        subjects = [subject for subject in binding.get("subjects") or () if subject["kind"] == kind]
        names = (
            f"{subject['namespace']}/{subject['name']}" if subject.get("namespace") else subject["name"]
            for subject in subjects
        )
        return ", ".join(names)

    return column(f"{kind}s", cell, wide=True)


BINDING = (
    column("Role", lambda obj: f"{obj['roleRef']['kind']}/{obj['roleRef']['name']}"),
    AGE,
    _subjects("User"),
    _subjects("Group"),
    _subjects("ServiceAccount"),
)
CLUSTER_ROLE = (CREATED_COLUMN,)


def role_binding(value: Json) -> Json:
    """The role's group is that of roles."""
    reference = where_empty(apiGroup="rbac.authorization.k8s.io")(value["roleRef"])
    return {**value, "roleRef": reference}


def subject(value: Json) -> Json:
    """Users and groups belong to the group of roles."""
    if value.get("kind") in {"User", "Group"}:
        return where_empty(apiGroup="rbac.authorization.k8s.io")(value)
    return value


DEFAULTS: Mapping[str, Defaulter] = {
    "rbac.v1.ClusterRoleBinding": role_binding,
    "rbac.v1.RoleBinding": role_binding,
    "rbac.v1.Subject": subject,
}
KINDS: tuple[Kind, ...] = (
    row(
        "rbac.v1.ClusterRole",
        "clusterroles",
        namespaced=False,
        name_rule="path",
        create_on_update=True,
        validate=validation.cluster_role,
        columns=CLUSTER_ROLE,
    ),
    row(
        "rbac.v1.ClusterRoleBinding",
        "clusterrolebindings",
        namespaced=False,
        name_rule="path",
        create_on_update=True,
        validate=validation.cluster_role_binding,
        validate_update=validation.same_role,
        columns=BINDING,
    ),
    row("rbac.v1.Role", "roles", name_rule="path", create_on_update=True, validate=validation.role),
    row(
        "rbac.v1.RoleBinding",
        "rolebindings",
        name_rule="path",
        create_on_update=True,
        validate=validation.role_binding,
        validate_update=validation.same_role,
        columns=BINDING,
    ),
)

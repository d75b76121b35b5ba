"""What administrators and users of queues may do, as roles to bind: those of Kueue (VIS-440…442), without
rights of their own.

A role for each kind is gathered by its labels into `kueue-batch-admin-role` and `kueue-batch-user-role`, and,
where it only reads, into the cluster's own `admin`, `edit` and `view`.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from ...api import kinds
from ...api.resource import Json, Resource
from ..visibility.attributes import GROUP
from ..visibility.rules import VisibilityRules
from .identity import CLUSTER_ROLES
from .rights import Right, rules
from .site import make_object

READ: Final = ("get", "list", "watch")
WRITE: Final = ("create", "delete", "get", "list", "patch", "update", "watch")
LABEL: Final = "rbac.kueue.x-k8s.io"
AGGREGATE: Final = "rbac.authorization.k8s.io/aggregate-to"
ADMINS, USERS = "batch-admin", "batch-user"
EVERYBODY: Final = ("admin", "edit", "view")


class Audience(NamedTuple):
    """The roles that may write objects of a kind, those that may read them, and which of the cluster's own
    roles may read them as well.
    """

    kind: Resource
    writers: tuple[str, ...]
    readers: tuple[str, ...]
    everywhere: tuple[str, ...]


AUDIENCES: Final = (
    Audience(kinds.CLUSTER_QUEUES, (ADMINS,), (ADMINS,), ("admin",)),
    Audience(kinds.COHORTS, (ADMINS,), (ADMINS,), ("admin",)),
    Audience(kinds.JOBS, (ADMINS, USERS), (ADMINS, USERS), EVERYBODY),
    Audience(kinds.LOCAL_QUEUES, (ADMINS,), (ADMINS, USERS), EVERYBODY),
    Audience(kinds.RESOURCE_FLAVORS, (ADMINS,), (ADMINS,), ("admin",)),
    Audience(kinds.TOPOLOGIES, (ADMINS,), (ADMINS,), ("admin",)),
    Audience(kinds.WORKLOADS, (ADMINS,), (ADMINS, USERS), EVERYBODY),
)
PENDING: Final = (
    ("cq", kinds.CLUSTER_QUEUES.plural, (ADMINS,)),
    ("lq", kinds.LOCAL_QUEUES.plural, (ADMINS, USERS)),
)
"""The rights to see pending Workloads (VIS-440, VIS-441):
short name of the role, its queues, the roles that gather it.
"""
STATELESS: Final = (
    kinds.MULTI_KUEUE_CONFIGS,
    kinds.PROVISIONING_REQUEST_CONFIGS,
    kinds.RESOURCE_FLAVORS,
    kinds.TOPOLOGIES,
    kinds.WORKLOAD_PRIORITY_CLASSES,
)
"""Kinds without a status to look at."""


def user_roles(rules: VisibilityRules) -> tuple[Json, ...]:
    """Return the roles; no binding is among them."""
    return (
        *(_gathering(audience) for audience in (ADMINS, USERS)),
        *(role for row in _audiences(rules) for role in (_editor(row), _viewer(row))),
        *(_pending(short, plural, readers, rules) for short, plural, readers in PENDING),
    )


def _audiences(rules: VisibilityRules) -> tuple[Audience, ...]:
    administered = (Audience(kind, (ADMINS,), (ADMINS,), ()) for kind in rules.administered)
    return (*AUDIENCES, *administered)


def _gathering(audience: str) -> Json:
    selector = {"matchLabels": {f"{LABEL}/{audience}": "true"}}
    # No rules: an apply would take away what was gathered.
    return make_object(
        CLUSTER_ROLES, f"kueue-{audience}-role", aggregationRule={"clusterRoleSelectors": [selector]}
    )


def _editor(row: Audience) -> Json:
    return _role(row.kind, "editor", WRITE, [f"{LABEL}/{role_name}" for role_name in row.writers])


def _viewer(row: Audience) -> Json:
    gathered = [f"{LABEL}/{role_name}" for role_name in row.readers] + [
        f"{AGGREGATE}-{one}" for one in row.everywhere
    ]
    return _role(row.kind, "viewer", READ, gathered)


def _role(kind: Resource, suffix: str, verbs: tuple[str, ...], gathered: list[str]) -> Json:
    name = f"{kind.kind.lower()}-{suffix}"
    rights = [Right((kind,), verbs), *([] if kind in STATELESS else [Right((kind,), ("get",), "status")])]
    role = make_object(CLUSTER_ROLES, f"kueue-{name}-role", rules=rules(rights))
    role["metadata"]["labels"] |= {f"{LABEL}/role": name, **dict.fromkeys(gathered, "true")}
    return role


def _pending(short: str, plural: str, readers: tuple[str, ...], release: VisibilityRules) -> Json:
    name = f"pending-workloads-{short}-viewer"
    rule = {"apiGroups": [GROUP], "resources": [f"{plural}/pendingworkloads"], "verbs": list(READ)}
    role = make_object(CLUSTER_ROLES, f"kueue-{name}-role", rules=[rule])
    gathered = [f"{LABEL}/{role_name}" for role_name in readers] + [
        f"{AGGREGATE}-{one}" for one in release.aggregate_to
    ]
    named = {f"{LABEL}/role": name} if release.has_role_labels else {}
    role["metadata"]["labels"] |= {**named, **dict.fromkeys(gathered, "true")}
    return role

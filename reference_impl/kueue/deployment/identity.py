"""The identity of the reference: its namespace, its account, its roles and what binds them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ...api.kinds import NAMESPACES
from ...api.resource import Json, Resource
from .rights import Right, rules
from .site import NAME, make_object

RBAC: Final = "rbac.authorization.k8s.io"
AUTHORITIES_READER: Final = "kueue-visibility-server-auth-reader"
AUTHORITIES_NAMESPACE: Final = "kube-system"
ACCOUNTS: Final = Resource(group="", version="v1", plural="serviceaccounts", kind="ServiceAccount")
ROLES: Final = Resource(group=RBAC, version="v1", plural="roles", kind="Role")
ROLE_BINDINGS: Final = Resource(group=RBAC, version="v1", plural="rolebindings", kind="RoleBinding")
CLUSTER_ROLES: Final = Resource(
    group=RBAC, version="v1", plural="clusterroles", kind="ClusterRole", namespaced=False
)
CLUSTER_ROLE_BINDINGS: Final = Resource(
    group=RBAC, version="v1", plural="clusterrolebindings", kind="ClusterRoleBinding", namespaced=False
)


def namespace_and_account(namespace: str) -> tuple[tuple[Resource, Json], ...]:
    """Return its namespace and ServiceAccount."""
    return (NAMESPACES, make_object(NAMESPACES, namespace)), (
        ACCOUNTS,
        make_object(ACCOUNTS, NAME, namespace),
    )


def roles(
    namespace: str, *, cluster: Iterable[Right], inside: Iterable[Right]
) -> tuple[tuple[Resource, Json], ...]:
    """Return its ClusterRole, and its Role in its namespace."""
    return (
        (CLUSTER_ROLES, make_object(CLUSTER_ROLES, NAME, rules=rules(cluster))),
        (
            CLUSTER_ROLE_BINDINGS,
            make_object(CLUSTER_ROLE_BINDINGS, NAME, **_binding(CLUSTER_ROLES, namespace)),
        ),
        (ROLES, make_object(ROLES, NAME, namespace, rules=rules(inside))),
        (ROLE_BINDINGS, make_object(ROLE_BINDINGS, NAME, namespace, **_binding(ROLES, namespace))),
    )


def authorities_reader(namespace: str) -> tuple[Resource, Json]:
    """Return what lets the visibility server read the authorities of the cluster (VIS-443)."""
    bound = _binding(ROLES, namespace, "extension-apiserver-authentication-reader")
    return ROLE_BINDINGS, make_object(ROLE_BINDINGS, AUTHORITIES_READER, AUTHORITIES_NAMESPACE, **bound)


def _binding(role: Resource, namespace: str, name: str = NAME) -> Json:
    return {
        "roleRef": {"apiGroup": RBAC, "kind": role.kind, "name": name},
        "subjects": [{"kind": ACCOUNTS.kind, "name": NAME, "namespace": namespace}],
    }

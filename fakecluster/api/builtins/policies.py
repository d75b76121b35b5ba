"""Kinds that steer the cluster: access, admission, flow control, scheduling, leases (FK-499, FK-501, FK-504)."""

from __future__ import annotations

from ..kinds import Kind
from .rows import STATUS, row
from .rules import access, configuration

EXTENSIONS = ("api-extensions",)
KINDS: tuple[Kind, ...] = (
    row(
        "admissionregistration.v1.MutatingWebhookConfiguration",
        "mutatingwebhookconfigurations",
        categories=EXTENSIONS,
        namespaced=False,
        generation="all",
        unconditional_update=False,
    ),
    row(
        "admissionregistration.v1.ValidatingWebhookConfiguration",
        "validatingwebhookconfigurations",
        categories=EXTENSIONS,
        namespaced=False,
        generation="all",
        unconditional_update=False,
    ),
    row(
        "apiregistration.v1.APIService",
        "apiservices",
        categories=EXTENSIONS,
        namespaced=False,
        subresources=STATUS,
        unconditional_update=False,
    ),
    row(
        "coordination.v1.Lease",
        "leases",
        unconditional_update=False,
        create_on_update=True,
        validate=configuration.lease,
    ),
    row("discovery.v1.EndpointSlice", "endpointslices", generation="all"),
    row("flowcontrol.v1.FlowSchema", "flowschemas", namespaced=False, subresources=STATUS, generation="spec"),
    row(
        "flowcontrol.v1.PriorityLevelConfiguration",
        "prioritylevelconfigurations",
        namespaced=False,
        subresources=STATUS,
        generation="spec",
    ),
    row(
        "node.v1.RuntimeClass",
        "runtimeclasses",
        namespaced=False,
        unconditional_update=False,
        create_on_update=True,
        validate=configuration.runtime_class,
        validate_update=configuration.same_handler,
    ),
    row(
        "policy.v1.PodDisruptionBudget",
        "poddisruptionbudgets",
        short="pdb",
        subresources=STATUS,
        generation="spec",
        validate=configuration.disruption_budget,
    ),
    row(
        "rbac.v1.ClusterRole",
        "clusterroles",
        namespaced=False,
        name_rule="path",
        create_on_update=True,
        validate=access.cluster_role,
    ),
    row(
        "rbac.v1.ClusterRoleBinding",
        "clusterrolebindings",
        namespaced=False,
        name_rule="path",
        create_on_update=True,
        validate=access.cluster_role_binding,
        validate_update=access.same_role,
    ),
    row("rbac.v1.Role", "roles", name_rule="path", create_on_update=True, validate=access.role),
    row(
        "rbac.v1.RoleBinding",
        "rolebindings",
        name_rule="path",
        create_on_update=True,
        validate=access.role_binding,
        validate_update=access.same_role,
    ),
    row(
        "scheduling.v1.PriorityClass",
        "priorityclasses",
        short="pc",
        namespaced=False,
        generation="all",
        validate=configuration.priority_class,
        validate_update=configuration.same_priority,
    ),
)

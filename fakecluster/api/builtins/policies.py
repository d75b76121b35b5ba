"""Kinds that steer the cluster: access, admission, flow control, scheduling, leases (FK-499, FK-501, FK-504)."""

from __future__ import annotations

from ..kinds import Kind
from .rows import STATUS, row
from .rules import access, configuration, infrastructure, serving, webhooks

EXTENSIONS = ("api-extensions",)
KINDS: tuple[Kind, ...] = (
    row(
        "admissionregistration.v1.MutatingWebhookConfiguration",
        "mutatingwebhookconfigurations",
        categories=EXTENSIONS,
        namespaced=False,
        generation="all",
        unconditional_update=False,
        validate=webhooks.mutating,
    ),
    row(
        "admissionregistration.v1.ValidatingWebhookConfiguration",
        "validatingwebhookconfigurations",
        categories=EXTENSIONS,
        namespaced=False,
        generation="all",
        unconditional_update=False,
        validate=webhooks.validating,
    ),
    row(
        "apiregistration.v1.APIService",
        "apiservices",
        categories=EXTENSIONS,
        namespaced=False,
        subresources=STATUS,
        status_resets=(("metadata",), ("spec",)),
        unconditional_update=False,
        validate=serving.api_service,
    ),
    row(
        "coordination.v1.Lease",
        "leases",
        unconditional_update=False,
        create_on_update=True,
        validate=configuration.lease,
    ),
    row("discovery.v1.EndpointSlice", "endpointslices", generation="all", validate=serving.endpoint_slice),
    row(
        "flowcontrol.v1.FlowSchema",
        "flowschemas",
        namespaced=False,
        subresources=STATUS,
        status_resets=(("metadata",), ("spec",)),
        generation="spec",
        validate=serving.flow_schema,
    ),
    row(
        "flowcontrol.v1.PriorityLevelConfiguration",
        "prioritylevelconfigurations",
        namespaced=False,
        subresources=STATUS,
        status_resets=(("metadata",), ("spec",)),
        generation="spec",
        validate=serving.priority_level,
    ),
    row(
        "node.v1.RuntimeClass",
        "runtimeclasses",
        namespaced=False,
        unconditional_update=False,
        create_on_update=True,
        validate=infrastructure.runtime_class,
        validate_update=infrastructure.same_handler,
    ),
    row(
        "policy.v1.PodDisruptionBudget",
        "poddisruptionbudgets",
        short="pdb",
        subresources=STATUS,
        name_rule="path",
        unconditional_update=False,
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
        generation="spec",
        validate=configuration.priority_class,
        validate_update=configuration.same_priority,
    ),
)

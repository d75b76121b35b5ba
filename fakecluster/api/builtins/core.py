"""Kinds of the core group, `v1` (FK-495…498, FK-504, FK-135)."""

from __future__ import annotations

from ..kinds import Kind
from . import claims, components, namespaces, pods, protection, services
from .rows import STATUS, STATUS_AND_SCALE, row
from .rules import (
    allocations,
    configuration,
    endpoints,
    infrastructure,
    quotas,
    volumeclaims,
    warnings,
    workloads,
)
from .rules import pods as pod_rules
from .rules import services as addresses
from .selectable import paths
from .statuses import chain, wiped

ALL = ("all",)
POD = frozenset(
    {
        "attach", "binding", "ephemeralcontainers", "eviction", "exec", "log", "portforward", "proxy", "resize", "status",
    }
)  # fmt: skip
KINDS: tuple[Kind, ...] = (
    row("core.v1.Binding", "bindings", verbs=("create",)),
    components.KIND,
    row(
        "core.v1.ConfigMap",
        "configmaps",
        short="cm",
        validate=configuration.config_map,
        validate_update=configuration.same_data,
    ),
    row(
        "core.v1.Endpoints",
        "endpoints",
        short="ep",
        create_on_update=True,
        validate=endpoints.endpoints,
        deprecation="v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice",
    ),
    row(
        "core.v1.LimitRange",
        "limitranges",
        short="limits",
        create_on_update=True,
        validate=quotas.limit_range,
    ),
    row(
        "core.v1.Namespace",
        "namespaces",
        short="ns",
        namespaced=False,
        verbs=("create", "delete", "get", "list", "patch", "update", "watch"),
        subresources=frozenset({"status", "finalize"}),
        prepare=namespaces.prepare,
        prepare_update=namespaces.keep_finalizers,
        prepare_status=namespaces.keep_finalizers,
        selectable=paths("status.phase"),
        name_rule="label",
        validate=infrastructure.namespace,
        validate_status=infrastructure.phase,
    ),
    row(
        "core.v1.Node",
        "nodes",
        short="no",
        namespaced=False,
        subresources=STATUS | {"proxy"},
        prepare=infrastructure.without_config_source,
        selectable=paths("spec.unschedulable"),
        validate=infrastructure.node,
        validate_update=infrastructure.same_node,
    ),
    row(
        "core.v1.PersistentVolume",
        "persistentvolumes",
        short="pv",
        namespaced=False,
        subresources=STATUS,
        returns_deleted=True,
        prepare=chain(wiped("core.v1.PersistentVolume"), protection.of_volume, protection.dated),
        validate=volumeclaims.volume,
        validate_update=volumeclaims.same_source,
    ),
    row(
        "core.v1.PersistentVolumeClaim",
        "persistentvolumeclaims",
        short="pvc",
        subresources=STATUS,
        prepare=chain(wiped("core.v1.PersistentVolumeClaim"), claims.sourced, protection.of_claim),
        validate=volumeclaims.claim,
        validate_update=volumeclaims.same_claim,
        returns_deleted=True,
    ),
    row(
        "core.v1.Pod",
        "pods",
        short="po",
        categories=ALL,
        subresources=POD,
        generation="spec",
        returns_deleted=True,
        graceful=True,
        prepare=pods.prepare,
        prepare_status=pods.prepare_status,
        status_resets=(("spec",), ("metadata", "deletionTimestamp"), ("metadata", "ownerReferences")),
        selectable=pods.SELECTABLE,
        validate=pod_rules.judged,
        warnings=warnings.pod,
        validate_new=pod_rules.new,
        validate_status=pod_rules.status,
        validate_update=pod_rules.changed,
    ),
    row(
        "core.v1.PodTemplate",
        "podtemplates",
        generation="all",
        returns_deleted=True,
        validate=infrastructure.pod_template,
    ),
    row(
        "core.v1.ReplicationController",
        "replicationcontrollers",
        short="rc",
        categories=ALL,
        subresources=STATUS_AND_SCALE,
        generation="spec",
        validate=workloads.replication_controller,
    ),
    row(
        "core.v1.ResourceQuota",
        "resourcequotas",
        short="quota",
        subresources=STATUS,
        validate=quotas.quota,
        validate_update=quotas.same_scopes,
        validate_status=quotas.quota_status,
        returns_deleted=True,
    ),
    row(
        "core.v1.Secret",
        "secrets",
        selectable=paths("type"),
        validate=configuration.secret,
        validate_update=configuration.same_secret,
    ),
    row(
        "core.v1.ServiceAccount",
        "serviceaccounts",
        short="sa",
        subresources=frozenset({"token"}),
        returns_deleted=True,
    ),
    row(
        "core.v1.Service",
        "services",
        short="svc",
        categories=ALL,
        subresources=STATUS | {"proxy"},
        name_rule="service",
        prepare=chain(wiped("core.v1.Service"), services.allocate),
        prepare_update=services.keep_allocated,
        selectable=paths("spec.clusterIP", "spec.type"),
        validate=addresses.service,
        validate_new=allocations.allocated,
        grant=allocations.ports,
        warnings=allocations.warnings,
        validate_update=addresses.same_address,
        validate_status=addresses.status,
        create_on_update=True,
        returns_deleted=True,
    ),
)

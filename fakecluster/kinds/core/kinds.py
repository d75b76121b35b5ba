"""The kinds of the core group, `v1` (FK-495…498, FK-504, FK-135)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...api.kind import Kind
from ...base.lazy_modules import LazyModule
from ...codec.cells import AGE
from .. import protection
from ..row import ALL, STATUS, STATUS_AND_SCALE, row
from ..selectable import count_at, paths
from ..statuses import chain, initial_status
from . import (
    component_statuses,
    config,
    endpoints,
    namespaces,
    nodes,
    quotas,
    service_accounts,
    template_columns,
    volume_columns,
)
from .pod.kind import POD
from .service.kind import SERVICE

if TYPE_CHECKING:
    from . import persistent_volume_claims, persistent_volumes, templates, volume_warnings, warnings
    from .pod.warnings import templates as pod_templates
else:
    persistent_volume_claims = LazyModule(".persistent_volume_claims", __package__)
    persistent_volumes = LazyModule(".persistent_volumes", __package__)
    pod_templates = LazyModule(".pod.warnings.templates", __package__)
    templates = LazyModule(".templates", __package__)
    volume_warnings = LazyModule(".volume_warnings", __package__)
    warnings = LazyModule(".warnings", __package__)

KINDS: tuple[Kind, ...] = (
    row("core.v1.Binding", "bindings", verbs=("create",)),
    component_statuses.KIND,
    row(
        "core.v1.ConfigMap",
        "configmaps",
        short="cm",
        validate=config.config_map,
        judge_update=config.judge_config_map_update,
        columns=config.CONFIG_MAP,
    ),
    row(
        "core.v1.Endpoints",
        "endpoints",
        warnings=warnings.endpoints,
        short="ep",
        create_on_update=True,
        validate=endpoints.endpoints,
        deprecation="v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice",
        columns=endpoints.ENDPOINTS,
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
        validate=namespaces.namespace,
        validate_status=namespaces.phase,
        columns=namespaces.NAMESPACE,
    ),
    row(
        "core.v1.Node",
        "nodes",
        warnings=warnings.node,
        short="no",
        namespaced=False,
        subresources=STATUS | {"proxy"},
        prepare=nodes.without_config_source,
        selectable=paths("spec.unschedulable"),
        validate=nodes.node,
        prepare_update=nodes.keep_config_source,
        prepare_status=nodes.keep_status_config,
        judge_update=nodes.judge_update,
        validate_status=nodes.status,
        columns=nodes.NODE,
    ),
    row(
        "core.v1.PersistentVolume",
        "persistentvolumes",
        warnings=volume_warnings.volume,
        short="pv",
        namespaced=False,
        subresources=STATUS,
        returns_deleted=True,
        prepare=chain(initial_status("core.v1.PersistentVolume"), protection.with_phase_time),
        date_status=persistent_volumes.with_time_of_phase,
        validate=persistent_volumes.volume,
        judge_update=persistent_volumes.judge_update,
        columns=volume_columns.VOLUME,
    ),
    row(
        "core.v1.PersistentVolumeClaim",
        "persistentvolumeclaims",
        warnings=volume_warnings.claim,
        short="pvc",
        subresources=STATUS,
        prepare=chain(
            initial_status("core.v1.PersistentVolumeClaim"), persistent_volume_claims.with_both_sources
        ),
        prepare_update=persistent_volume_claims.with_both_sources_on_update,
        validate=persistent_volume_claims.claim,
        validate_update=persistent_volume_claims.same_claim,
        validate_status=persistent_volume_claims.status,
        returns_deleted=True,
        columns=volume_columns.CLAIM_COLUMNS,
    ),
    POD,
    row(
        "core.v1.PodTemplate",
        "podtemplates",
        warnings=pod_templates.pod_template,
        generation="all",
        returns_deleted=True,
        validate=templates.pod_template,
        columns=template_columns.POD_TEMPLATE,
    ),
    row(
        "core.v1.ReplicationController",
        "replicationcontrollers",
        warnings=pod_templates.replication_controller,
        short="rc",
        categories=ALL,
        subresources=STATUS_AND_SCALE,
        generation="spec",
        default_propagation="Orphan",
        selectable={"status.replicas": count_at("status.replicas")},
        validate=templates.replication_controller,
        validate_status=templates.controller_status,
        columns=template_columns.REPLICATION,
    ),
    row(
        "core.v1.ResourceQuota",
        "resourcequotas",
        warnings=warnings.quota,
        short="quota",
        subresources=STATUS,
        validate=quotas.quota,
        validate_update=quotas.same_scopes,
        validate_status=quotas.quota_status,
        returns_deleted=True,
        columns=quotas.RESOURCE_QUOTA,
    ),
    row(
        "core.v1.Secret",
        "secrets",
        selectable=paths("type"),
        validate=config.secret,
        warnings=config.unreadable_pair,
        judge_update=config.judge_secret_update,
        columns=config.SECRET,
    ),
    row(
        "core.v1.ServiceAccount",
        "serviceaccounts",
        warnings=warnings.account,
        short="sa",
        subresources=frozenset({"token"}),
        prepare=service_accounts.prepare,
        prepare_update=service_accounts.prepare_update,
        returns_deleted=True,
        columns=(AGE,),
    ),
    SERVICE,
)

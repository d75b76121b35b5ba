"""The kinds of the core group, `v1` (FK-495…498, FK-504, FK-135, FK-420)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...api.kind import Column, Kind
from ...base.json_types import Json
from ...base.lazy_modules import LazyModule
from ...codec.cells import AGE, column, containers, member, pairs
from .. import storage_finalizers
from ..field_selectors import count_at, paths
from ..row import CATEGORY_ALL, STATUS, STATUS_AND_SCALE, row
from ..statuses import chain, initial_status
from . import component_statuses, config, endpoints, namespaces, nodes, quotas, volume_columns
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

POD_TEMPLATE_COLUMNS = (
    *(
        Column(name=container.name, cell=container.cell)  # shown without -o wide here
        for container in containers("template")
    ),
    column("Pod Labels", lambda obj: pairs(member("template", "metadata", "labels")(obj))),
)
REPLICATION_CONTROLLER_COLUMNS = (
    column("Desired", member("spec", "replicas", default=0), "integer"),
    column("Current", member("status", "replicas", default=0), "integer"),
    column("Ready", member("status", "readyReplicas", default=0), "integer"),
    AGE,
    *containers("spec", "template"),
    column("Selector", lambda obj: pairs(member("spec", "selector", default=None)(obj)), wide=True),
)


def prepare_service_account(account: Json) -> Json:
    """Return a new ServiceAccount whose references to Secrets are names alone."""
    if not account.get("secrets"):
        return account
    # The server drops every member of these references but the name.
    names = [{name: secret[name] for name in ("name",) if name in secret} for secret in account["secrets"]]
    return {**account, "secrets": names}


def prepare_service_account_update(new: Json, old: Json) -> Json:
    """Return an update in the same form."""
    del old
    return prepare_service_account(new)


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
        prepare=chain(initial_status("core.v1.PersistentVolume"), storage_finalizers.with_phase_time),
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
        columns=POD_TEMPLATE_COLUMNS,
    ),
    row(
        "core.v1.ReplicationController",
        "replicationcontrollers",
        warnings=pod_templates.replication_controller,
        short="rc",
        categories=CATEGORY_ALL,
        subresources=STATUS_AND_SCALE,
        generation="spec",
        default_propagation="Orphan",
        selectable={"status.replicas": count_at("status.replicas")},
        validate=templates.replication_controller,
        validate_status=templates.controller_status,
        columns=REPLICATION_CONTROLLER_COLUMNS,
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
        prepare=prepare_service_account,
        prepare_update=prepare_service_account_update,
        returns_deleted=True,
        columns=(AGE,),
    ),
    SERVICE,
)

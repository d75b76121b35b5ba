"""The kinds of the core group, `v1` (FK-495…498, FK-504, FK-135)."""

from __future__ import annotations

from ...api.kind import Kind
from ...codec.cells import AGE
from .. import protection
from ..row import ALL, STATUS, STATUS_AND_SCALE, row
from ..selectable import paths
from ..statuses import chain, wiped
from . import component_statuses, config, endpoints, namespaces, nodes, persistent_volumes, quotas, templates
from .pod.kind import POD
from .service.kind import SERVICE

KINDS: tuple[Kind, ...] = (
    row("core.v1.Binding", "bindings", verbs=("create",)),
    component_statuses.KIND,
    row(
        "core.v1.ConfigMap",
        "configmaps",
        short="cm",
        validate=config.config_map,
        validate_update=config.same_data,
        columns=config.CONFIG_MAP,
    ),
    row(
        "core.v1.Endpoints",
        "endpoints",
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
        short="no",
        namespaced=False,
        subresources=STATUS | {"proxy"},
        prepare=nodes.without_config_source,
        selectable=paths("spec.unschedulable"),
        validate=nodes.node,
        validate_update=nodes.same_node,
        columns=nodes.NODE,
    ),
    row(
        "core.v1.PersistentVolume",
        "persistentvolumes",
        short="pv",
        namespaced=False,
        subresources=STATUS,
        returns_deleted=True,
        prepare=chain(wiped("core.v1.PersistentVolume"), protection.of_volume, protection.dated),
        validate=persistent_volumes.volume,
        validate_update=persistent_volumes.same_source,
        columns=persistent_volumes.VOLUME,
    ),
    row(
        "core.v1.PersistentVolumeClaim",
        "persistentvolumeclaims",
        short="pvc",
        subresources=STATUS,
        prepare=chain(
            wiped("core.v1.PersistentVolumeClaim"), persistent_volumes.sourced, protection.of_claim
        ),
        validate=persistent_volumes.claim,
        validate_update=persistent_volumes.same_claim,
        returns_deleted=True,
        columns=persistent_volumes.CLAIM_COLUMNS,
    ),
    POD,
    row(
        "core.v1.PodTemplate",
        "podtemplates",
        generation="all",
        returns_deleted=True,
        validate=templates.pod_template,
        columns=templates.POD_TEMPLATE,
    ),
    row(
        "core.v1.ReplicationController",
        "replicationcontrollers",
        short="rc",
        categories=ALL,
        subresources=STATUS_AND_SCALE,
        generation="spec",
        default_propagation="Orphan",
        validate=templates.replication_controller,
        columns=templates.REPLICATION,
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
        columns=quotas.RESOURCE_QUOTA,
    ),
    row(
        "core.v1.Secret",
        "secrets",
        selectable=paths("type"),
        validate=config.secret,
        warnings=config.unreadable_pair,
        validate_update=config.same_secret,
        columns=config.SECRET,
    ),
    row(
        "core.v1.ServiceAccount",
        "serviceaccounts",
        short="sa",
        subresources=frozenset({"token"}),
        returns_deleted=True,
        columns=(AGE,),
    ),
    SERVICE,
)

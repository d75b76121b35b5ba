"""Each kind as a row, and the CustomResourceDefinition that it makes (AC-001, AC-002)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from .. import kinds
from ..known_releases import DEFAULT, version_of
from ..releases import has_change
from ..resource import Json, Resource
from . import v1beta1
from .alpha import CapacityProvider, DynamicQuotaOrchestrator, PreemptionConfig
from .checks import AdmissionCheck
from .edition import NEWEST, Edition
from .flavors import ResourceFlavor, WorkloadPriorityClass
from .provisioning import ProvisioningRequestConfig
from .queues import ClusterQueue, Cohort, LocalQueue
from .schema import schema_of
from .stored import MultiKueueCluster, MultiKueueConfig, Topology
from .vocabulary import Shape
from .workload import Workload

DEPRECATED_SINCE = (0, 15)
UNSERVED_SINCE = (0, 20, 0)
"""The first release that keeps the older version in the definitions and does not serve it (KV-31)."""
ALPHA_SINCE = ("0.20.0",)
"""The first release with kinds in v1alpha1, which are defined on request (KV-63)."""
DEPRECATION = "This version is deprecated. Use v1beta2 instead."


@cache
def edition(dialect: str, version: str = NEWEST) -> Edition:
    """Return what a dialect is in a version of the API.

    Raises UnknownDialectError, and KeyError for an unknown version.
    """
    newest = Edition(dialect, version_of(dialect))
    return {NEWEST: newest, v1beta1.VERSION: newest.at(v1beta1.VERSION, v1beta1.DIFFERENCES)}[version]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of `kubectl get`."""

    name: str
    path: str
    type: str = "string"
    priority: int = 0
    description: str = ""

    def json(self, renamed: Mapping[str, str]) -> Json:
        """Return the column as the API has it; a path may have another name in an older version."""
        return {
            "name": self.name,
            "type": self.type,
            "jsonPath": renamed.get(self.path, self.path),
            **({"priority": self.priority} if self.priority else {}),
            **({"description": self.description} if self.description else {}),
        }


@dataclass(frozen=True, slots=True)
class Definition:
    """A kind that Kueue serves."""

    resource: Resource
    shape: type[Shape]
    short_names: tuple[str, ...]
    columns: tuple[Column, ...] = ()
    subresources: tuple[str, ...] | None = ("status",)
    selectable: tuple[str, ...] = ()
    deprecates: bool = True
    """Its older version warns since there is a newer one."""
    converts: bool = False
    """Its versions differ in more than the version, so that a webhook has to convert (AC-004)."""


AGE = Column("Age", ".metadata.creationTimestamp", "date", description="Time since creation")
DEFINITIONS = (
    Definition(kinds.ADMISSION_CHECKS, AdmissionCheck, ("ac",)),
    Definition(
        kinds.CLUSTER_QUEUES,
        ClusterQueue,
        ("cq",),
        (
            Column("Cohort", ".spec.cohortName", description="Cohort that this queue belongs to"),
            Column("Strategy", ".spec.queueingStrategy", priority=1, description="Order of its Workloads"),
            Column("Pending Workloads", ".status.pendingWorkloads", "integer", description="Waiting"),
            Column("Admitted Workloads", ".status.admittedWorkloads", "integer", 1, "Admitted, not finished"),
        ),
        converts=True,
    ),
    Definition(kinds.COHORTS, Cohort, ("co",), converts=True),
    Definition(
        kinds.LOCAL_QUEUES,
        LocalQueue,
        ("queue", "queues", "lq"),
        (
            Column("ClusterQueue", ".spec.clusterQueue", description="Where its Workloads go"),
            Column("Pending Workloads", ".status.pendingWorkloads", "integer", description="Waiting"),
            Column("Admitted Workloads", ".status.admittedWorkloads", "integer", 0, "Admitted, not finished"),
        ),
        converts=True,
    ),
    Definition(kinds.PROVISIONING_REQUEST_CONFIGS, ProvisioningRequestConfig, ("prc",), subresources=None),
    Definition(
        kinds.MULTI_KUEUE_CLUSTERS,
        MultiKueueCluster,
        ("mkc",),
        (
            Column(
                "Connected", ".status.conditions[?(@.type=='Active')].status", description="Does it answer"
            ),
            AGE,
        ),
        converts=True,
    ),
    Definition(kinds.MULTI_KUEUE_CONFIGS, MultiKueueConfig, ("mkconf",), subresources=None, deprecates=False),
    Definition(kinds.TOPOLOGIES, Topology, ("topo",), subresources=None),
    Definition(kinds.RESOURCE_FLAVORS, ResourceFlavor, ("flavor", "flavors", "rf"), subresources=None),
    Definition(
        kinds.WORKLOAD_PRIORITY_CLASSES,
        WorkloadPriorityClass,
        ("wpc",),
        (Column("Value", ".value", "integer", description="The priority"),),
        subresources=(),
    ),
    Definition(
        kinds.WORKLOADS,
        Workload,
        ("kwl", "kueueworkload", "kueueworkloads"),
        (
            Column("Queue", ".spec.queueName", description="LocalQueue"),
            Column(
                "Reserved in",
                ".status.admission.clusterQueue",
                description="ClusterQueue",
            ),
            Column("Admitted", ".status.conditions[?(@.type=='Admitted')].status", description="May it run"),
            Column("Finished", ".status.conditions[?(@.type=='Finished')].status", description="Is it over"),
            AGE,
        ),
        selectable=(".status.admission.clusterQueue",),
        converts=True,
    ),
)

ALPHA_DEFINITIONS = (
    Definition(kinds.CAPACITY_PROVIDERS, CapacityProvider, ("cp",)),
    Definition(kinds.DYNAMIC_QUOTA_ORCHESTRATORS, DynamicQuotaOrchestrator, ("dqo",)),
    Definition(kinds.PREEMPTION_CONFIGS, PreemptionConfig, ("preempcfg",), subresources=None),
)


@cache
def alpha_definitions(dialect: str = DEFAULT) -> tuple[Json, ...]:
    """Return the CustomResourceDefinitions of the alpha kinds of a dialect; raises UnknownDialectError."""
    if not has_change(version_of(dialect), ALPHA_SINCE):
        return ()
    # They have one version, so that neither a webhook nor the server converts them.
    return tuple(
        _definition(row, [{**_version(row, edition(dialect)), "name": row.resource.version}])
        for row in ALPHA_DEFINITIONS
    )


@cache
def definitions(dialect: str = DEFAULT) -> tuple[Json, ...]:
    """Return the CustomResourceDefinitions of a dialect in v1beta2 alone; raises
    UnknownDialectError.
    """
    return tuple(_definition(row, [_version(row, edition(dialect))]) for row in DEFINITIONS)


def convertible_definitions(dialect: str, client: Json) -> tuple[Json, ...]:
    """Return the CustomResourceDefinitions in both versions;
    `client` says where objects are converted (AC-001, AC-004).
    """
    webhook = {"clientConfig": client, "conversionReviewVersions": ["v1"]}
    return tuple(
        _definition(
            row,
            _versions(row, dialect),
            {"strategy": "Webhook", "webhook": webhook} if row.converts else {"strategy": "None"},
        )
        for row in DEFINITIONS
    )


@cache
def _version_pair(row: Definition, dialect: str) -> tuple[Json, Json]:
    return _version(row, edition(dialect, v1beta1.VERSION)), _version(row, edition(dialect))


def _versions(row: Definition, dialect: str) -> list[Json]:
    return list(_version_pair(row, dialect))


def _definition(row: Definition, versions: list[Json], conversion: Json = None) -> Json:
    resource = row.resource
    return {
        "apiVersion": kinds.CRDS.api_version,
        "kind": kinds.CRDS.kind,
        "metadata": {"name": f"{resource.plural}.{resource.group}"},
        "spec": {
            "group": resource.group,
            "names": {
                "kind": resource.kind,
                "listKind": f"{resource.kind}List",
                "plural": resource.plural,
                "singular": resource.kind.lower(),
                "shortNames": list(row.short_names),
            },
            "scope": "Namespaced" if resource.namespaced else "Cluster",
            "versions": versions,
            **({"conversion": conversion} if conversion else {}),
        },
    }


def _version(row: Definition, at: Edition) -> Json:
    newest = at.version == NEWEST
    columns = [column.json(v1beta1.RENAMED if not newest else {}) for column in row.columns]
    selectable = [{"jsonPath": path} for path in row.selectable if newest]
    deprecated = row.deprecates and not newest and at.release >= DEPRECATED_SINCE
    return {
        "name": at.version,
        "served": newest or at.release < UNSERVED_SINCE,
        "storage": newest,
        **({"deprecated": True, "deprecationWarning": DEPRECATION} if deprecated else {}),
        "schema": {"openAPIV3Schema": _root(row.shape, at)},
        **({"subresources": {name: {} for name in row.subresources}} if row.subresources is not None else {}),
        **({"additionalPrinterColumns": columns} if columns else {}),
        **({"selectableFields": selectable} if selectable else {}),
    }


def _root(shape: type[Shape], at: Edition) -> Json:
    schema = schema_of(shape, at)
    meta = {"apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": {"type": "object"}}
    return {**schema, "properties": {**meta, **schema["properties"]}}

"""Each kind as a row, and the CustomResourceDefinition that it makes (AC-001, AC-002)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from .. import kinds
from ..resource import Json, Resource
from .checks import AdmissionCheck
from .flavors import ResourceFlavor, WorkloadPriorityClass
from .queues import ClusterQueue, Cohort, LocalQueue
from .schema import Edition, schema_of
from .vocabulary import Shape
from .workload import Workload

EDITIONS: Mapping[str, Edition] = MappingProxyType(
    {
        "v0.6": Edition("v0.6", (0, 6, 2)),
        "docs-2024": Edition("docs-2024", (0, 9)),
        "v0.19": Edition("v0.19", (0, 19, 2)),
        # The KEP stands outside the order: everything shipped, and its own fields besides (AC-460).
        "kep993": Edition("kep993", (0, 19, 2)),
    }
)


@dataclass(frozen=True, slots=True)
class Column:
    """A column of `kubectl get`."""

    name: str
    path: str
    type: str = "string"
    priority: int = 0
    description: str = ""

    def json(self) -> Json:
        """Return the column as the API has it."""
        return {
            "name": self.name,
            "type": self.type,
            "jsonPath": self.path,
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
    status: bool = True
    selectable: tuple[str, ...] = ()


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
    ),
    Definition(kinds.COHORTS, Cohort, ("co",)),
    Definition(
        kinds.LOCAL_QUEUES,
        LocalQueue,
        ("queue", "queues", "lq"),
        (
            Column("ClusterQueue", ".spec.clusterQueue", description="Where its Workloads go"),
            Column("Pending Workloads", ".status.pendingWorkloads", "integer", description="Waiting"),
            Column("Admitted Workloads", ".status.admittedWorkloads", "integer", 0, "Admitted, not finished"),
        ),
    ),
    Definition(kinds.RESOURCE_FLAVORS, ResourceFlavor, ("flavor", "flavors", "rf"), status=False),
    Definition(
        kinds.WORKLOAD_PRIORITY_CLASSES,
        WorkloadPriorityClass,
        ("wpc",),
        (Column("Value", ".value", "integer", description="The priority"),),
        status=False,
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
    ),
)


@cache
def definitions(dialect: str = "v0.19") -> tuple[Json, ...]:
    """Return the CustomResourceDefinitions of a dialect; raises KeyError for an unknown one."""
    edition = EDITIONS[dialect]
    return tuple(_definition(row, edition) for row in DEFINITIONS)


def _definition(row: Definition, edition: Edition) -> Json:
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
            "versions": [_version(row, edition)],
        },
    }


def _version(row: Definition, edition: Edition) -> Json:
    columns = [column.json() for column in row.columns]
    selectable = [{"jsonPath": path} for path in row.selectable]
    return {
        "name": row.resource.version,
        "served": True,
        "storage": True,
        "schema": {"openAPIV3Schema": _root(row.shape, edition)},
        **({"subresources": {"status": {}}} if row.status else {}),
        **({"additionalPrinterColumns": columns} if columns else {}),
        **({"selectableFields": selectable} if selectable else {}),
    }


def _root(shape: type[Shape], edition: Edition) -> Json:
    schema = schema_of(shape, edition)
    meta = {"apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": {"type": "object"}}
    return {**schema, "properties": {**meta, **schema["properties"]}}

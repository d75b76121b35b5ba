"""The types of the API, written once: a table from which
both versions of OpenAPI take their schemas (VIS-310).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from ..attributes import GROUP

META: Final = "io.k8s.apimachinery.pkg.apis.meta.v1"
VISIBILITY: Final = "io.k8s.kueue.visibility"
SCALARS: Final[Mapping[str, Mapping[str, Any]]] = {
    "string": {"type": "string"},
    "boolean": {"type": "boolean"},
    "int32": {"type": "integer", "format": "int32"},
    "int64": {"type": "integer", "format": "int64"},
}
_DEFAULTS: Final[Mapping[str, Any]] = {"string": "", "boolean": False, "int32": 0, "int64": 0}


@dataclass(frozen=True, slots=True)
class Property:
    """A field: a scalar or the name of a type, `[]` before it for a list and `{}` for a map of strings."""

    name: str
    type: str
    description: str
    required: bool = False


@dataclass(frozen=True, slots=True)
class Type:
    """An object type; without properties it is a scalar in a format, or any object."""

    name: str
    description: str
    properties: tuple[Property, ...] = ()
    scalar: Mapping[str, str] | None = None
    kind: tuple[str, str, str] | None = None


def _p(name: str, type: str, description: str, required: bool = False) -> Property:  # noqa: A002
    return Property(name, type, description, required)


_KIND = (
    _p("apiVersion", "string", "Group and version of the schema of this object."),
    _p("kind", "string", "The kind of this object, in camel case."),
)
_META_TYPES: Final = (
    Type(f"{META}.Time", "A moment in RFC 3339.", scalar={"type": "string", "format": "date-time"}),
    Type(f"{META}.FieldsV1", "A set of fields as a tree of their names.", scalar={"type": "object"}),
    Type(f"{META}.OwnerReference", "The name of an object that another one depends on.", (
        _p("apiVersion", "string", "Group and version of the owner.", True),
        _p("blockOwnerDeletion", "boolean", "The owner cannot be deleted in the foreground before this object is."),
        _p("controller", "boolean", "The owner is the controller of this object."),
        _p("kind", "string", "Kind of the owner.", True),
        _p("name", "string", "Name of the owner.", True),
        _p("uid", "string", "UID of the owner.", True),
    )),
    Type(f"{META}.ManagedFieldsEntry", "The fields that a manager has set.", (
        _p("apiVersion", "string", "Version of the object to which the fields belong."),
        _p("fieldsType", "string", "Format of the fields; only FieldsV1 exists."),
        _p("fieldsV1", f"{META}.FieldsV1", "The fields themselves."),
        _p("manager", "string", "Name of the manager."),
        _p("operation", "string", "Apply or Update."),
        _p("subresource", "string", "Subresource through which the fields were set."),
        _p("time", f"{META}.Time", "When the entry was last changed."),
    )),
    Type(f"{META}.ObjectMeta", "Metadata of an object.", (
        _p("annotations", "{}string", "Free data about the object."),
        _p("creationTimestamp", f"{META}.Time", "When the object was created."),
        _p("deletionGracePeriodSeconds", "int64", "Seconds between the deletion and the removal."),
        _p("deletionTimestamp", f"{META}.Time", "When the object will be removed."),
        _p("finalizers", "[]string", "What must be done before the object is removed."),
        _p("generateName", "string", "Beginning of a name that the server completes."),
        _p("generation", "int64", "Number of the wanted state."),
        _p("labels", "{}string", "Data by which objects are selected."),
        _p("managedFields", f"[]{META}.ManagedFieldsEntry", "Which manager has set which fields."),
        _p("name", "string", "Name of the object, unique in its namespace."),
        _p("namespace", "string", "Namespace of the object."),
        _p("ownerReferences", f"[]{META}.OwnerReference", "Objects on which this one depends."),
        _p("resourceVersion", "string", "Version of the object inside of the server."),
        _p("selfLink", "string", "No longer set."),
        _p("uid", "string", "Identity of the object in time and space."),
    )),
)  # fmt: skip
_DISCOVERY_TYPES: Final = (
    Type(f"{META}.GroupVersionForDiscovery", "A version of a group.", (
        _p("groupVersion", "string", "Group and version with a slash between them.", True),
        _p("version", "string", "The version alone.", True),
    )),
    Type(f"{META}.ServerAddressByClientCIDR", "The address of a server for some clients.", (
        _p("clientCIDR", "string", "The network of the clients.", True),
        _p("serverAddress", "string", "Address and port of the server.", True),
    )),
    Type(f"{META}.APIGroup", "An API group with its versions.", (
        *_KIND,
        _p("name", "string", "Name of the group.", True),
        _p("preferredVersion", f"{META}.GroupVersionForDiscovery", "The version that clients shall use."),
        _p("serverAddressByClientCIDRs", f"[]{META}.ServerAddressByClientCIDR", "Addresses of the server."),
        _p("versions", f"[]{META}.GroupVersionForDiscovery", "The versions that are served.", True),
    ), kind=("", "v1", "APIGroup")),
    Type(f"{META}.APIGroupList", "The API groups of a server.", (
        *_KIND, _p("groups", f"[]{META}.APIGroup", "The groups.", True),
    ), kind=("", "v1", "APIGroupList")),
    Type(f"{META}.APIResource", "A resource and what can be done with it.", (
        _p("categories", "[]string", "Names of sets of resources to which it belongs."),
        _p("group", "string", "Group of the resource where it is not that of the list."),
        _p("kind", "string", "Kind of its objects.", True),
        _p("name", "string", "Name in the plural.", True),
        _p("namespaced", "boolean", "Its objects live in namespaces.", True),
        _p("shortNames", "[]string", "Short names for clients."),
        _p("singularName", "string", "Name in the singular.", True),
        _p("storageVersionHash", "string", "Changes with the version in which objects are stored."),
        _p("verbs", "[]string", "What can be done.", True),
        _p("version", "string", "Version of the resource where it is not that of the list."),
    )),
    Type(f"{META}.APIResourceList", "The resources of a group in a version.", (
        *_KIND,
        _p("groupVersion", "string", "Group and version of the resources.", True),
        _p("resources", f"[]{META}.APIResource", "The resources.", True),
    ), kind=("", "v1", "APIResourceList")),
    Type("io.k8s.apimachinery.pkg.version.Info", "The build of a server.", tuple(
        _p(name, "string", "A part of the description of the build.", True)
        for name in (
            "major", "minor", "gitVersion", "gitCommit", "gitTreeState", "buildDate", "goVersion", "compiler", "platform",
        )
    )),
)  # fmt: skip


def types(versions: Iterable[str]) -> dict[str, Type]:
    """Return every type of an API with these versions, by name."""
    own = [type_ for version in versions for type_ in (*_pending(version), *_types_of_admitted(version))]
    return {type_.name: type_ for type_ in (*_META_TYPES, *_DISCOVERY_TYPES, *own)}


def _pending(version: str) -> tuple[Type, ...]:
    item = f"{VISIBILITY}.{version}.PendingWorkload"
    metadata = _p("metadata", f"{META}.ObjectMeta", "")
    return (
        Type(
            item,
            "A Workload that waits for quota, and where it stands.",
            (
                _p("localQueueName", "string", "Name of the LocalQueue in which it waits.", True),
                metadata,
                _p("positionInClusterQueue", "int32", "How many stand before it in the ClusterQueue.", True),
                _p("positionInLocalQueue", "int32", "How many stand before it in the LocalQueue.", True),
                _p("priority", "int32", "Its priority.", True),
            ),
        ),
        Type(
            f"{VISIBILITY}.{version}.PendingWorkloadsSummary",
            "Pending Workloads of a queue, in their order.",
            (
                *_KIND,
                _p("items", f"[]{item}", "", True),
                metadata,
            ),
            kind=(GROUP, version, "PendingWorkloadsSummary"),
        ),
    )


def _types_of_admitted(version: str) -> tuple[Type, ...]:
    """Return the types of the extension (VIS-905)."""
    item, check = (f"{VISIBILITY}.{version}.{name}" for name in ("AdmittedWorkload", "AdmissionCheckAnswer"))
    metadata = _p("metadata", f"{META}.ObjectMeta", "")
    return (
        Type(
            check,
            "What a check has answered.",
            (
                _p("name", "string", "Name of the check.", True),
                _p("state", "string", "Its state.", True),
            ),
        ),
        Type(
            item,
            "A Workload that holds quota.",
            (
                _p("admissionChecks", f"[]{check}", "The checks, by name.", True),
                _p("admittedTime", f"{META}.Time", "When it was admitted."),
                _p("localQueueName", "string", "Name of its LocalQueue.", True),
                metadata,
                _p("phase", "string", "QuotaReserved, Admitted or Evicting.", True),
                _p(
                    "positionInClusterQueue",
                    "int32",
                    "How many of the ClusterQueue reserved quota before it.",
                    True,
                ),
                _p(
                    "positionInLocalQueue",
                    "int32",
                    "How many of the LocalQueue reserved quota before it.",
                    True,
                ),
                _p("priority", "int32", "Its priority.", True),
                _p("quotaReservedTime", f"{META}.Time", "When its quota was reserved.", True),
                _p("usage", "{}{}string", "What it uses, by flavor and resource."),
            ),
        ),
        Type(
            f"{VISIBILITY}.{version}.AdmittedWorkloadsSummary",
            "Workloads of a queue that hold quota.",
            (
                *_KIND,
                _p("items", f"[]{item}", "", True),
                metadata,
            ),
            kind=(GROUP, version, "AdmittedWorkloadsSummary"),
        ),
    )


def schema_of(type_: Type, prefix: str, *, wraps: bool) -> dict[str, Any]:
    """Return the schema of a type; `prefix` begins its references,
    which v3 wraps because nothing may stand beside them.
    """
    if type_.scalar is not None:
        return {"description": type_.description, **type_.scalar}
    schema: dict[str, Any] = {"description": type_.description, "type": "object"}
    required = [
        property_.name for property_ in sorted(type_.properties, key=_wire_order(type_)) if property_.required
    ]
    if required:
        schema["required"] = required
    schema["properties"] = {
        property_.name: _property(property_, prefix, wraps=wraps) for property_ in type_.properties
    }
    if type_.kind is not None:
        group, version, kind = type_.kind
        schema["x-kubernetes-group-version-kind"] = [{"group": group, "kind": kind, "version": version}]
    return schema


_WIRE: Final = ("priority", "localQueueName", "positionInClusterQueue", "positionInLocalQueue")


def _wire_order(type_: Type) -> Any:
    own = type_.name.startswith(VISIBILITY)
    return lambda property_: _WIRE.index(property_.name) if own and property_.name in _WIRE else 0


def _property(property_: Property, prefix: str, *, wraps: bool) -> dict[str, Any]:
    described = {"description": property_.description} if property_.description else {}
    return {
        **described,
        **_type_schema(
            property_.type, prefix, wraps=wraps, defaulted=property_.required or property_.type not in SCALARS
        ),
    }


def _type_schema(written: str, prefix: str, *, wraps: bool, defaulted: bool) -> dict[str, Any]:
    if written.startswith("[]"):
        return {"type": "array", "items": _type_schema(written[2:], prefix, wraps=wraps, defaulted=True)}
    if written.startswith("{}"):
        values = _type_schema(written[2:], prefix, wraps=wraps, defaulted=True)
        return {"type": "object", "additionalProperties": values}
    return _value(written, prefix, wraps=wraps, defaulted=defaulted)


def _value(inner: str, prefix: str, *, wraps: bool, defaulted: bool) -> dict[str, Any]:
    if inner in SCALARS:
        return {**SCALARS[inner], **({"default": _DEFAULTS[inner]} if wraps and defaulted else {})}
    reference = {"$ref": prefix + inner}
    # An API server prunes all defaults from the definitions of version 2.
    has_default = wraps and not inner.endswith((".Time", ".FieldsV1"))
    default: dict[str, Any] = {"default": {}} if has_default else {}
    return {**default, **({"allOf": [reference]} if wraps and default else reference)}


def references(schema: Any) -> set[str]:
    """Return the names of the types to which a schema or a path refers."""
    if isinstance(schema, dict):
        own = {schema["$ref"].rpartition("/")[2]} if isinstance(schema.get("$ref"), str) else set()
        return own.union(*(references(value) for value in schema.values()))
    return set().union(*(references(item) for item in schema)) if isinstance(schema, list) else set()

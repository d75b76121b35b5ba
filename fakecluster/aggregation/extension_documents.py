"""What extension servers have said of themselves: their resources and their OpenAPI documents (FK-442)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct, field

from ..base.json_types import Json
from ..codec.protobuf.writer import encode
from ..discovery.openapi import gnostic
from ..discovery.openapi.v3 import INFO
from .extension import Extension

Key = tuple[str, str]
READ_ERRORS = (AttributeError, KeyError, TypeError, ValueError, RecursionError)
"""What reading a document raises that is none, or nests too deeply."""
DISCOVERY = ("apidiscovery.k8s.io/v2", "APIGroupDiscoveryList")
DISCOVERY_ACCEPT = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json"


class ExtensionDocuments(Struct, frozen=True, kw_only=True):
    """One group and version: its resources as aggregated
    discovery shows them, and where its OpenAPI document is.
    """

    resources: tuple[Json, ...] = ()
    fresh: bool = False
    """Whether it answered when it was asked last."""
    openapi: str = ""
    """The address of the document with its hash, relative to the server."""
    group_openapi: str = ""
    """The same for the document of the pages of its group."""
    swagger: Json = None
    """What it adds to the document of OpenAPI 2: paths and definitions."""


UNKNOWN = ExtensionDocuments()


class ExtensionKnowledge(Struct):
    """Discovery and OpenAPI documents of all extension servers; `generation` grows with every change."""

    documents: dict[Key, ExtensionDocuments] = field(default_factory=dict)
    generation: int = 0
    next_looks: dict[str, float] = field(default_factory=dict)
    """When those that answer are asked again, by the name
    of their APIService, in seconds of the cluster's time.
    """

    def take_over(self, other: ExtensionKnowledge) -> None:
        """Know what another cluster knows."""
        self.documents.update(other.documents)
        self.next_looks.update(other.next_looks)
        self.generation += 1

    def of(self, extension: Extension) -> ExtensionDocuments:
        """Return the knowledge about one extension."""
        return self.documents.get((extension.group, extension.version), UNKNOWN)

    def learn(self, extension: Extension, documents: ExtensionDocuments) -> None:
        """Keep what one has said."""
        if self.of(extension) != documents:
            self.documents[extension.group, extension.version] = documents
            self.generation += 1


def resources_of(extension: Extension, document: Json) -> tuple[Json, ...] | None:
    """Read aggregated discovery or a legacy list;
    None for anything else, and for what cannot be written as JSON.
    """
    try:
        resources = _resources(extension, document)
        # Written once as a trial: a document that protobuf cannot hold would fail every client's discovery
        # later.
        encode(*DISCOVERY, {"items": [{"versions": [{"resources": list(resources or ())}]}]})
    except READ_ERRORS:
        return None
    return resources


def _resources(extension: Extension, document: Json) -> tuple[Json, ...] | None:
    kind = document.get("kind")
    if kind == "APIResourceList":
        return tuple(_aggregate_legacy(extension, document["resources"]))
    if kind != DISCOVERY[1]:
        return None
    for item in document["items"]:
        if item["metadata"]["name"] == extension.group:
            for version in item["versions"]:
                if version["version"] == extension.version:
                    return tuple(version.get("resources") or ())
    return ()


def openapi_of(extension: Extension, index: Json) -> str:
    """Read the address of the document of a group and version from an index of OpenAPI documents."""
    return _address(index, extension.path.removeprefix("/"))


def group_openapi_of(extension: Extension, index: Json) -> str:
    """Read the address of the document of a group's own pages from an index of OpenAPI documents."""
    return _address(index, extension.group_key)


def _address(index: Json, key: str) -> str:
    paths = index.get("paths") if isinstance(index, Mapping) else None
    entry = paths.get(key) if isinstance(paths, Mapping) else None
    return str(entry.get("serverRelativeURL", "")) if isinstance(entry, Mapping) else ""


def swagger_of(extension: Extension, document: Json, previous: Json = None) -> Json:
    """Read a document of OpenAPI 2: the paths of this group and version,
    with all definitions; None for anything else. What was read before is not tried again.
    """
    paths = document.get("paths") if isinstance(document, Mapping) else None
    if not isinstance(paths, Mapping):
        return None
    under = extension.path + "/"
    own = {path: path_item for path, path_item in paths.items() if f"{path}/".startswith(under)}
    own_document = {"paths": own, "definitions": document.get("definitions") or {}}
    is_usable = own_document == previous or (own and _is_writable(own_document))
    return own_document if is_usable else None


def _is_writable(document: Json) -> bool:
    """Whether a document can be written in every form:
    one that cannot would spoil that of the whole cluster.
    """
    try:
        gnostic.version2({"swagger": "2.0", "info": INFO, **document})
    except READ_ERRORS:
        return False
    return True


def _aggregate_legacy(extension: Extension, legacy: Iterable[Json]) -> Iterable[Json]:
    """Turn a legacy list into the form of the aggregated document."""
    entries = list(legacy)
    below: dict[str, list[Json]] = {}
    for entry in entries:
        name, slash, _ = entry["name"].partition("/")
        if slash:
            below.setdefault(name, []).append(_below(extension, entry))
    for entry in entries:
        if "/" not in entry["name"]:
            subresources = below.get(entry["name"])
            yield _entry(extension, entry) | ({"subresources": subresources} if subresources else {})


def _entry(extension: Extension, entry: Json) -> Json:
    names = {key: entry[key] for key in ("shortNames", "categories") if entry.get(key)}
    return {
        "resource": entry["name"],
        "responseKind": _kind(extension, entry),
        "scope": "Namespaced" if entry.get("namespaced") else "Cluster",
        "singularResource": entry.get("singularName", ""),
        "verbs": entry.get("verbs") or [],
        **names,
    }


def _below(extension: Extension, entry: Json) -> Json:
    name = entry["name"].partition("/")[2]
    return {"subresource": name, "responseKind": _kind(extension, entry), "verbs": entry.get("verbs") or []}


def _kind(extension: Extension, entry: Json) -> Json:
    group, version = entry.get("group") or extension.group, entry.get("version") or extension.version
    return {"group": group, "version": version, "kind": entry["kind"]}

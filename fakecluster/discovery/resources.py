"""Which APIs are served: the legacy lists and the aggregated document (FK-360…FK-370).

Everything is computed from the rows of the registry and kept until the registry changes.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from typing import Any, Protocol

from ..api.kind import Kind
from ..api.registry import Registry
from ..base.json_types import Json
from .subresources import below, subresource

GROUP_ORDER = (
    "apiregistration.k8s.io",
    "apps",
    "events.k8s.io",
    "authentication.k8s.io",
    "authorization.k8s.io",
    "autoscaling",
    "batch",
    "certificates.k8s.io",
    "networking.k8s.io",
    "policy",
    "rbac.authorization.k8s.io",
    "storage.k8s.io",
    "admissionregistration.k8s.io",
    "apiextensions.k8s.io",
    "scheduling.k8s.io",
    "coordination.k8s.io",
    "node.k8s.io",
    "discovery.k8s.io",
    "resource.k8s.io",
    "flowcontrol.apiserver.k8s.io",
)
OLD_STORAGE = {("apiextensions.k8s.io", "customresourcedefinitions"): "v1beta1"}
"""Kinds that a real server keeps in a version that it does not serve."""
CUSTOM_VERBS = ("delete", "deletecollection", "get", "list", "patch", "create", "update", "watch")
WRITES = frozenset({"create", "update", "patch"})
"""What discovery does not offer of a kind whose definition goes."""


class OtherServers(Protocol):
    """Who serves groups beside this server."""

    @property
    def generation(self) -> Json:
        """What changes whenever an answer of this does."""

    def groups(self, own: list[Json], builtin: frozenset[str]) -> list[Json]:
        """Return the legacy list of groups with those of others."""

    def items(self, own: list[Json], builtin: frozenset[str]) -> list[Json]:
        """Return the items of the aggregated document with those of others."""

    def paths(self, own: Json) -> Json:
        """Return the index of OpenAPI documents with those of others."""

    def swagger(self, own: Json) -> Json:
        """Return the document of OpenAPI 2 with what others add."""


class NoOtherServers:
    """No other server serves anything."""

    generation = 0

    def groups(self, own: list[Json], builtin: frozenset[str]) -> list[Json]:
        """Return the list unchanged."""
        del builtin
        return own

    def items(self, own: list[Json], builtin: frozenset[str]) -> list[Json]:
        """Return the items unchanged."""
        del builtin
        return own

    def paths(self, own: Json) -> Json:
        """Return the index unchanged."""
        return own

    def swagger(self, own: Json) -> Json:
        """Return the document unchanged."""
        return own


class Discovery:
    """The discovery documents of one registry, and of others who serve groups beside it."""

    def __init__(self, registry: Registry, other_servers: OtherServers) -> None:
        self._registry = registry
        self._other_servers = other_servers
        self._generation: Json = None
        self._documents: dict[str, Json] = {}

    def groups(self) -> Json:
        """Return the legacy list of groups."""
        return self._cached("groups", self._groups)

    def group(self, name: str) -> Json | None:
        """Return one group of the legacy list, None when it is not served."""
        found = next((group for group in self.groups()["groups"] if group["name"] == name), None)
        return found and {"kind": "APIGroup", "apiVersion": "v1", **found}

    def resources(self, group: str, version: str) -> Json | None:
        """Return the legacy list of a group and version, None when it is not served."""
        kinds = self._registry.of_group(group, version)
        return (
            self._cached(f"{group}/{version}", lambda: resource_list(group, version, kinds))
            if kinds
            else None
        )

    def aggregated_document(self, *, core: bool) -> Json:
        """Return the aggregated document of the core group or of all others."""
        return self._cached(f"aggregated {core}", lambda: self._with_other_servers(core=core))

    def _groups(self) -> Json:
        own = group_list(self._registry)
        return {**own, "groups": self._other_servers.groups(own["groups"], self._builtin())}

    def _with_other_servers(self, *, core: bool) -> Json:
        own = aggregated_discovery(self._registry, core=core)
        return own if core else {**own, "items": self._other_servers.items(own["items"], self._builtin())}

    def _builtin(self) -> frozenset[str]:
        return frozenset(name for name in self._registry.groups() if self._registry.is_builtin(name))

    def _cached(self, key: str, make: Any) -> Json:
        generation = (self._registry.generation, self._other_servers.generation)
        if self._generation != generation:
            self._generation, self._documents = generation, {}
        if key not in self._documents:
            self._documents[key] = make()
        return self._documents[key]


def versions(address: str) -> Json:
    """Return the legacy list of core versions."""
    server_address = {"clientCIDR": "0.0.0.0/0", "serverAddress": address}
    return {"kind": "APIVersions", "versions": ["v1"], "serverAddressByClientCIDRs": [server_address]}


def group_list(registry: Registry) -> Json:
    """Return every group but the core one, with the preferred version first."""
    groups = [_group(name, _versions(registry, name)) for name in in_group_order(registry.groups()) if name]
    return {"kind": "APIGroupList", "apiVersion": "v1", "groups": groups}


def resource_list(group: str, version: str, kinds: Iterable[Kind]) -> Json:
    """Return the resources of a group and version with their subresources."""
    core = group == ""
    head = {"kind": "APIResourceList", **({} if core else {"apiVersion": "v1"})}
    listed = [resource for kind in sorted(kinds, key=lambda kind: kind.plural) for resource in _legacy(kind)]
    return {**head, "groupVersion": f"{group}/{version}" if group else version, "resources": listed}


def aggregated_discovery(registry: Registry, *, core: bool) -> Json:
    """Return groups, versions, resources and subresources in one document (FK-363)."""
    names = [name for name in in_group_order(registry.groups()) if (name == "") == core]
    items = [
        {
            "metadata": {"name": name} if name else {},
            "versions": [_version_entry(registry, name, version) for version in _versions(registry, name)],
        }
        for name in names
    ]
    return {
        "kind": "APIGroupDiscoveryList",
        "apiVersion": "apidiscovery.k8s.io/v2",
        "metadata": {},
        "items": items,
    }


def in_group_order(groups: Iterable[str]) -> list[str]:
    """Return groups in order of priority: the server's own first, others by name (FK-364)."""
    rank = {name: index for index, name in enumerate(GROUP_ORDER)}
    return sorted(groups, key=lambda name: (rank.get(name, len(rank)), name))


def version_rank(version: str) -> tuple[int, int, int, str]:
    """Return a sort key that puts the preferred version first: stable, beta, alpha, higher numbers first,
    others by name.
    """
    # Imported late: most clusters order no versions but the built-in ones.
    import re

    match = re.fullmatch(r"v([1-9][0-9]*)(?:(alpha|beta)([1-9][0-9]*))?", version)
    if not match:
        # Versions that are named otherwise come last, in alphabetical order.
        return (3, 0, 0, version)
    major, stage, minor = match.groups()
    return ({None: 0, "beta": 1, "alpha": 2}[stage], -int(major), -int(minor or 0), "")


def storage_version_hash(kind: Kind) -> str:
    """Return what tells whether objects are stored as before."""
    version = OLD_STORAGE.get(kind.stored_as) or kind.schema.storage_version or kind.version
    # A hash, not the version itself: clients compare it and must not read it.
    text = f"{kind.stored_as[0]}/{version}/{kind.kind}"
    return base64.b64encode(hashlib.sha256(text.encode()).digest()[:8]).decode()


def _versions(registry: Registry, group: str) -> list[str]:
    return sorted(registry.versions(group), key=version_rank)


def _group(name: str, group_versions: list[str]) -> Json:
    listed = [{"groupVersion": f"{name}/{version}", "version": version} for version in group_versions]
    return {"name": name, "versions": listed, "preferredVersion": listed[0]}


def _is_stored(kind: Kind) -> bool:
    return "watch" in kind.verbs


def _names(kind: Kind) -> Json:
    return {
        **({"shortNames": list(kind.short_names)} if kind.short_names else {}),
        **({"categories": list(kind.categories)} if kind.categories else {}),
    }


def _verbs(kind: Kind) -> list[str]:
    if not kind.custom:
        return sorted(kind.verbs)
    # A definition that is being deleted takes no new objects, and discovery says so.
    return [verb for verb in CUSTOM_VERBS if not kind.strategy.create_forbidden or verb not in WRITES]


def _legacy(kind: Kind) -> Iterable[Json]:
    hashed = {"storageVersionHash": storage_version_hash(kind)} if _is_stored(kind) else {}
    yield {
        "name": kind.plural,
        "singularName": kind.singular,
        "namespaced": kind.namespaced,
        "kind": kind.kind,
        "verbs": _verbs(kind),
        **_names(kind),
        **hashed,
    }
    for name in below(kind):
        (group, version, responds), verbs = subresource(kind, name)
        foreign = {"group": group, "version": version} if version else {}
        yield {
            "name": f"{kind.plural}/{name}",
            "singularName": "",
            "namespaced": kind.namespaced,
            **foreign,
            "kind": responds,
            "verbs": verbs,
        }


def _version_entry(registry: Registry, group: str, version: str) -> Json:
    kinds = sorted(registry.of_group(group, version), key=lambda kind: kind.plural)
    return {
        "version": version,
        "resources": [_resource_entry(kind) for kind in kinds],
        "freshness": "Current",
    }


def _resource_entry(kind: Kind) -> Json:
    home = (kind.group, kind.version) if kind.custom else ("", "")
    entry = {
        "resource": kind.plural,
        "responseKind": {"group": home[0], "version": home[1], "kind": kind.kind},
        "scope": "Namespaced" if kind.namespaced else "Cluster",
        "singularResource": kind.singular,
        "verbs": _verbs(kind),
        **_names(kind),
    }
    if kind.subresources:
        entry["subresources"] = [_subresource_entry(kind, name, home) for name in below(kind)]
    return entry


def _subresource_entry(kind: Kind, name: str, home: tuple[str, str]) -> Json:
    (group, version, responds), verbs = subresource(kind, name)
    group, version = (group, version) if version else home
    return {
        "subresource": name,
        "responseKind": {"group": group, "version": version, "kind": responds},
        "verbs": verbs,
    }

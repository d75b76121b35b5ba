"""Which group, versions and resources there are, told in the old way and in
the aggregated one (VIS-301…307).
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any, Final

from ...runtime.serving.exchange import Response
from .admitted import KIND, SUBRESOURCE, VERSION
from .attributes import GROUP
from .negotiation import aggregated_discovery
from .request_context import RequestContext
from .serialization import go_json, negotiate
from .status import StatusError
from .surface import ApiSurface


@dataclass(frozen=True, slots=True)
class Resource:
    """A kind of queue, and what can be read below it: the name of a subresource and its kind."""

    name: str
    singular: str
    namespaced: bool
    subresources: tuple[tuple[str, str], ...]

    @property
    def kind(self) -> str:
        """Return the kind by which the resource itself goes: it is never served (VIS-322)."""
        return self.subresources[0][1]


PENDING: Final = ("pendingworkloads", "PendingWorkloadsSummary")
ADMITTED: Final = (SUBRESOURCE, KIND)


def resources_of(version: str, *, extended: bool) -> tuple[Resource, ...]:
    """Return what a version serves; the extension adds what can be read below the queues (VIS-903)."""
    below = (PENDING, ADMITTED) if extended and version == VERSION else (PENDING,)
    return (
        Resource("clusterqueues", "clusterqueue", namespaced=False, subresources=below),
        Resource("localqueues", "localqueue", namespaced=True, subresources=below),
    )


class Discovery:
    """The discovery documents of a server; `address` is where it says that it listens, such as `:8082`."""

    def __init__(self, surface: ApiSurface, address: str, *, extended: bool = False) -> None:
        self._extended = extended
        self._group = _group(surface)
        self._addresses = [{"clientCIDR": "0.0.0.0/0", "serverAddress": address}]
        self._aggregated = _aggregate(surface, extended=extended)
        self._etag = f'"{hashlib.sha512(go_json(self._aggregated)).hexdigest().upper()}"'

    async def groups(self, request: RequestContext) -> Response:
        """Answer `/apis`, in the aggregated form for a client
        that accepts it at any place (VIS-301, VIS-304).
        """
        try:
            if request.accept.header:
                request.accept.agree(aggregated_discovery)
                return self._all(request)
        except StatusError:
            pass  # The client did not ask for the aggregated form.
        document = {
            "kind": "APIGroupList",
            "groups": [{**self._group, "serverAddressByClientCIDRs": self._addresses}],
        }
        return negotiate(request.accept, 200, document)

    async def group(self, request: RequestContext) -> Response:
        """Answer the path of the group (VIS-302)."""
        return negotiate(request.accept, 200, {"kind": "APIGroup", "apiVersion": "v1", **self._group})

    async def resources(self, version: str, request: RequestContext) -> Response:
        """Answer the path of a version (VIS-303)."""
        document = {
            "kind": "APIResourceList",
            "apiVersion": "v1",
            "groupVersion": f"{GROUP}/{version}",
            "resources": [
                entry
                for resource in resources_of(version, extended=self._extended)
                for entry in _entries(resource)
            ],
        }
        return negotiate(request.accept, 200, document)

    def _all(self, request: RequestContext) -> Response:
        headers = (("Etag", self._etag), ("Vary", "Accept"), ("Cache-Control", "public"))
        if request.request.header("if-none-match") == self._etag:
            return Response(code=304, headers=headers)
        answer = negotiate(request.accept, 200, self._aggregated, aggregated_discovery)
        return Response(code=answer.code, headers=(*answer.headers, *headers), body=answer.body)


def _group(surface: ApiSurface) -> dict[str, Any]:
    versions = [{"groupVersion": f"{GROUP}/{version}", "version": version} for version in surface.versions]
    return {"name": GROUP, "versions": versions, "preferredVersion": versions[0]}


def _entries(resource: Resource) -> list[dict[str, Any]]:
    common = {"namespaced": resource.namespaced}
    parent = {
        "name": resource.name,
        "singularName": resource.singular,
        **common,
        "kind": resource.kind,
        "verbs": [],
    }
    below = [
        {"name": f"{resource.name}/{name}", "singularName": "", **common, "kind": kind, "verbs": ["get"]}
        for name, kind in resource.subresources
    ]
    return [parent, *below]


def _aggregate(surface: ApiSurface, *, extended: bool) -> dict[str, Any]:
    versions = [
        {
            "version": version,
            "resources": [_nest(resource) for resource in resources_of(version, extended=extended)],
            "freshness": "Current",
        }
        for version in surface.versions
    ]
    return {
        "kind": "APIGroupDiscoveryList",
        "apiVersion": "apidiscovery.k8s.io/v2",
        "metadata": {},
        "items": [{"metadata": {"name": GROUP}, "versions": versions}],
    }


def _nest(resource: Resource) -> dict[str, Any]:
    return {
        "resource": resource.name,
        "responseKind": _kind(resource.kind),
        "scope": "Namespaced" if resource.namespaced else "Cluster",
        "singularResource": resource.singular,
        "verbs": [],
        "subresources": [
            {"subresource": name, "responseKind": _kind(kind), "verbs": ["get"]}
            for name, kind in resource.subresources
        ],
    }


def _kind(kind: str) -> dict[str, str]:
    return {"group": "", "version": "", "kind": kind}

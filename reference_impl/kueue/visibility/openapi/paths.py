"""The paths that can be read, as operations;
v2 and v3 differ in how they write parameters and answers (VIS-309, VIS-311).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from ..attributes import GROUP
from ..discovery import ADMITTED, Resource, resources_of
from ..negotiation import MEDIA_TYPES, Format
from ..surface import ApiSurface
from .schemas import META, VISIBILITY

CAMEL: Final = "VisibilityKueueXK8sIo"
TAG: Final = "visibilityKueueXK8sIo"
_PATH_PARAMETERS: Final = {"name": "Name of the queue.", "namespace": "Namespace of the queue."}
_PRETTY: Final = "Indents the answer if 'true'."


@dataclass(frozen=True, slots=True)
class Operation:
    """A path that can be read with GET; `member` is the document of v3 in which it stands."""

    member: str
    path: str
    id: str
    description: str
    answer: str
    tag: str
    produces: tuple[str, ...] = MEDIA_TYPES
    kind: tuple[str, str] | None = None

    @property
    def parameters(self) -> tuple[tuple[str, str], ...]:
        """Return the names of its parameters and where they stand, in order."""
        if self.kind is None:
            return ()
        bound = [(name, "path") for name in _PATH_PARAMETERS if f"{{{name}}}" in self.path]
        parameters = [("phase", "query")] if self.kind[1] == ADMITTED[1] else []
        return tuple(
            sorted([("limit", "query"), *bound, ("offset", "query"), *parameters, ("pretty", "query")])
        )


def operations(surface: ApiSurface, *, extended: bool) -> Iterator[Operation]:
    """Yield the operations of a server, those of the extension too."""
    yield Operation(
        "apis", "/apis/", "getAPIVersions", "get available API versions", f"{META}.APIGroupList", "apis"
    )
    group, member = f"{META}.APIGroup", f"apis/{GROUP}"
    yield Operation(member, f"/{member}/", f"get{CAMEL}APIGroup", "get information of a group", group, TAG)
    for version in sorted(surface.versions):
        yield from _of_version(version, resources_of(version, extended=extended))
    info = "io.k8s.apimachinery.pkg.version.Info"
    json = (Format.JSON.value,)
    yield Operation(
        "version", "/version/", "getCodeVersion", "get the version of the build", info, "version", json
    )


def _of_version(version: str, resources: tuple[Resource, ...]) -> Iterator[Operation]:
    member, tag, name = f"apis/{GROUP}/{version}", f"{TAG}_{version}", version[:1].upper() + version[1:]
    listing = f"{META}.APIResourceList"
    yield Operation(
        member, f"/{member}/", f"get{CAMEL}{name}APIResources", "get available resources", listing, tag
    )
    for resource in resources:
        scope = "namespaces/{namespace}/" if resource.namespaced else ""
        for below, kind in resource.subresources:
            yield Operation(
                member,
                f"/{member}/{scope}{resource.name}/{{name}}/{below}",
                f"read{CAMEL}{name}{'Namespaced' if scope else ''}{kind}{below.capitalize()}",
                f"read {below} of the specified queue",
                f"{VISIBILITY}.{version}.{kind}",
                tag,
                kind=(version, kind),
            )


def path_v2(operation: Operation) -> dict[str, Any]:
    """Return the item of a path in Swagger 2."""
    get = {
        "description": operation.description,
        "consumes": ["*/*"] if operation.kind else list(operation.produces),
        "produces": list(operation.produces),
        "schemes": ["https"],
        "tags": [operation.tag],
        "operationId": operation.id,
        "responses": {
            "200": {"description": "OK", "schema": {"$ref": f"#/definitions/{operation.answer}"}},
            "401": {"description": "Unauthorized"},
        },
        **_action(operation),
    }
    return {"get": get, **_list([_parameter(*parameter, {}) for parameter in operation.parameters])}


def path_v3(operation: Operation) -> dict[str, Any]:
    """Return the item of a path in OpenAPI 3."""
    schema = {"$ref": f"#/components/schemas/{operation.answer}"}
    get = {
        "tags": [operation.tag],
        "description": operation.description,
        "operationId": operation.id,
        "responses": {
            "200": {
                "description": "OK",
                "content": {media_type: {"schema": schema} for media_type in operation.produces},
            }
        },
        **_action(operation),
    }
    return {"get": get, **_list([_parameter(*parameter, None) for parameter in operation.parameters])}


def _action(operation: Operation) -> dict[str, Any]:
    if operation.kind is None:
        return {}
    version, kind = operation.kind
    kind_of_action = {"group": GROUP, "kind": kind, "version": version}
    return {"x-kubernetes-action": "get", "x-kubernetes-group-version-kind": kind_of_action}


def _list(parameters: list[dict[str, Any]]) -> dict[str, Any]:
    return {"parameters": parameters} if parameters else {}


def _parameter(name: str, where: str, beside: dict[str, Any] | None) -> dict[str, Any]:
    """Return a parameter, its type beside the rest as v2 writes it or in a schema."""
    description = _PATH_PARAMETERS.get(name, _PRETTY if name == "pretty" else "")
    value = {"uniqueItems": True, "type": "integer" if name in {"limit", "offset"} else "string"}
    return {
        **(value if beside is not None else {"schema": value}),
        **({"description": description} if description else {}),
        "name": name,
        "in": where,
        **({"required": True} if where == "path" else {}),
    }

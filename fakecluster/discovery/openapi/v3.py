"""OpenAPI 3: one document for each group and version, and small ones for pages (FK-371, FK-372)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...api.kind import Kind
from ...base.json_types import Json
from .meta import Page
from .names import public
from .operations import Operation, PathItem
from .parameters import TEXT, parameters
from .paths import paths_of
from .schemas import collect, schema_names

PREFIX = "#/components/schemas/"
INFO = {"title": "Kubernetes", "version": "1.36"}
INFO_OF_CUSTOM = {"title": "Kubernetes CRD Swagger", "version": "v0.1.0"}
SECURITY = {
    "BearerToken": {
        "type": "apiKey",
        "description": "Bearer Token authentication",
        "name": "authorization",
        "in": "header",
    }
}
PATCHES = ("apply-patch+yaml", "json-patch+json", "merge-patch+json", "strategic-merge-patch+json")
BUILT_IN = ("application/json", "application/yaml", "application/vnd.kubernetes.protobuf")
CUSTOM = ("application/json", "application/yaml")
STREAMS = ("application/json;stream=watch", "application/vnd.kubernetes.protobuf;stream=watch")
UNAUTHORIZED = {"401": {"description": "Unauthorized"}}
REASONS = {200: "OK", 201: "Created", 202: "Accepted"}


def document(kinds: tuple[Kind, ...], pages: Iterable[Page]) -> Json:
    """Return the document of the kinds of one group and version, and of pages."""
    pages = tuple(pages)
    items = {path: item for kind in kinds for path, item in paths_of(kind).items()}
    paths = {page.path: _page(page) for page in pages}
    paths |= {path: _path_item(item) for path, item in items.items()}
    schemas = collect(kinds, schema_names(items.values(), pages), PREFIX, simple=False)
    is_custom = any(kind.custom for kind in kinds)
    components = {
        **({"schemas": schemas} if schemas else {}),
        **({} if is_custom else {"securitySchemes": SECURITY}),
    }
    info = INFO_OF_CUSTOM if is_custom else INFO
    # The order of the members is the real server's; readers look for the version at the beginning.
    return {"openapi": "3.0.0", "info": info, "paths": dict(sorted(paths.items())), "components": components}


def _page(page: Page) -> Json:
    schema = _schema(public(page.result)) if page.result else {"schema": TEXT}
    answers = {
        "200": {"description": "OK", "content": dict.fromkeys(sorted(page.produces), schema)},
        **UNAUTHORIZED,
    }
    description = {"tags": [page.tag], "description": page.description, "operationId": page.id}
    return {"get": {**description, "responses": answers}}


def _path_item(item: PathItem) -> Json:
    operations = {
        operation.method.method: _operation(operation, item.own(operation)) for operation in item.operations
    }
    return {**operations, "parameters": parameters(item.path_parameters, item.shared_query)}


def _operation(operation: Operation, query: Sequence[str]) -> Json:
    body = {"requestBody": _body(operation)} if operation.body else {}
    return {
        "tags": [operation.tag],
        "description": operation.description,
        "operationId": operation.id,
        **({"parameters": parameters((), query)} if query else {}),
        **body,
        "responses": {**_answers(operation), **UNAUTHORIZED},
        "x-kubernetes-action": operation.method.action,
        "x-kubernetes-group-version-kind": operation.gvk,
    }


def _answers(operation: Operation) -> Json:
    types = operation.text or (CUSTOM if operation.custom else BUILT_IN)
    if operation.method.result in {"list", "event"} and not operation.custom:
        types = (*types, *STREAMS)
    content = dict.fromkeys(sorted(types), {"schema": TEXT} if operation.text else _schema(operation.result))
    return {str(code): {"description": REASONS[code], "content": content} for code in operation.method.codes}


def _body(operation: Operation) -> Json:
    if operation.body == "patch":
        types = [f"application/{media}" for media in (PATCHES[:3] if operation.custom else PATCHES)]
        return {"content": dict.fromkeys(types, _schema(public("meta.v1.Patch"))), "required": True}
    media = CUSTOM if operation.custom else ("*/*",)
    if operation.body == "options":
        return {"content": dict.fromkeys(media, _schema(public("meta.v1.DeleteOptions")))}
    return {"content": dict.fromkeys(media, _schema(operation.body)), "required": True}


def _schema(name: str) -> Json:
    return {"schema": {"$ref": f"{PREFIX}{name}"}}

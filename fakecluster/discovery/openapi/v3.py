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
from .schemas import collected, schema_names

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
    schemas = collected(kinds, schema_names(items.values(), pages), PREFIX, simple=False)
    is_custom = any(kind.custom for kind in kinds)
    components = {
        **({"schemas": schemas} if schemas else {}),
        **({} if is_custom else {"securitySchemes": SECURITY}),
    }
    info = INFO_OF_CUSTOM if is_custom else INFO
    return {"openapi": "3.0.0", "info": info, "paths": dict(sorted(paths.items())), "components": components}


def _page(page: Page) -> Json:
    schema = _schema(public(page.result)) if page.result else {"schema": TEXT}
    answers = {
        "200": {"description": "OK", "content": dict.fromkeys(sorted(page.produces), schema)},
        **UNAUTHORIZED,
    }
    says = {"tags": [page.tag], "description": page.description, "operationId": page.id}
    return {"get": {**says, "responses": answers}}


def _path_item(item: PathItem) -> Json:
    operations = {one.method.method: _operation(one, item.own(one)) for one in item.operations}
    return {**operations, "parameters": parameters(item.places, item.shared)}


def _operation(one: Operation, query: Sequence[str]) -> Json:
    body = {"requestBody": _body(one)} if one.body else {}
    return {
        "tags": [one.tag],
        "description": one.description,
        "operationId": one.id,
        **({"parameters": parameters((), query)} if query else {}),
        **body,
        "responses": {**_answers(one), **UNAUTHORIZED},
        "x-kubernetes-action": one.method.action,
        "x-kubernetes-group-version-kind": one.gvk,
    }


def _answers(one: Operation) -> Json:
    types = one.text or (CUSTOM if one.custom else BUILT_IN)
    if one.method.result in {"list", "event"} and not one.custom:
        types = (*types, *STREAMS)
    content = dict.fromkeys(sorted(types), {"schema": TEXT} if one.text else _schema(one.result))
    return {str(code): {"description": REASONS[code], "content": content} for code in one.method.codes}


def _body(one: Operation) -> Json:
    if one.body == "patch":
        types = [f"application/{media}" for media in (PATCHES[:3] if one.custom else PATCHES)]
        return {"content": dict.fromkeys(types, _schema(public("meta.v1.Patch"))), "required": True}
    media = CUSTOM if one.custom else ("*/*",)
    if one.body == "options":
        return {"content": dict.fromkeys(media, _schema(public("meta.v1.DeleteOptions")))}
    return {"content": dict.fromkeys(media, _schema(one.body)), "required": True}


def _schema(name: str) -> Json:
    return {"schema": {"$ref": f"{PREFIX}{name}"}}

"""OpenAPI 2, the old form: one document for everything (FK-374)."""

from __future__ import annotations

from collections.abc import Iterable

from ...api.kind import Kind
from ...base.json_types import Json
from .meta import Page
from .names import public
from .operations import Operation, PathItem
from .parameters import TEXT, SharedParameters
from .paths import paths_of
from .schemas import PATCH, collect, schema_names
from .v3 import BUILT_IN, CUSTOM, INFO, PATCHES, REASONS, SECURITY, STREAMS, UNAUTHORIZED

PATCH_TYPES = ("json-patch+json", "merge-patch+json", "strategic-merge-patch+json", "apply-patch+yaml")
PREFIX = "#/definitions/"


def document(kinds: Iterable[Kind], pages: Iterable[Page]) -> Json:
    """Return the document of everything that is served."""
    rows, pages, shared = tuple(kinds), tuple(pages), SharedParameters()
    items = {path: item for kind in rows for path, item in paths_of(kind).items()}
    paths = {page.path: _page(page) for page in pages}
    # Items share parameters, so all of them are written before the parameters are.
    paths |= {path: _path_item(item, shared) for path, item in items.items()}
    definitions = collect(rows, schema_names(items.values(), pages), PREFIX, simple=True)
    return {
        "swagger": "2.0",
        "info": INFO,
        "paths": dict(sorted(paths.items())),
        "definitions": definitions,
        "parameters": shared.definitions(),
        "securityDefinitions": SECURITY,
        "security": [{"BearerToken": []}],
    }


def _page(page: Page) -> Json:
    schema = {"$ref": f"{PREFIX}{public(page.result)}"} if page.result else TEXT
    produces = list(page.produces)
    return {
        "get": {
            "description": page.description,
            **({"consumes": produces} if page.result else {}),
            "produces": produces,
            "schemes": ["https"],
            "tags": [page.tag],
            "operationId": page.id,
            "responses": {"200": {"description": "OK", "schema": schema}, **UNAUTHORIZED},
        }
    }


def _path_item(item: PathItem, shared: SharedParameters) -> Json:
    operations = {
        operation.method.method: _operation(operation, item.own(operation), shared)
        for operation in item.operations
    }
    return {**operations, "parameters": shared.references(item.path_parameters, item.shared_query)}


def _operation(operation: Operation, query: Iterable[str], shared: SharedParameters) -> Json:
    body = [_body(operation, shared)] if operation.body else []
    parameters = [*body, *shared.references((), query)]
    return {
        "description": operation.description,
        "consumes": _consumes(operation),
        "produces": _produces(operation),
        "schemes": ["https"],
        "tags": [operation.tag],
        "operationId": operation.id,
        **({"parameters": parameters} if parameters else {}),
        "responses": {**_answers(operation), **UNAUTHORIZED},
        "x-kubernetes-action": operation.method.action,
        "x-kubernetes-group-version-kind": operation.gvk,
    }


def _consumes(operation: Operation) -> list[str]:
    if operation.body == "patch":
        patch_types = [media for media in PATCH_TYPES if media in PATCHES[: 3 if operation.custom else None]]
        return [f"application/{media}" for media in patch_types]
    return list(CUSTOM) if operation.custom else ["*/*"]


def _produces(operation: Operation) -> list[str]:
    if operation.text or operation.custom:
        return list(operation.text or CUSTOM)
    return [*BUILT_IN, *(STREAMS if operation.method.result in {"list", "event"} else ())]


def _answers(operation: Operation) -> Json:
    schema = TEXT if operation.text else {"$ref": f"{PREFIX}{operation.result}"}
    return {str(code): {"description": REASONS[code], "schema": schema} for code in operation.method.codes}


def _body(operation: Operation, shared: SharedParameters) -> Json:
    """Return the parameter that is the body; one that does not name the kind is shared."""
    generic = {"patch": PATCH, "options": "meta.v1.DeleteOptions"}.get(operation.body)
    needed = {} if operation.body == "options" else {"required": True}
    name = public(generic) if generic else operation.body
    parameter = {"name": "body", "in": "body", **needed, "schema": {"$ref": f"{PREFIX}{name}"}}
    return shared.reference(parameter) if generic else parameter

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
from .schemas import PATCH, collected, schema_names
from .v3 import BUILT_IN, CUSTOM, INFO, PATCHES, REASONS, SECURITY, STREAMS, UNAUTHORIZED

CONSUMED = ("json-patch+json", "merge-patch+json", "strategic-merge-patch+json", "apply-patch+yaml")
PREFIX = "#/definitions/"


def document(kinds: Iterable[Kind], pages: Iterable[Page]) -> Json:
    """Return the document of everything that is served."""
    rows, pages, shared = tuple(kinds), tuple(pages), SharedParameters()
    items = {path: item for kind in rows for path, item in paths_of(kind).items()}
    paths = {page.path: _page(page) for page in pages}
    paths |= {path: _path_item(item, shared) for path, item in items.items()}
    definitions = collected(rows, schema_names(items.values(), pages), PREFIX, simple=True)
    return {
        "swagger": "2.0",
        "info": INFO,
        "paths": dict(sorted(paths.items())),
        "definitions": definitions,
        "parameters": shared.described(),
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
    operations = {one.method.method: _operation(one, item.own(one), shared) for one in item.operations}
    return {**operations, "parameters": shared.references(item.places, item.shared)}


def _operation(one: Operation, query: Iterable[str], shared: SharedParameters) -> Json:
    body = [_body(one, shared)] if one.body else []
    parameters = [*body, *shared.references((), query)]
    return {
        "description": one.description,
        "consumes": _consumed(one),
        "produces": _produced(one),
        "schemes": ["https"],
        "tags": [one.tag],
        "operationId": one.id,
        **({"parameters": parameters} if parameters else {}),
        "responses": {**_answers(one), **UNAUTHORIZED},
        "x-kubernetes-action": one.method.action,
        "x-kubernetes-group-version-kind": one.gvk,
    }


def _consumed(one: Operation) -> list[str]:
    if one.body == "patch":
        known = [media for media in CONSUMED if media in PATCHES[: 3 if one.custom else None]]
        return [f"application/{media}" for media in known]
    return list(CUSTOM) if one.custom else ["*/*"]


def _produced(one: Operation) -> list[str]:
    if one.text or one.custom:
        return list(one.text or CUSTOM)
    return [*BUILT_IN, *(STREAMS if one.method.result in {"list", "event"} else ())]


def _answers(one: Operation) -> Json:
    schema = TEXT if one.text else {"$ref": f"{PREFIX}{one.result}"}
    return {str(code): {"description": REASONS[code], "schema": schema} for code in one.method.codes}


def _body(one: Operation, shared: SharedParameters) -> Json:
    """Return the parameter that is the body; one that does not name the kind is shared."""
    generic = {"patch": PATCH, "options": "meta.v1.DeleteOptions"}.get(one.body)
    needed = {} if one.body == "options" else {"required": True}
    name = public(generic) if generic else one.body
    parameter = {"name": "body", "in": "body", **needed, "schema": {"$ref": f"{PREFIX}{name}"}}
    return shared.reference(parameter) if generic else parameter

"""OpenAPI 2, the old form: one document for everything (FK-374)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...api.kind import Kind
from .meta import Page
from .names import public
from .operations import PLACES, QUERY, Operation, PathItem, paths_of
from .schemas import collected
from .v3 import BUILT_IN, CUSTOM, INFO, PATCHES, REASONS, SECURITY, STREAMS, UNAUTHORIZED

Json = Any
CONSUMED = ("json-patch+json", "merge-patch+json", "strategic-merge-patch+json", "apply-patch+yaml")
PREFIX = "#/definitions/"
NAMED = "#/parameters/"
INT_OR_STRING = public("intstr.IntOrString")


def document(kinds: Iterable[Kind], pages: Iterable[Page]) -> Json:
    """Return the document of everything that is served."""
    rows = tuple(kinds)
    paths = {page.path: _page(page) for page in pages}
    paths |= {path: _path_item(item) for kind in rows for path, item in paths_of(kind).items()}
    definitions = collected(rows, PREFIX, simple=True)
    definitions[INT_OR_STRING] = {"type": "string", "format": "int-or-string"}
    return {
        "swagger": "2.0", "info": INFO, "paths": dict(sorted(paths.items())), "definitions": definitions,
        "parameters": _parameters(), "securityDefinitions": SECURITY, "security": [{"BearerToken": []}],
    }  # fmt: skip


def _parameters() -> Json:
    query = {
        name: {"uniqueItems": True, **kind, "description": says, "name": name, "in": "query"}
        for name, (kind, says) in QUERY.items()
    }
    places = {
        name: {
            "uniqueItems": True, "type": "string", "description": says, "name": name, "in": "path", "required": True,
        }
        for name, says in PLACES.items()
    }  # fmt: skip
    return {**query, **places}


def _page(page: Page) -> Json:
    answers = {"200": {"description": "OK", "schema": {"type": "string"}}, **UNAUTHORIZED}
    says = {"description": page.description, "produces": list(page.produces), "schemes": ["https"]}
    return {"get": {**says, "tags": [page.tag], "operationId": page.id, "responses": answers}}


def _path_item(item: PathItem) -> Json:
    operations = {one.method.method: _operation(one, item.own(one)) for one in item.operations}
    return {
        **operations,
        "parameters": [_named(name) for name in sorted((*item.shared, *item.places, "pretty"))],
    }


def _operation(one: Operation, query: Iterable[str]) -> Json:
    body = [_body(one)] if one.body else []
    parameters = [*body, *(_named(name) for name in query)]
    return {
        "description": one.description, "consumes": _consumed(one), "produces": _produced(one), "schemes": ["https"],
        "tags": [one.tag], "operationId": one.id, **({"parameters": parameters} if parameters else {}),
        "responses": {**_answers(one), **UNAUTHORIZED},
        "x-kubernetes-action": one.method.action, "x-kubernetes-group-version-kind": one.gvk,
    }  # fmt: skip


def _consumed(one: Operation) -> list[str]:
    if one.body == "patch":
        known = [media for media in CONSUMED if media in PATCHES[: 3 if one.custom else None]]
        return [f"application/{media}" for media in known]
    return list(CUSTOM) if one.custom else ["*/*"]


def _produced(one: Operation) -> list[str]:
    if one.custom:
        return list(CUSTOM)
    return [*BUILT_IN, *(STREAMS if one.method.result in {"list", "event"} else ())]


def _answers(one: Operation) -> Json:
    schema = {"$ref": f"{PREFIX}{one.result}"}
    return {str(code): {"description": REASONS[code], "schema": schema} for code in one.method.codes}


def _body(one: Operation) -> Json:
    name = {"patch": public("meta.v1.Patch"), "options": public("meta.v1.DeleteOptions")}.get(
        one.body, one.body
    )
    needed = {} if one.body == "options" else {"required": True}
    return {"name": "body", "in": "body", **needed, "schema": {"$ref": f"{PREFIX}{name}"}}


def _named(name: str) -> Json:
    return {"$ref": f"{NAMED}{name}"}

"""OpenAPI 3: one document for each group and version, and small ones for pages (FK-371, FK-372)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import Any

from ...api.kind import Kind
from .meta import Page
from .names import public
from .operations import PLACES, QUERY, Operation, PathItem, paths_of
from .schemas import TEXT, collected

Json = Any
PREFIX = "#/components/schemas/"
INFO = {"title": "Kubernetes", "version": "1.36"}
SECURITY = {
    "BearerToken": {
        "type": "apiKey", "description": "Bearer Token authentication", "name": "authorization", "in": "header",
    }
}  # fmt: skip
PATCHES = ("apply-patch+yaml", "json-patch+json", "merge-patch+json", "strategic-merge-patch+json")
BUILT_IN = ("application/json", "application/vnd.kubernetes.protobuf", "application/yaml")
CUSTOM = ("application/json", "application/yaml")
STREAMS = ("application/json;stream=watch", "application/vnd.kubernetes.protobuf;stream=watch")
UNAUTHORIZED = {"401": {"description": "Unauthorized"}}
REASONS = {200: "OK", 201: "Created", 202: "Accepted"}


def document(kinds: tuple[Kind, ...], pages: Iterable[Page]) -> Json:
    """Return the document of the kinds of one group and version, and of pages."""
    paths = {page.path: _page(page) for page in pages}
    paths |= {path: _path_item(item) for kind in kinds for path, item in paths_of(kind).items()}
    schemas = {"schemas": collected(kinds, PREFIX, simple=False)} if kinds else {}
    components = {**schemas, "securitySchemes": SECURITY}
    return {"openapi": "3.0.0", "info": INFO, "paths": dict(sorted(paths.items())), "components": components}


def _page(page: Page) -> Json:
    content = {
        one: {"schema": TEXT if len(page.produces) == 1 else {"type": "object"}} for one in page.produces
    }
    answers = {"200": {"description": "OK", "content": content}, **UNAUTHORIZED}
    says = {"tags": [page.tag], "description": page.description, "operationId": page.id}
    return {"get": {**says, "responses": answers}}


def _path_item(item: PathItem) -> Json:
    where = [
        {
            "name": one,
            "in": "path",
            "description": PLACES[one],
            "required": True,
            "schema": {**TEXT, "uniqueItems": True},
        }
        for one in item.places
    ]
    shared = [_query(name) for name in (*item.shared, "pretty")]
    operations = {one.method.method: _operation(one, item.own(one)) for one in item.operations}
    return {**operations, "parameters": sorted((*where, *shared), key=itemgetter("name"))}


def _operation(one: Operation, query: Sequence[str]) -> Json:
    body = {"requestBody": _body(one)} if one.body else {}
    return {
        "tags": [one.tag], "description": one.description, "operationId": one.id,
        **({"parameters": [_query(name) for name in query]} if query else {}),
        **body, "responses": {**_answers(one), **UNAUTHORIZED},
        "x-kubernetes-action": one.method.action, "x-kubernetes-group-version-kind": one.gvk,
    }  # fmt: skip


def _answers(one: Operation) -> Json:
    types = CUSTOM if one.custom else BUILT_IN
    if one.method.result in {"list", "event"} and not one.custom:
        types = tuple(sorted((*types, *STREAMS)))
    content = {media: {"schema": {"$ref": f"{PREFIX}{one.result}"}} for media in types}
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


def _query(name: str) -> Json:
    kind, says = QUERY[name]
    return {"name": name, "in": "query", "description": says, "schema": {**kind, "uniqueItems": True}}

"""A request's body as a JSON tree of the endpoint's kind (FK-024, FK-026, FK-040…FK-046)."""

from __future__ import annotations

from typing import Any

import orjson

from . import protobuf, status
from .action import Action
from .builtins import typed
from .kinds import Kind
from .options import WriteOptions

Json = Any
JSON_TYPES = ("application/json", "application/yaml", "application/vnd.kubernetes.protobuf")


def media_type(content_type: str) -> str:
    """Return a Content-Type without its parameters."""
    return content_type.split(";")[0].strip().lower()


def written(action: Action, options: WriteOptions) -> Json:
    """Return the object in the body of POST or PUT, in the version of the endpoint."""
    del options
    kind = action.kind
    obj = tree(action.request.body, kind.kind)
    if not kind.custom:
        obj = _typed(kind, obj)
    return {**obj, "apiVersion": kind.api_version, "kind": kind.kind, "metadata": obj.get("metadata") or {}}


def _typed(kind: Kind, obj: Json) -> Json:
    """Return the object as its Go type holds it (FK-502)."""
    try:
        return typed.decode(kind, obj).object
    except typed.GoTypeError as error:
        text = f'{kind.kind} in version "{kind.version}" cannot be handled as a {kind.kind}: {error}'
        raise status.bad_request(text) from error


def tree(body: bytes, kind: str) -> Json:
    """Return the JSON in a body. Raises 400."""
    try:
        if body.startswith(b"k8s\x00"):
            return protobuf.decode(body)
        return orjson.loads(body)
    except (orjson.JSONDecodeError, protobuf.ProtobufError) as error:
        raise status.bad_request(
            f"the object provided is unrecognized (must be of type {kind}): {error}"
        ) from error

"""The body of a PATCH as a tree, and the object that a patch made of another one (FK-160, FK-163, FK-166, FK-215, FK-233)."""

from __future__ import annotations

from typing import Any

import orjson
import yaml

from ..schema import fields
from . import decode, status
from .action import Action
from .options import WriteOptions

Json = Any


def body(action: Action, wanted: WriteOptions, shape: type) -> Any:
    """Return the patch in the request's body. Raises 400 when it is not JSON of the expected shape."""
    del wanted
    try:
        tree = orjson.loads(action.request.body)
    except orjson.JSONDecodeError as error:
        raise status.bad_request(f"error decoding patch: {error}") from error
    if not isinstance(tree, shape):
        found = "array" if isinstance(tree, list) else "object" if isinstance(tree, dict) else "value"
        expected = "[]handlers.jsonPatchOp" if shape is list else "map[string]interface {}"
        text = f"json: cannot unmarshal {found} into Go value of type {expected}"
        raise status.bad_request(f"error decoding patch: {text}")
    return tree


def apply_body(action: Action, wanted: WriteOptions) -> Json:
    """Return the applied object. Raises 400 for a body that is none of this kind (FK-204, FK-215)."""
    del wanted
    try:
        tree = yaml.safe_load(action.request.body) or {}
    except yaml.YAMLError as error:
        raise status.bad_request(f"error decoding YAML: error converting YAML to JSON: {error}") from error
    kind = action.kind
    said = tree.get("apiVersion") or "", tree.get("kind") or ""
    if said != (kind.api_version, kind.kind):
        version = said[0] if "/" in said[0] or not said[0] else f"/{said[0]}"
        raise status.bad_request(f"invalid object type: {version or '/'}, Kind={said[1]}")
    if (tree.get("metadata") or {}).get("managedFields") is not None:
        raise status.bad_request("metadata.managedFields must be nil")
    return {**tree, "metadata": tree.get("metadata") or {}}


def encoded(tree: Json) -> str:
    """Return a patched object as messages show it."""
    return orjson.dumps(tree).decode()


def decoded(
    action: Action, tree: Json, wanted: WriteOptions, shown: str, strict: list[str] | None = None
) -> Json:
    """Return what a patch made as an object of its kind. Raises 422 at `patch`, showing `shown` (FK-166, FK-233)."""
    try:
        found = decode.as_kind(action, tree)
        decode.judge(action, [*(strict or ()), *found.strict], wanted)
    except decode.Unfit as error:
        raise unfit(shown, str(error)) from error
    return found.object


def unfit(shown: str, why: str) -> status.StatusError:
    """Return the failure of a patch whose result is not an object of its kind."""
    return status.invalid("", "", "", [fields.invalid("patch", shown, why)])

"""The body of a PATCH as a tree, and the words for what cannot
be read as one (FK-161, FK-163…FK-166, FK-204, FK-215).

Strict reading is the rule: only fieldValidation=Ignore reads a patch the way the patch library itself does.
"""

from __future__ import annotations

import orjson
from msgspec import Struct

from ....api import status
from ....base.json_types import Json
from ....codec import body_limits
from ....codec.json import gojson, reader
from ....codec.json import reader as json_reader
from ...action import Action

PREFIX = "error decoding patch: "
BAD_PATCH = "Invalid JSON Patch"
GO_MAP = "map[string]interface {}"
GO_NAMES = {str: "string", bool: "bool", list: "array", dict: "object", int: "number", float: "number"}


class Patch(Struct, frozen=True):
    """A patch as it was read, and what strict decoding has against it."""

    tree: Json
    strict: tuple[str, ...] = ()


def operations(action: Action) -> Patch:
    """Return the operations of a JSON patch. Raises 400."""
    # Only Ignore reads a patch by the library, whose types have other names.
    strictly = action.options.validation != "Ignore"
    prefix = PREFIX if strictly else ""
    tree, repeated = _json(action, prefix)
    name, item = (
        ("[]handlers.jsonPatchOp", "handlers.jsonPatchOp")
        if strictly
        else ("jsonpatch.Patch", "jsonpatch.Operation")
    )
    if tree is not None and not isinstance(tree, list):
        raise status.bad_request(prefix + _mismatch(tree, name))
    for operation in tree or []:
        if operation is not None and not isinstance(operation, dict):
            raise status.bad_request(prefix + _mismatch(operation, item))
        # A null operation is an empty one to Go.
        _check_texts(operation or {}, prefix, strictly=strictly)
    return Patch(
        [operation or {} for operation in tree or []], tuple(f"json patch {problem}" for problem in repeated)
    )


def _check_texts(operation: Json, prefix: str, *, strictly: bool) -> None:
    for name in ("op", "path", "from") if strictly else ():
        value = operation.get(name)
        if value is not None and not isinstance(value, str):
            go_type = GO_NAMES[type(value)]
            text = f"json: cannot unmarshal {go_type} into Go struct field jsonPatchOp.{name} of type string"
            raise status.bad_request(prefix + text)


def merging(action: Action) -> Patch:
    """Return a JSON merge patch. Raises 400."""
    if action.options.validation == "Ignore":
        return Patch(_merging_unchecked(action))
    tree, repeated = _json(action, PREFIX)
    if tree is None:
        # null is JSON, but no merge patch of an object.
        raise status.bad_request(BAD_PATCH)
    if not isinstance(tree, dict):
        raise status.bad_request(PREFIX + _mismatch(tree, GO_MAP))
    return Patch(tree, tuple(repeated))


def _merging_unchecked(action: Action) -> Json:
    try:
        tree, _ = _json(action, "")
    except status.StatusError as error:
        # Too many values are told as such, whatever the patch would be.
        if error.code == 413:
            raise
        raise status.bad_request(BAD_PATCH) from error
    if not isinstance(tree, dict | list):
        raise status.bad_request(BAD_PATCH)
    return tree


def strategic(action: Action) -> Patch:
    """Return a strategic merge patch. Raises 400."""
    tree, repeated = _json(action, "")
    if tree is not None and not isinstance(tree, dict):
        raise status.bad_request(_mismatch(tree, GO_MAP))
    return Patch(tree or {}, tuple(repeated))


def apply_configuration(action: Action) -> Patch:
    """Return the object in the body of an apply. Raises 400 for one of another kind, or none at all."""
    kind = action.kind
    body = _yaml(action.request.body, body_limits.values_of(kind))
    api_version, name = _text(body.tree.get("apiVersion")), _text(body.tree.get("kind"))
    if (api_version, name) != (kind.api_version, kind.kind):
        # The core group has a slash before its version here.
        version = api_version if "/" in api_version else f"/{api_version}"
        raise status.bad_request(f"invalid object type: {version}, Kind={name}")
    metadata = body.tree.get("metadata", {})
    if metadata is None:
        return Patch({name: value for name, value in body.tree.items() if name != "metadata"}, body.strict)
    # Ownership is the outcome of an apply, so its body must not claim it.
    if isinstance(metadata, dict) and isinstance(metadata.get("managedFields"), list):
        raise status.bad_request("metadata.managedFields must be nil")
    return body


def judge_applied(action: Action, body: Patch) -> None:
    """Warn of keys that an apply body repeats, or refuse it;
    the apply itself has gone well before (FK-215).
    """
    if body.strict and action.options.validation == "Strict":
        from ....codec.yaml import reader  # loaded already: only it finds repeated keys

        text = "error strict decoding YAML: error converting YAML to JSON: "
        raise status.bad_request(text + reader.strict(list(body.strict))[0])
    for problem in body.strict if action.options.validation == "Warn" else ():
        action.warn(problem)


def _yaml(body: bytes, limit: int) -> Patch:
    quick = _plain_object(body, limit)
    if quick is not None:
        return Patch(quick)
    from ....codec.yaml import reader  # most bodies are JSON, which is YAML as well

    try:
        tree, repeated = reader.parse(body, limit)
    except reader.MalformedYaml as error:
        text = f"error decoding YAML: error converting YAML to JSON: {error}"
        raise status.bad_request(text) from error
    if tree is not None and not isinstance(tree, dict):
        text = "error decoding YAML: error unmarshaling JSON: while decoding JSON: "
        raise status.bad_request(text + _mismatch(tree, GO_MAP))
    return Patch(tree or {}, tuple(repeated))


def _plain_object(body: bytes, limit: int) -> Json | None:
    """Return the object of a body that is JSON without repetitions, which most clients send for YAML."""
    # The fast path: JSON that nests and repeats nothing unusual is read by orjson.
    if not body.startswith(b"{") or gojson.excess_bracket(body):
        return None
    try:
        tree = orjson.loads(body)
    except orjson.JSONDecodeError:
        return None
    json_reader.check_values(body, limit)
    return None if reader.may_repeat_keys(body, tree) else tree


def _json(action: Action, prefix: str) -> tuple[Json, list[str]]:
    """Return the tree and `duplicate field "path"` for each repeated field. Raises 400, 413."""
    try:
        tree, walk = json_reader.parse(
            action.request.body, merging=False, limit=body_limits.values_of(action.kind)
        )
    except json_reader.MalformedJson as error:
        raise status.bad_request(f"{prefix}{error}") from error
    return tree, [f'duplicate field "{path}"' for path in walk.repeated]


def _mismatch(value: Json, go_type: str) -> str:
    return f"json: cannot unmarshal {GO_NAMES[type(value)]} into Go value of type {go_type}"


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""

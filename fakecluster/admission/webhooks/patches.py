"""The patch in a webhook's answer, and the object that it makes (FK-307, FK-308)."""

from __future__ import annotations

import orjson

from ...api import status
from ...api.context import Context
from ...api.kind import Kind
from ...base.json_types import Json
from ...codec.json import gojson
from ...gotypes import typed
from ...patch.json import json_patch
from ...schema.fields import go_quote
from .failures import CallFailed
from .hooks import Hook
from .responses import AdmissionResponse

JSON_TYPE_NAMES = {dict: "object", str: "string", bool: "bool", int: "number", float: "number", list: "array"}
INTERNAL_GROUPS = {"": "core", "events.k8s.io": "core"}


def operations(answer: AdmissionResponse) -> list[Json]:
    """Return the operations of a patch. Raises CallFailed for a body that is no JSON patch."""
    if not answer.patch:
        return []
    try:
        changes = orjson.loads(answer.patch)
    except orjson.JSONDecodeError as error:
        raise _undecodable(gojson.problem(answer.patch)) from error
    if changes is not None and not isinstance(changes, list):
        raise _undecodable(
            f"json: cannot unmarshal {JSON_TYPE_NAMES[type(changes)]} into Go value of type jsonpatch.Patch"
        )
    odd = next((change for change in changes or () if not isinstance(change, dict | None)), None)
    if odd is not None:
        raise _undecodable(
            f"json: cannot unmarshal {JSON_TYPE_NAMES[type(odd)]} into Go value of type jsonpatch.Operation"
        )
    if changes and answer.patch_type != "JSONPatch":
        raise CallFailed(f"unsupported patch type {go_quote(answer.patch_type)}")
    return [change or {} for change in changes or ()]


def _undecodable(why: str) -> CallFailed:
    return CallFailed(f"received undecodable patch in webhook response: {why}")


def apply_patch(api: Context, hook: Hook, kind: Kind, obj: Json, changes: list[Json]) -> Json:
    """Return an object of a kind after a patch, without unknown fields and with defaults. Raises 500."""
    if obj is None:
        raise status.internal(
            f"admission webhook {go_quote(hook.name)} attempted to modify the object,"
            " which is not supported for this operation"
        )
    try:
        tree = json_patch.apply(obj, changes)
        patched_object = _custom(kind, tree) if kind.custom else _builtin(api, kind, obj, tree)
    except (json_patch.PatchNotApplicable, json_patch.PatchTooLarge, typed.GoTypeError) as error:
        raise status.internal(str(error)) from error
    return kind.schema.default(patched_object)


def _custom(kind: Kind, tree: Json) -> Json:
    meta = typed.decode_message("meta.v1.ObjectMeta", tree.get("metadata") or {})
    obj = {**tree, "metadata": meta.object}
    return kind.schema.prune(obj)[0] if kind.schema.prune else obj


def _builtin(api: Context, kind: Kind, obj: Json, tree: Json) -> Json:
    """Decode a built-in object;
    a patch that makes another kind of it goes wrong where that kind is put back.
    """
    patched_kind, was = (tree.get("apiVersion"), tree.get("kind")), (obj["apiVersion"], obj["kind"])
    row = kind if patched_kind == was else api.registry.of_kind(str(patched_kind[0]), str(patched_kind[1]))
    if row is None or row.custom:
        raise typed.GoTypeError(
            f'no kind "{patched_kind[1]}" is registered for version "{patched_kind[0]}" in scheme "pkg/runtime/scheme.go:111"'
        )
    decoded = typed.decode_message(
        _message(*was) if row is kind else _message(row.api_version, row.kind), tree
    )
    if row is not kind:
        internal = INTERNAL_GROUPS.get(kind.group, kind.group.partition(".")[0])
        raise typed.GoTypeError(
            f"converting ({row.version}.{row.kind}) to ({internal}.{kind.kind}): unknown conversion"
        )
    return decoded.object


def _message(api_version: str, kind: str) -> str:
    group, _, version = api_version.rpartition("/")
    return f"{group.partition('.')[0] or 'core'}.{version}.{kind}"

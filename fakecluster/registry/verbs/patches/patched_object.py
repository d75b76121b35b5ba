"""The object that a patch made of another one, decoded,
or the words for why it is none (FK-160, FK-166, FK-233).
"""

from __future__ import annotations

from collections.abc import Callable

import orjson

from ....api import status
from ....api.kind import Kind
from ....base.json_types import Json
from ....codec import bodies, body_limits
from ....gotypes import typed
from ....patch.golang import format_plain
from ....schema import fields
from ....schema.fields import FieldError
from ...action import Action
from ..writes import custom_resources, decoding
from ..writes.decoding import DecodedBody
from . import typed_values
from .patch_body import Patch

BASE64 = "illegal base64 data"
HTML_ESCAPES = {ord(char): f"\\u{ord(char):04x}" for char in "<>&"}


def in_order(kind: Kind, obj: Json) -> Json:
    """Return an object with its members in the order of declaration, as messages show built-in ones."""
    return obj if kind.custom else typed.decode(kind, obj).object


def encode(tree: Json, *, custom: bool) -> str:
    """Return a patched object as messages show it:
    what the patch went through is sorted, the rest as declared.
    """
    # Top-level members are sorted, as the patch went through a map.
    shown = dict(sorted(_with_sorted_owners(tree).items())) if isinstance(tree, dict) else tree
    return orjson.dumps(shown, option=orjson.OPT_SORT_KEYS if custom else 0).decode().translate(HTML_ESCAPES)


def _with_sorted_owners(tree: Json) -> Json:
    """Return an object with the field sets of its owners sorted, as messages show them."""
    about = tree.get("metadata")
    owners = about.get("managedFields") if isinstance(about, dict) else None
    if not isinstance(owners, list) or not all(isinstance(owner, dict) for owner in owners):
        return tree
    plain = [
        {**owner, "fieldsV1": with_sorted_members(owner["fieldsV1"])} if "fieldsV1" in owner else owner
        for owner in owners
    ]
    return {**tree, "metadata": {**about, "managedFields": plain}}


def with_sorted_members(tree: Json) -> Json:
    """Return a tree with the members of each object sorted, as what a merge patch brings is written."""
    return orjson.loads(orjson.dumps(tree, option=orjson.OPT_SORT_KEYS))


def decode(
    action: Action,
    tree: Json,
    strict: tuple[str, ...],
    shown: Callable[[], Json],
) -> Json:
    """Return what a JSON or merge patch made as an object of its kind.

    Raises 422 at `patch` (FK-166, FK-233).

    `shown` makes the tree as messages show it, in another order.
    """
    try:
        # The type comes first: nothing can be decoded without it.
        if why := bodies.header_problem(tree):
            raise decoding.DecodeError(bodies.NO_VERSION + why)
        if action.kind.custom and not tree.get("kind"):
            raise decoding.DecodeError(f"Object 'Kind' is missing in '{encode(tree, custom=True)}'")
        decoded = _as_kind(action, tree)
        decoding.judge(action, [*strict, *decoded.strict])
    except decoding.DecodeError as error:
        written = encode(shown(), custom=action.kind.custom)
        raise unfit(written, str(error)) from error
    return decoded.object


def restore(action: Action, tree: Json, body: Patch) -> Json:
    """Return the result of a strategic merge patch, with the kind and version of the endpoint.

    Raises 422.
    """
    kind = action.kind
    try:
        # The converter judges types before the decoder does, in its own words.
        if why := typed_values.problem(tree, kind.schema.structural):
            raise decoding.DecodeError(why)
        # A patch cannot change what the endpoint is about.
        decoded = _as_kind(action, {**tree, "apiVersion": kind.api_version, "kind": kind.kind})
        decoding.judge(action, [*body.strict, *sorted(decoded.strict)])
    except decoding.DecodeError as error:
        why = f"error decoding from json: {error}" if str(error).startswith(BASE64) else str(error)
        raise unfit(format_plain(body.tree), why) from error
    return decoded.object


def merge(action: Action, tree: Json, body: Json, live: Json | None) -> Json:
    """Return what an apply made as an object of its kind.

    Raises 500 for values that its types do not take.
    """
    kind = action.kind
    _check_nulls(action, tree, live or {})
    try:
        return _as_kind(action, tree).object
    except decoding.DecodeError as error:
        metadata = body.get("metadata") or {}
        group_version_kind = f"{kind.group}/{kind.version}, Kind={kind.kind}"
        reference = f"{metadata.get('namespace', '')}/{metadata.get('name', '')}; {group_version_kind}"
        why = f"to proper version: unable to convert unstructured object to {group_version_kind}: {error}"
        raise status.raw(f"failed to convert new object ({reference}) {why}") from error


def _as_kind(action: Action, tree: Json) -> DecodedBody:
    """Decode a patched object. Raises DecodeError, 413."""
    body_limits.check(action.kind, tree, action.request.body)
    return decoding.as_kind(action, tree, custom_resources.current_object(action))


def _check_nulls(action: Action, tree: Json, live: Json) -> None:
    """Raise 422 for nulls that a custom resource's types do not take and have no default for; other writes
    drop them (FK-220, FK-261).

    They come from the body, and from containers that an apply has emptied. The rest of what is written is
    judged with them.
    """
    kind = action.kind
    # Without nulls nothing has to be judged; defaults may take the place of some.
    if not kind.custom or not _with_nulls(_with_stored_members(action, tree, live), live):
        return
    written = kind.schema.default_beside_nulls(_with_stored_members(action, tree, live))
    if not _with_nulls(written, live):
        return
    errors = _validate(action, written, live)
    if any(error.body.startswith('Invalid value: "null"') for error in errors):
        raise status.invalid_object(kind, action.name, errors)


def _with_stored_members(action: Action, tree: Json, live: Json) -> Json:
    """Return the object with the stored parts that this endpoint does not write (FK-107)."""
    if "status" not in action.kind.subresources:
        return tree
    ours, theirs = (live, tree) if action.info.subresource == "status" else (tree, live)
    members = {name: value for name, value in ours.items() if name != "status"}
    return {**members, "status": theirs["status"]} if "status" in theirs else members


def _validate(action: Action, written: Json, live: Json) -> list[FieldError]:
    kind = action.kind
    if not live:
        return kind.strategy.validate_new(written) if kind.strategy.validate_new else []
    judge = (
        kind.strategy.validate_status
        if action.info.subresource == "status"
        else kind.strategy.validate_update
    )
    return judge(written, live) if judge else []


def _with_nulls(written: Json, live: Json) -> bool:
    return any(_brings_null(value, live.get(name)) for name, value in written.items() if name != "metadata")


def _brings_null(value: Json, before: Json) -> bool:
    """Tell whether a changed member holds a null; unchanged members are the same Python objects as before."""
    # Unchanged members are the very objects of before, so identity decides.
    if value is None or value is before:
        return value is None
    if isinstance(value, dict):
        past = before if isinstance(before, dict) else {}
        return any(_brings_null(child, past.get(name)) for name, child in value.items())
    return isinstance(value, list) and any(_brings_null(item, None) for item in value)


def unfit(shown: str, why: str) -> status.StatusError:
    """Return the failure of a patch whose result is not an object of its kind."""
    return status.invalid("", "", "", [fields.invalid("patch", shown, why)])

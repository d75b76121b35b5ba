"""The object that a patch made of another one, decoded, or the words for why it is none (FK-160, FK-166, FK-233)."""

from __future__ import annotations

from typing import Any

import orjson

from ..patch.golang import printed
from ..schema import fields
from . import bodies, decode, restore, status
from .action import Action
from .options import WriteOptions
from .patchbody import Patch

Json = Any
METADATA_ORDER = (
    "name", "generateName", "namespace", "selfLink", "uid", "resourceVersion", "generation", "creationTimestamp",
    "deletionTimestamp", "deletionGracePeriodSeconds", "labels", "annotations", "ownerReferences", "finalizers",
    "managedFields",
)  # fmt: skip
"""How a built-in object's metadata is declared, which is how messages show it."""


def encoded(tree: Json, *, custom: bool) -> str:
    """Return a patched object as messages show it."""
    metadata = tree.get("metadata")
    ordered = dict(sorted(tree.items()))
    if isinstance(metadata, dict):
        first = {name: metadata[name] for name in METADATA_ORDER if name in metadata}
        ordered["metadata"] = {**first, **metadata}
    return orjson.dumps(ordered, option=orjson.OPT_SORT_KEYS if custom else 0).decode()


def decoded(action: Action, tree: Json, wanted: WriteOptions, strict: tuple[str, ...] = ()) -> Json:
    """Return what a JSON or merge patch made as an object of its kind. Raises 422 at `patch` (FK-166, FK-233)."""
    try:
        if why := bodies.header_problem(tree):
            raise decode.Unfit(bodies.NO_VERSION + why)
        found = decode.as_kind(action, tree)
        decode.judge(action, [*strict, *found.strict], wanted)
    except decode.Unfit as error:
        raise unfit(encoded(tree, custom=action.kind.custom), str(error)) from error
    return found.object


def restored(action: Action, tree: Json, wanted: WriteOptions, body: Patch) -> Json:
    """Return what a strategic merge patch made; the endpoint's kind stands whatever the patch says. Raises 422."""
    kind = action.kind
    try:
        if why := restore.problem(tree, kind.schema):
            raise decode.Unfit(why)
        found = decode.as_kind(action, {**tree, "apiVersion": kind.api_version, "kind": kind.kind})
        decode.judge(action, [*body.strict, *sorted(found.strict)], wanted)
    except decode.Unfit as error:
        raise unfit(printed(body.tree), str(error)) from error
    return found.object


def merged(action: Action, tree: Json) -> Json:
    """Return what an apply made as an object of its kind. Raises 500 for values that its types do not take."""
    try:
        return decode.as_kind(action, tree).object
    except decode.Unfit as error:
        kind, metadata = action.kind, tree["metadata"]
        said = f"{kind.group}/{kind.version}, Kind={kind.kind}"
        place = f"{metadata.get('namespace', '')}/{metadata.get('name', '')}; {said}"
        text = f"failed to convert new object ({place}) to proper version: unable to convert unstructured object to {said}: {error}"
        raise status.raw(text) from error


def unfit(shown: str, why: str) -> status.StatusError:
    """Return the failure of a patch whose result is not an object of its kind."""
    return status.invalid("", "", "", [fields.invalid("patch", shown, why)])

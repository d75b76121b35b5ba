"""PATCH: a change to an object in one of four formats (FK-160…FK-175, FK-204, FK-213…FK-215)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ....api import status
from ....api.kind import Kind
from ....api.outcome import Request
from ....api.steps import Steps
from ....api.versions import to_served_version
from ....base.json_types import Json
from ....meta import metadata
from ....patch.json import json_patch, merge_patch
from ....patch.strategic_merge import merging
from ...action import Action, Result
from ..writes import creating, field_owners, updating, written_metadata
from . import patch_body, patched_object

JSON_PATCH = "application/json-patch+json"
MERGE = "application/merge-patch+json"
STRATEGIC = "application/strategic-merge-patch+json"
APPLY = "application/apply-patch+yaml"


def patch(action: Action) -> Steps[Result]:
    """Change an object by one of the patch formats."""
    media = media_of(action.request)
    check_media(action.kind, media)
    # Options are judged by the format, as only an apply needs a manager.
    action = action.with_request_options("PatchOptions", apply=media == APPLY)
    if media == APPLY:
        return (yield from _apply(action))
    current = action.existing()
    # The stored object may be far larger than the patch.
    action = action.with_size(len(current.json()))
    obj = yield from action.compute_with_conversions(to_served_version, action.kind, current)
    new = yield from action.compute(_apply_format, action, media, obj)
    written_metadata.check_name(action, new)
    # A patch without a namespace gets that of the URL.
    new = written_metadata.set_namespace(action, new)
    # Defaults again, as the patch may have removed what had been filled in.
    new = yield from action.compute(action.kind.schema.default, new)
    return (yield from updating.replace_object(action, current, new))


def _apply_format(action: Action, media: str, obj: Json) -> Json:
    return _FORMATS[media](action, obj)


def patch_view(action: Action, old: Json) -> Json:
    """Return the result of a patch of a view of an object, such as a Scale."""
    media = media_of(action.request)
    if media != APPLY:
        return field_owners.update_owners(action, old, _FORMATS[media](action, old))
    return field_owners.apply_body(action, old, patch_body.apply_configuration(action).tree)


def is_apply(action: Action) -> bool:
    """Tell whether the request is a server-side apply."""
    return media_of(action.request) == APPLY


def media_of(request: Request) -> str:
    """Return the format of a patch, which is compared to the letter."""
    return request.headers.get("content-type", "").partition(";")[0].strip()


def check_media(kind: Kind, media: str) -> None:
    """Check that a kind takes a format of patches. Raises 415."""
    # A custom resource has no strategic merge: its types are not known to the patch library.
    if media == APPLY or (media in _FORMATS and not (media == STRATEGIC and kind.custom)):
        return
    if kind.custom:
        raise status.unsupported_media_type((JSON_PATCH, MERGE, APPLY))
    raise status.unsupported_patch_type()


def _json(action: Action, old: Json) -> Json:
    body = patch_body.operations(action)
    unknown = [f'json patch unknown field "{path}"' for path in json_patch.unknown_fields(body.tree)]
    try:
        json_patch.check_count(body.tree)
        tree = json_patch.apply(old, body.tree)
    except json_patch.PatchTooLarge as error:
        raise status.too_large(str(error)) from error
    except json_patch.PatchNotApplicable as error:
        action.trace.notes["not applicable"] = str(error)
        raise status.inapplicable_patch() from error
    return patched_object.decode(
        action,
        tree,
        (*body.strict, *unknown),
        lambda: json_patch.apply(patched_object.in_order(action.kind, old), body.tree),
    )


def _merge(action: Action, old: Json) -> Json:
    body = patch_body.merging(action)
    tree = merge_patch.apply(old, body.tree)
    return patched_object.decode(
        action,
        tree,
        body.strict,
        lambda: merge_patch.apply(
            patched_object.in_order(action.kind, old), patched_object.with_sorted_members(body.tree)
        ),
    )


def _strategic(action: Action, old: Json) -> Json:
    body = patch_body.strategic(action)
    try:
        tree = merging.apply(old, body.tree, action.kind.schema.structural)
    except merging.StrategicProblem as problem:
        raise _STRATEGIC_FAILURES[problem.kind](str(problem)) from problem
    return patched_object.restore(action, tree, body)


_FORMATS: Mapping[str, Callable[[Action, Json], Json]] = {
    JSON_PATCH: _json,
    MERGE: _merge,
    STRATEGIC: _strategic,
}
_STRATEGIC_FAILURES: Mapping[str, Callable[[str], status.StatusError]] = {
    "format": status.bad_request,
    "nesting": lambda _: status.inapplicable_patch(),
    "content": status.raw,
}


def _apply(action: Action) -> Steps[Result]:
    """Server-side apply; the only patch that makes an object when there is none (FK-213)."""
    current = action.current
    # Only the main resource is made by an apply.
    if current is None and action.info.subresource and not action.kind.strategy.create_on_update:
        raise status.not_found(action.kind, action.name)
    action = action.with_size(len(current.json())) if current else action
    live = (
        (yield from action.compute_with_conversions(to_served_version, action.kind, current))
        if current
        else None
    )
    body = yield from action.compute(patch_body.apply_configuration, action)
    # Applied before it is judged: conflicts come first (FK-215).
    new = yield from action.compute_with_conversions(field_owners.apply_body, action, live, body.tree)
    new = yield from action.compute(patched_object.merge, action, new, body.tree, live)
    patch_body.judge_applied(action, body)
    if current is None:
        return (yield from creating.create_decoded(action, _first(action, new), field_owners.as_applied))
    written_metadata.check_name(action, new)
    new = written_metadata.set_namespace(action, new)
    # An apply that changes nothing brings no defaults either.
    if _plain(new) != _plain(live):
        new = yield from action.compute(action.kind.schema.default, new)
    return (yield from updating.replace_object(action, current, new, field_owners.as_applied))


def _plain(obj: Json) -> Json:
    return metadata.with_metadata(obj, managedFields=None)


def _first(action: Action, new: Json) -> Json:
    """Return the first state of an object that an apply makes (FK-035)."""
    uid = new["metadata"].get("uid")
    # A uid promises that the object is there.
    if uid:
        why = f"uid mismatch: the provided object specified uid {uid}, and no existing object was found"
        raise status.conflict(action.kind, action.name, why)
    written_metadata.check_name(action, new)
    return written_metadata.tidy(action, updating.without_claims(action, new))

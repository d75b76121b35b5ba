"""PUT: a new state for an object, whole or one subresource of it (FK-100…FK-109)."""

from __future__ import annotations

from functools import partial
from typing import NoReturn

from msgspec import Struct
from msgspec.structs import replace

from ....api import options, status
from ....api.admission import Review
from ....api.kind import STATUS_LIKE
from ....api.steps import Steps
from ....api.versions import to_served_version
from ....base.json_types import Json
from ....base.numbers import integers
from ....meta import metadata
from ....patch.managed_fields.managers import with_old_times
from ....schema import fields
from ....store import Stored
from ...action import Action, Answer, Result, with_options
from . import (
    creating,
    custom_resources,
    decoding,
    namespace_termination,
    object_validation,
    storage,
    written_metadata,
)
from .field_owners import Paths, UpdateOwners, update_owners


class ObjectUpdate(Struct, frozen=True):
    """A stored object and its replacement, both in the version of the request."""

    current: Stored
    old: Json
    new: Json


@with_options("UpdateOptions")
def update(action: Action) -> Steps[Result]:
    """Replace an object, or its status, by the body of the request."""
    body = yield from action.compute(decoding.decode_body, action, custom_resources.current_object(action))
    new = written_metadata.set_namespace(action, body)
    written_metadata.check_name(action, new)
    current = action.current
    if current is None and not action.kind.strategy.create_on_update:
        raise status.not_found(action.kind, action.name)
    check_uid(action, new, current)
    if current is None:
        return (
            yield from creating.create_decoded(
                action, written_metadata.tidy(action, without_claims(action, new))
            )
        )
    new = yield from action.compute(action.kind.schema.default, new)
    return (yield from replace_object(action, current, new))


def replace_object(
    action: Action, current: Stored, new: Json, own: UpdateOwners = update_owners
) -> Steps[Result]:
    """Put a decoded object in the place of the stored one; patches come in here too."""
    change = yield from action.compute_with_conversions(with_owners, action, current, new, own)
    review = review_of(action, change.new, change.old)
    mutated = yield from action.admission.mutate(action.api, review)
    if mutated is not change.new:
        action = action.for_object(mutated)
    mutated = written_metadata.tidy_admitted(action, mutated, change.new)
    return (yield from commit(action, replace(change, new=mutated), review))


def with_owners(action: Action, current: Stored, new: Json, own: UpdateOwners) -> ObjectUpdate:
    """Return a change of a stored object with the owners of its fields. Raises NeedsConversion."""
    action.trace.manager, action.trace.dry_run = action.options.manager, action.options.dry_run
    old = to_served_version(action.kind, current)
    patched = action.request.method == "PATCH" and own is update_owners
    new = metadata.deduplicate_owners(new, action.warn, metadata.AFTER_ADMISSION if patched else "")
    new = metadata.for_update(new, old)
    return ObjectUpdate(current, old, own(action, old, new))


def without_claims(action: Action, new: Json) -> Json:
    """Return the first state of what a PUT or an apply makes, which the server gives its identity; the
    revision it claims shows in a dry run.

    Raises 500.
    """
    try:
        integers.parse_uint(new["metadata"].get("resourceVersion") or "0")
    except ValueError as error:
        raise status.raw(str(error)) from error
    claims = ["uid", "creationTimestamp", *([] if action.options.dry_run else ["resourceVersion"])]
    return metadata.with_metadata(new, **dict.fromkeys(claims))


def review_of(action: Action, new: Json, old: Json) -> Review:
    """Return what admission sees of an update."""
    return Review(
        operation="UPDATE",
        verb=action.info.verb,
        kind=action.kind,
        subresource=action.info.subresource,
        namespace=action.namespace,
        name=action.name,
        new=new,
        old=old,
        user=action.request.user,
        dry_run=action.options.dry_run,
        trace=action.trace,
        options=partial(options.as_object, action.request, "UpdateOptions"),
    )


def check_revision(action: Action, new: Json, current: Stored) -> None:
    """Check the resourceVersion the client has seen.

    Raises 409, 422 when there must be one, 500 when it is no number.
    """
    resource_version = new["metadata"].get("resourceVersion") or "0"
    try:
        revision = integers.parse_uint(resource_version)
    except ValueError as error:
        raise status.raw(str(error)) from error
    # Without a resourceVersion an update overwrites whatever is stored, which some kinds forbid.
    if revision == 0 and not action.kind.strategy.unconditional_update:
        why = fields.invalid("metadata.resourceVersion", 0, "must be specified for an update")
        raise status.invalid_resource(action.kind, action.name, [why])
    if revision not in {0, current.revision}:
        raise status.conflict(action.kind, action.name)


def check_uid(action: Action, new: Json, current: Stored | None) -> None:
    """Check that a new state is of the object that is there. Raises 409."""
    body_uid, stored_uid = new["metadata"].get("uid") or "", current.uid if current else ""
    if body_uid and body_uid != stored_uid:
        why = storage.uid_mismatch(action, body_uid, stored_uid, tried=action.options.dry_run)
        raise status.conflict(action.kind, action.name, why)


def _writable(action: Action, new: Json, old: Json) -> Json:
    """Return the new object with the stored parts that this endpoint does not write (FK-107)."""
    if action.info.subresource in STATUS_LIKE:
        return _only_status(new, old, action.kind.strategy.status_resets)
    if action.info.subresource == "finalize":
        return namespace_termination.only_finalizers(new, old)
    return _without_status(new, old, action)


def _only_status(new: Json, old: Json, resets: Paths) -> Json:
    members = {path[1] for path in resets if path[0] == "metadata" and len(path) > 1}
    restored = {name: old["metadata"].get(name) for name in members}
    if ("metadata",) in resets:
        restored = dict.fromkeys(new["metadata"]) | old["metadata"]
        restored["managedFields"] = new["metadata"].get("managedFields")
    base = metadata.with_metadata({**old, "metadata": new["metadata"]}, **restored)
    without_status = {key: value for key, value in base.items() if key != "status"}
    return {**without_status, "status": new["status"]} if "status" in new else without_status


def _without_status(new: Json, old: Json, action: Action) -> Json:
    if "status" not in action.kind.subresources:
        return new
    without_status = {key: value for key, value in new.items() if key != "status"}
    return {**without_status, "status": old["status"]} if "status" in old else without_status


def commit(action: Action, change: ObjectUpdate, review: Review) -> Steps[Result]:
    """Store an update after mutation; it must be of the stored revision, and valid. Raises 409, 422."""
    new = yield from _prepare(action, change, review)
    reviewed = replace(review, new=action.show(new))
    charge = yield from action.admission.validate(action.api, reviewed)
    draft = yield from action.to_store(new)
    if charge is not None:
        charge.check()
    final = _store(action, change.current, new, draft.object)
    if charge is not None:
        charge.note()
    if isinstance(final, Stored):
        return Answer(action, final)
    return (yield from action.compute(action.answer, final))


def _prepare(action: Action, change: ObjectUpdate, review: Review) -> Steps[Json]:
    """Return an update as its kind lets it happen. Raises 409, 422."""
    kind, old, dry_run = action.kind, change.old, action.options.dry_run
    check_revision(action, change.new, change.current)
    obj = metadata.with_metadata(change.new, resourceVersion=str(change.current.revision))
    new = _writable(action, obj, old)
    amend = (dry_run and kind.strategy.prepare_update_dry_run) or kind.strategy.prepare_update
    if review.subresource in STATUS_LIKE:
        amend = kind.strategy.prepare_status
    new = amend(new, old) if amend else new
    if review.subresource in STATUS_LIKE and kind.strategy.date_status:
        new = kind.strategy.date_status(new, old, metadata.timestamp(action.api.clock.now()))
    if review.subresource not in STATUS_LIKE:  # a status may bring annotations, which raise no generation
        new = metadata.with_generation(new, old, kind)
    yield from object_validation.check_update(action, review, new, old)
    return new


def _store(action: Action, current: Stored, new: Json, final: Json) -> Stored | Json:
    """Commit an update of what is still stored, and return what is answered: the stored object, or the last
    state of one that is gone. Nothing waits between that check and the commit.

    Raises 409, WriteConflict.
    """
    store, dry_run = action.api.store, action.options.dry_run
    if action.current is not current:
        _begin_again(action)
    final = metadata.with_metadata(final, resourceVersion=str(current.revision))
    final = with_old_times(final if dry_run else storage.without_self_link(final), current.object)
    if final == current.object:
        return current
    prepared = storage.prepare(action, current.name, final)
    if dry_run:
        return action.draft(final)
    # A deletion is told with what was stored, which still had the last finalizer (FK-109).
    event = store.remove(current) if _is_last(final) else store.put(prepared, expected=current)
    action.trace.events.append(event)
    if event.type == "DELETED":
        # The last state is not read back from the store.
        about = event.after.object["metadata"]
        return metadata.with_metadata(new, resourceVersion=about["resourceVersion"])
    return event.after


def _begin_again(action: Action) -> NoReturn:
    """Begin a write again that another one has overtaken, unless the client says which revision it changes.

    Raises 409, WriteConflict.
    """
    if b"resourceVersion" not in action.request.body:
        action.begin_again()
    raise status.conflict(action.kind, action.name)


def _is_last(final: Json) -> bool:
    """Whether nothing holds an object that is going (FK-109)."""
    about = final["metadata"]
    if "deletionTimestamp" not in about or about.get("deletionGracePeriodSeconds"):
        return False
    return not about.get("finalizers") and not namespace_termination.finalizers(final)

"""PUT: a new state for an object, whole or one subresource of it (FK-100…FK-109)."""

from __future__ import annotations

from typing import Any

from ..store import Conflict, Stored
from . import creating, decode, metadata, options, placement, status, validation
from .action import Action
from .admission import Review
from .options import WriteOptions
from .outcome import Outcome
from .ownership import Own, settled, updated
from .versions import served, stored

Json = Any


def update(action: Action) -> Outcome:
    """Replace an object, or its status, by the body of the request."""
    wanted = options.of_write(action.request, "UpdateOptions")
    action.encoder()
    new = placement.placed(action, decode.written(action, wanted))
    placement.check_name(action, new)
    current = action.current
    if current is None:
        if not action.kind.create_on_update or action.info.subresource:
            raise status.not_found(action.kind, action.name)
        return creating.admit_new(action, new, wanted)
    return replace_object(action, current, new, wanted)


def replace_object(
    action: Action, current: Stored, new: Json, wanted: WriteOptions, own: Own = updated
) -> Outcome:
    """Put a decoded object in the place of the stored one; patches come in here too."""
    kind = action.kind
    old = served(kind, current.object)
    check_revision(action, new, current)
    new = metadata.for_update(new, old)
    new = (
        _only_status(new, old, kind.custom)
        if action.info.subresource == "status"
        else _without_status(new, old, action)
    )
    new = kind.default(new) if kind.default else new
    new = own(action, old, new, wanted)
    review = Review(
        operation="UPDATE", kind=kind, subresource=action.info.subresource, namespace=action.namespace,
        name=action.name, new=new, old=old, user=action.request.user, dry_run=wanted.dry_run,
    )  # fmt: skip
    return action.api.admission.mutate(
        action.api, review, lambda admitted: _judge(action, current, admitted, review, wanted)
    )


def check_revision(action: Action, new: Json, current: Stored) -> None:
    """Check the resourceVersion the client has seen. Raises 409, 422 when there must be one."""
    said = new["metadata"].get("resourceVersion") or ""
    if said and said != "0" and said != str(current.revision):
        raise status.conflict(action.kind, action.name)


def _only_status(new: Json, old: Json, custom: bool) -> Json:
    owners = new["metadata"].get("managedFields")
    base = metadata.changed(old, managedFields=owners) if custom else {**old, "metadata": new["metadata"]}
    kept = {key: value for key, value in base.items() if key != "status"}
    return {**kept, "status": new["status"]} if "status" in new else kept


def _without_status(new: Json, old: Json, action: Action) -> Json:
    if "status" not in action.kind.subresources:
        return new
    kept = {key: value for key, value in new.items() if key != "status"}
    return {**kept, "status": old["status"]} if "status" in old else kept


def _judge(action: Action, current: Stored, new: Json, review: Review, wanted: WriteOptions) -> Outcome:
    kind, old = action.kind, review.old
    amend = kind.prepare_status if review.subresource == "status" else kind.prepare_update
    new = metadata.with_generation(amend(new, old) if amend else new, old, kind)
    errors = validation.of_update(action, new, old)
    if errors:
        raise status.invalid_object(kind, action.name, errors)
    return action.api.admission.validate(action.api, review, lambda: _commit(action, current, new, wanted))


def _commit(action: Action, current: Stored, new: Json, wanted: WriteOptions) -> Outcome:
    kind, store = action.kind, action.api.store
    final = metadata.changed(stored(kind, new), resourceVersion=str(current.revision))
    final = settled(final, current.object)
    if final == current.object:
        return action.answer(served(kind, current.object))
    gone = "deletionTimestamp" in final["metadata"] and not final["metadata"].get("finalizers")
    if wanted.dry_run:
        return action.answer(served(kind, final))
    try:
        event = (
            store.remove(current, final)
            if gone
            else store.commit(kind.stored_as, current.name, final, expected=current)
        )
    except Conflict as conflict:
        raise status.conflict(kind, action.name) from conflict
    action.trace.events.append(event)
    return action.answer(served(kind, event.after.object))

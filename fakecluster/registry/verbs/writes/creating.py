"""POST: a new object (FK-060…FK-084)."""

from __future__ import annotations

from functools import partial
from typing import Any

from msgspec.structs import replace

from ....api import options, status
from ....api.admission import Review
from ....api.kind import Kind
from ....api.steps import Steps
from ....meta import metadata, ownerrefs
from ....store import Conflict, Stored
from ....uids import uid as new_uid
from ...action import Action, Answer, Result, with_options
from . import (
    admitted_metadata,
    decoding,
    name_and_namespace,
    object_validation,
    storage,
    surrounding_namespace,
)
from .field_owners import Own, updated

Json = Any


@with_options("CreateOptions")
def create(action: Action) -> Steps[Result]:
    """Create an object from the body of the request."""
    new = name_and_namespace.placed(action, decoding.written(action), without=metadata.OWNED)
    return (yield from create_decoded(action, new))


def create_decoded(action: Action, new: Json, own: Own = updated) -> Steps[Result]:
    """Create a decoded object in its place; a PUT or an apply of an absent object comes in here too."""
    kind, wanted = action.kind, action.options
    action.trace.manager, action.trace.dry_run = wanted.manager, wanted.dry_run
    new = kind.schema.default(ownerrefs.deduplicated(new, action.warn))
    uid = new_uid(action.api.random)
    action.trace.name = new["metadata"].get("name", "")
    surrounding_namespace.check_exists(action, new)
    if kind.strategy.create_forbidden:
        raise status.forbidden(kind.group, kind.plural, action.trace.name, kind.strategy.create_forbidden)
    new = yield from action.converted(own, action, None, new)
    review = Review(
        operation="CREATE", kind=kind, subresource="", namespace=action.namespace, name=action.trace.name,
        new=new, old=None, user=action.request.user, dry_run=wanted.dry_run, trace=action.trace,
        asked=partial(options.shown, action.request, "CreateOptions"),
    )  # fmt: skip
    found = yield from action.admission.mutate(action.api, review)
    if found is not new:
        found = name_and_namespace.placed(action, admitted_metadata.metadata(action, found, new))
    new = _prepared(action, found, uid)
    seen = replace(review, new=new, name=action.trace.name)
    charge = yield from action.admission.validate(action.api, seen)
    storage.check_new(new, wanted.dry_run)
    final = yield from action.to_store(new)
    if charge is not None:
        charge.check()
    one = _store(action, final)
    if charge is not None:
        charge.note()
    return Answer(action, one, 201)


def _prepared(action: Action, new: Json, uid: str) -> Json:
    """Return an object as its kind lets it begin. Raises 422."""
    kind = action.kind
    new = name_and_namespace.named(action, metadata.born(new, kind, uid=uid, now=action.api.clock.now()))
    action.trace.name = new["metadata"].get("name", "")
    prepare = (action.options.dry_run and kind.strategy.prepare_dry_run) or kind.strategy.prepare
    new = prepare(new) if prepare else new
    errors = object_validation.of_new(action, new)
    if errors:
        raise status.invalid_object(kind, action.trace.name, errors)
    return new


def _store(action: Action, final: Json) -> Stored:
    """Commit an object whose name is free; nothing waits between that check and the commit. Raises 409."""
    kind, store, name = action.kind, action.api.store, (action.namespace, action.trace.name)
    prepared = storage.prepared(action, name, storage.unlinked(final))
    try:
        if action.options.dry_run:
            store.check(kind.stored_as, name, None)
            return action.draft(final)
        event = store.put(prepared, expected=None)
    except Conflict as found:
        raise _taken(kind, final, name[1], found.current) from found
    action.trace.events.append(event)
    return event.after


def _taken(kind: Kind, final: Json, name: str, there: Stored | None) -> status.StatusError:
    """Return the refusal of an object whose name another one has."""
    if final["metadata"].get("generateName"):
        return status.not_generated(kind, name)
    terminating = there is not None and "deletionTimestamp" in there.object["metadata"]
    return status.already_exists(kind, name, terminating=terminating)

"""POST: a new object (FK-060…FK-084)."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from ...api import options, status
from ...api.admission import Review
from ...api.options import WriteOptions
from ...api.outcome import Outcome
from ...api.versions import stored
from ...meta import metadata, ownerrefs
from ...store import Stored
from ...uids import uid as new_uid
from .. import decoding, namespaces, storage, validation
from ..action import Action
from . import placement, sound
from .ownership import Own, updated

Json = Any


def create(action: Action) -> Outcome:
    """Create an object from the body of the request."""
    wanted = options.of_write(action.request, "CreateOptions")
    new = placement.placed(action, metadata.posted(decoding.written(action, wanted)))
    return admit_new(action, new, wanted)


def admit_new(action: Action, new: Json, wanted: WriteOptions, own: Own = updated) -> Outcome:
    """Create a decoded object; a PUT or an apply of an absent object comes in here too."""
    kind = action.kind
    action.note(wanted)
    new = ownerrefs.deduplicated(new, action.warn)
    new = kind.defaulted(new)
    uid = new_uid(action.api.random)
    new = metadata.for_create(new, namespace=action.namespace)
    action.trace.name = new["metadata"].get("name", "")
    namespaces.check_exists(action, new)
    if kind.strategy.create_forbidden:
        raise status.forbidden(kind.group, kind.plural, action.trace.name, kind.strategy.create_forbidden)
    new = own(action, None, new, wanted)
    review = Review(
        operation="CREATE", kind=kind, subresource="", namespace=action.namespace, name=action.trace.name,
        new=new, old=None, user=action.request.user, dry_run=wanted.dry_run, trace=action.trace,
        asked=lambda: options.shown(action.request, "CreateOptions"),
    )  # fmt: skip
    return action.admission.mutate(
        action.api,
        review,
        lambda found: _judge(action, _admitted(action, review, found), uid, review, wanted),
    )


def _admitted(action: Action, review: Review, new: Json) -> Json:
    """Return the object as admission left it, in its place and with sound metadata. Raises 400."""
    return new if new is review.new else placement.placed(action, sound.metadata(action, new, review.new))


def _judge(action: Action, new: Json, uid: str, review: Review, wanted: WriteOptions) -> Outcome:
    kind = action.kind
    new = placement.named(action, metadata.born(new, kind, uid=uid, now=action.now))
    action.trace.name = new["metadata"].get("name", "")
    prepare = (wanted.dry_run and kind.strategy.prepare_dry_run) or kind.strategy.prepare
    new = prepare(new) if prepare else new
    errors = validation.of_new(action, new)
    if errors:
        raise status.invalid_object(kind, new["metadata"].get("name", ""), errors)
    shown = replace(review, new=new, name=action.trace.name)
    return action.admission.validate(action.api, shown, lambda: _commit(action, new, wanted))


def _commit(action: Action, new: Json, wanted: WriteOptions) -> Outcome:
    storage.check_new(new, wanted.dry_run)
    draft = action.draft(new)
    return action.step(lambda: _store(action, draft, wanted))


def _store(action: Action, draft: Stored, wanted: WriteOptions) -> Outcome:
    kind, store, name = action.kind, action.api.store, draft.name
    final = stored(kind, draft)
    prepared = store.prepare(kind.stored_as, name, metadata.unlinked(final))
    storage.check_size(prepared)
    there = store.get(kind.stored_as, name)
    if there is not None and final["metadata"].get("generateName"):
        raise status.not_generated(kind, name[1])
    if there is not None:
        terminating = "deletionTimestamp" in there.object["metadata"]
        raise status.already_exists(kind, name[1], terminating=terminating)
    if wanted.dry_run:
        return action.answer_of(action.draft(final), 201)
    event = store.put(prepared, expected=None)
    action.trace.events.append(event)
    return action.answer_of(event.after, 201)

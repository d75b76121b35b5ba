"""POST: a new object (FK-060…FK-084)."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from ....api import options, status
from ....api.admission import Review
from ....api.steps import Steps
from ....base.json_types import Json
from ....base.uids import uid as new_uid
from ....meta import metadata
from ...action import Action, Answer, Result, with_options
from . import decoding, object_validation, storage, written_metadata
from .field_owners import Own, updated


@with_options("CreateOptions")
def create(action: Action) -> Steps[Result]:
    """Create an object from the body of the request."""
    body = yield from action.computed(decoding.written, action)
    new = written_metadata.tidied(action, body, without=metadata.OWNED)
    return (yield from create_decoded(action, new))


def create_decoded(action: Action, new: Json, own: Own = updated) -> Steps[Result]:
    """Create a decoded object whose metadata is tidied;
    a PUT or an apply of an absent object comes in here too.
    """
    kind, wanted = action.kind, action.options
    action.trace.manager, action.trace.dry_run = wanted.manager, wanted.dry_run
    uid = new_uid(action.api.random)
    action.trace.name = new["metadata"].get("name", "")
    if kind.strategy.create_forbidden:
        raise status.forbidden(kind.group, kind.plural, action.trace.name, kind.strategy.create_forbidden)
    new = yield from action.converted(_owned, action, new, own)
    review = Review(
        operation="CREATE",
        verb=action.info.verb,
        kind=kind,
        subresource=action.info.subresource,
        namespace=action.namespace,
        name=action.trace.name,
        new=new,
        old=None,
        user=action.request.user,
        dry_run=wanted.dry_run,
        trace=action.trace,
        asked=partial(options.shown, action.request, "CreateOptions"),
    )
    found = yield from action.admission.mutate(action.api, review)
    if found is not new:
        action = action.writing(found)
    new = written_metadata.admitted(action, found, new)
    new = written_metadata.named(action, new)
    new = metadata.for_create(new, kind, uid=uid, current_time=action.api.clock.now())
    action.trace.name = new["metadata"].get("name", "")
    new = kind.strategy.prepare(new) if kind.strategy.prepare else new
    new = _allocated(action, new)
    yield from object_validation.check_new(action, review, new)
    charge = yield from action.admission.validate(
        action.api, replace(review, new=new, name=action.trace.name)
    )
    storage.check_no_revision(new, wanted.dry_run)
    draft = yield from action.to_store(new)
    if charge is not None:
        charge.check()
    one = storage.created(action, draft)
    if charge is not None:
        charge.note()
    return Answer(action, one, 201)


def _owned(action: Action, new: Json, own: Own) -> Json:
    """Return a new object with its defaults and their owners. Raises NeedsConversion."""
    return own(action, None, action.kind.schema.default(new))


def _allocated(action: Action, new: Json) -> Json:
    """Return a new object with what it is given; what is made through its status is given nothing."""
    strategy = action.kind.strategy
    allocate = (action.options.dry_run and strategy.allocate_dry_run) or strategy.allocate
    return allocate(new) if allocate and not action.info.subresource else new

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
from .field_owners import UpdateOwners, update_owners


@with_options("CreateOptions")
def create(action: Action) -> Steps[Result]:
    """Create an object from the body of the request."""
    body = yield from action.compute(decoding.decode_body, action)
    new = written_metadata.tidy(action, body, without=metadata.SERVER_FIELDS)
    return (yield from create_decoded(action, new))


def create_decoded(action: Action, new: Json, own: UpdateOwners = update_owners) -> Steps[Result]:
    """Create a decoded object whose metadata is tidied;
    a PUT or an apply of an absent object comes in here too.
    """
    kind, write_options = action.kind, action.options
    action.trace.manager, action.trace.dry_run = write_options.manager, write_options.dry_run
    uid = new_uid(action.api.random)
    action.trace.name = new["metadata"].get("name", "")
    if kind.strategy.create_forbidden:
        raise status.forbidden(kind.group, kind.plural, action.trace.name, kind.strategy.create_forbidden)
    new = yield from action.compute_with_conversions(_with_owners, action, new, own)
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
        dry_run=write_options.dry_run,
        trace=action.trace,
        options=partial(options.as_object, action.request, "CreateOptions"),
    )
    mutated = yield from action.admission.mutate(action.api, review)
    if mutated is not new:
        action = action.for_object(mutated)
    new = written_metadata.tidy_admitted(action, mutated, new)
    new = written_metadata.generate_name(action, new)
    new = metadata.for_create(new, kind, uid=uid, current_time=action.api.clock.now())
    action.trace.name = new["metadata"].get("name", "")
    new = kind.strategy.prepare(new) if kind.strategy.prepare else new
    new = _allocate(action, new)
    yield from object_validation.check_new(action, review, new)
    charge = yield from action.admission.validate(
        action.api, replace(review, new=new, name=action.trace.name)
    )
    storage.check_no_revision(new, write_options.dry_run)
    draft = yield from action.to_store(new)
    if charge is not None:
        charge.check()
    stored = storage.create(action, draft)
    if charge is not None:
        charge.note()
    return Answer(action, stored, 201)


def _with_owners(action: Action, new: Json, own: UpdateOwners) -> Json:
    """Return a new object with its defaults and their owners. Raises NeedsConversion."""
    return own(action, None, action.kind.schema.default(new))


def _allocate(action: Action, new: Json) -> Json:
    """Return a new object with allocated addresses and ports, which subresources do not allocate."""
    strategy = action.kind.strategy
    allocate = (action.options.dry_run and strategy.allocate_dry_run) or strategy.allocate
    return allocate(new) if allocate and not action.info.subresource else new

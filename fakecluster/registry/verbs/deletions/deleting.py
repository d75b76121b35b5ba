"""DELETE: the end of an object, or the beginning of its end (FK-110…FK-119)."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from ....api import status
from ....api.admission import NAMESPACES, Review
from ....api.kind import Kind
from ....api.outcome import Outcome, Response
from ....api.steps import PAUSE, Steps
from ....api.versions import to_served_version
from ....base.json_types import Json
from ....base.numbers.durations import wrap_to_64_bits
from ....meta import metadata
from ....meta.metadata import finalizers_of
from ....store import Event, Stored
from ...action import Action, Answer, Result
from ..reads import list_options, reading
from ..writes import field_owners, namespace_termination
from . import delete_options
from .delete_options import DeleteOptions

MAX_INT64 = 2**63 - 1
AT_ONCE = 50
"""Objects that are deleted before others are answered."""
BYTES_AT_ONCE = 1024 * 1024
"""Bytes of objects after which others are answered as well."""


class DeletionOutcome(Struct, frozen=True):
    """The outcome of a deletion: the object's next state, and whether it is removed."""

    object: Json
    gone: bool


def delete(action: Action) -> Steps[Result]:
    """Delete one object."""
    # Options first: wrong ones are refused even for an object that is absent.
    options = yield from action.compute(delete_options.of, action)
    namespace_termination.check_deletable(action)
    current = action.existing()
    # What is going already and gains nothing is not shown to admission.
    if not _is_pending(action.kind, current.object, options):
        yield from _admit(action, current, options)
        # Admission may have waited for webhooks, and the object may have changed.
        if action.existing() is not current:
            # What has changed meanwhile is admitted anew, unless that was done often enough.
            action.begin_again()
            current = action.existing()
    options.check(action.kind, current.object)
    fate, event = yield from _carry_out(action, current, options)
    return _answer(action, current, options, fate, event)


def delete_evicted(action: Action, options: DeleteOptions) -> None:
    """Delete one object without admission, as an eviction does, which was admitted itself."""
    current = action.existing()
    options.check(action.kind, current.object)
    # An eviction was admitted itself.
    fate = _fate(action, current.object, options)
    marked = _mark(action, current, fate) if _goes_in_two_steps(action.kind, current, fate, options) else None
    if marked is None:
        _commit(action, current, fate, options)
    else:
        _remove(action, marked, fate)


def delete_collection(action: Action) -> Steps[Outcome]:
    """Delete the selected objects of a collection, one after another;
    the answer shows them as they were (FK-118).
    """
    encoder = action.accepted
    query = list_options.of(action.request, action.kind, "list")
    options = yield from action.compute(delete_options.of, action)
    # What is deleted is listed in pages, whether the client asks for them or not.
    page = yield from reading.read_page(action, replace(query, limit=query.limit or MAX_INT64))
    if isinstance(page, Response):
        return page
    body = yield from reading.for_encoding(action, page).compute_with_conversions(
        reading.encode_page, action, encoder, page
    )
    count = size = 0
    for stored in page.objects:
        if count == AT_ONCE or size > BYTES_AT_ONCE:
            yield PAUSE
            count = size = 0
        count, size = count + 1, size + len(stored.json())
        # Each object is admitted, as if it were deleted alone.
        if not _is_pending(action.kind, stored.object, options):
            yield from _admit(action, stored, options)
        # Gone meanwhile is as good as deleted; changed meanwhile, its latest state goes.
        latest = action.api.store.get(stored.resource, stored.name)
        if latest is not None:
            options.check(action.kind, latest.object)
            yield from _carry_out(action, latest, options)
    return Response(code=200, body=body, content_type=encoder.content_type)


def _admit(action: Action, current: Stored, options: DeleteOptions) -> Steps[None]:
    options.check(action.kind, current.object)
    if options.silent and action.kind.strategy.delete_warning:
        action.warn(action.kind.strategy.delete_warning)
    uid = current.uid if action.kind.stored_as == NAMESPACES else ""
    old = yield from action.compute_with_conversions(to_served_version, action.kind, current)
    review = Review(
        operation="DELETE",
        verb=action.info.verb,
        kind=action.kind,
        subresource="",
        namespace=current.name[0],
        name=action.name,
        new=None,
        old=old,
        user=action.request.user,
        dry_run=options.dry_run,
        trace=action.trace,
        options=lambda: _with_grace_period(action.kind, current.object, options).as_object(uid),
    )
    yield from action.admit(review)


def _with_grace_period(kind: Kind, obj: Json, options: DeleteOptions) -> DeleteOptions:
    """Return options with the grace period of the object, as in the review of a deletion."""
    if not kind.strategy.graceful or "deletionTimestamp" in obj["metadata"]:
        return options
    return replace(options, grace=delete_options.period(obj, options))


def _is_pending(kind: Kind, obj: Json, options: DeleteOptions) -> bool:
    """Whether the grace period runs and is not shortened: the request changes nothing and skips admission."""
    return bool(
        kind.strategy.graceful
        and obj["metadata"].get("deletionGracePeriodSeconds")
        and delete_options.shorten(obj, options) is None
    )


def _carry_out(
    action: Action, current: Stored, options: DeleteOptions
) -> Steps[tuple[DeletionOutcome, Event | None]]:
    """Store the outcome of a deletion.

    What may take its time is told to go first, even when it has none left (FK-116).
    """
    fate = _fate(action, current.object, options)
    if not _goes_in_two_steps(action.kind, current, fate, options):
        return fate, _commit(action, current, fate, options)
    marked = _mark(action, current, fate)
    # Webhooks for DELETE are called for each of the two steps; a resourceVersion in the preconditions is that
    # of the first (FK-305).
    second_options = replace(_with_grace_period(action.kind, current.object, options), revision=None)
    yield from _admit(action, marked, second_options)
    return fate, _remove(action, marked, fate)


def _goes_in_two_steps(kind: Kind, current: Stored, fate: DeletionOutcome, options: DeleteOptions) -> bool:
    """Tell whether a deletion first marks the object and then removes it."""
    # A dry run has one step, as it stores nothing.
    return not options.dry_run and fate.gone and kind.strategy.graceful and fate.object != current.object


def _mark(action: Action, current: Stored, fate: DeletionOutcome) -> Stored:
    """Store an object with its deletionTimestamp."""
    marked = action.api.store.commit(current.resource, current.name, fate.object, expected=current)
    action.trace.events.append(marked)
    return marked.after


def _remove(action: Action, marked: Stored, fate: DeletionOutcome) -> Event | None:
    """Remove an object with a deletionTimestamp, unless it is removed already."""
    store = action.api.store
    latest = store.get(marked.resource, marked.name)
    # Another object of the name is not touched.
    if latest is None or latest.uid != marked.uid:
        return None
    event = store.remove(latest, fate.object)
    action.trace.events.append(event)
    return event


def _answer(
    action: Action, current: Stored, options: DeleteOptions, fate: DeletionOutcome, event: Event | None
) -> Result:
    kind = action.kind
    # An object that stays is answered as it is now, whatever the kind.
    if not fate.gone:
        last = event.after if event else action.draft(fate.object)
        # The deprecated `orphanDependents: false` is answered 202, as in Go's DeleteResource.
        return Answer(action, last, 202 if options.orphan is False else 200)
    if options.dry_run and not kind.strategy.graceful and finalizers_of(current.object):
        return action.answer(_empty_object(kind))
    # Most kinds answer with a Status; some, such as Pods, with the object.
    if kind.strategy.returns_deleted:
        # What takes its time is told as it went, everything else as it was.
        last = action.draft(fate.object if kind.strategy.graceful else current.object)
        return Answer(action, last)
    details = status.about(current.name[1], kind.group, kind.plural, uid=current.uid)
    return action.answer_status(status.success(details))


def _empty_object(kind: Kind) -> Json:
    """Return an object with nothing in it.

    That is how the real server shows what a deletion took the last finalizer off, when it was only tried.
    """
    type_meta = {"apiVersion": kind.api_version, "kind": kind.kind}
    return type_meta if kind.custom else {"metadata": {}, **field_owners.empty(kind), **type_meta}


def _commit(action: Action, current: Stored, fate: DeletionOutcome, options: DeleteOptions) -> Event | None:
    """Store the outcome; nothing when it changes nothing or is only tried."""
    # Repeating a deletion changes nothing, so no revision is written.
    if options.dry_run or (not fate.gone and fate.object == current.object):
        return None
    store = action.api.store
    event = (
        store.remove(current, fate.object)
        if fate.gone
        else store.commit(current.resource, current.name, fate.object, expected=current)
    )
    action.trace.events.append(event)
    return event


def _fate(action: Action, obj: Json, options: DeleteOptions) -> DeletionOutcome:
    """Return what becomes of an object (FK-112…FK-116)."""
    kind = action.kind
    if "deletionTimestamp" in obj["metadata"] and kind.strategy.graceful:
        shorter = delete_options.shorten(obj, options)
        obj = obj if shorter is None else shorter
        # Gone only by a request that shortens its time: a repeated one waits like the first.
        return DeletionOutcome(obj, _nothing_holds(obj) and shorter is not None)
    if kind.strategy.before_delete and "deletionTimestamp" in obj["metadata"]:
        obj = metadata.with_metadata(obj, deletionGracePeriodSeconds=0)
    elif kind.strategy.before_delete:
        obj = kind.strategy.before_delete(obj, metadata.timestamp(action.api.clock.now()))
    names = options.finalizers(kind, finalizers_of(obj))
    if names != finalizers_of(obj):
        obj = metadata.with_metadata(obj, finalizers=names or None)
    if kind.strategy.graceful:
        obj = _with_deletion_timestamp(action, obj, delete_options.period(obj, options))
        return DeletionOutcome(obj, _nothing_holds(obj))
    if _nothing_holds(obj):
        return DeletionOutcome(obj, gone=True)
    return DeletionOutcome(_with_deletion_timestamp(action, obj, 0), gone=False)


def _nothing_holds(obj: Json) -> bool:
    finalizers = finalizers_of(obj) or namespace_termination.finalizers(obj)
    return not finalizers and not obj["metadata"].get("deletionGracePeriodSeconds")


def _with_deletion_timestamp(action: Action, obj: Json, seconds: int) -> Json:
    """Return an object with deletionTimestamp and grace period."""
    if "deletionTimestamp" in obj["metadata"]:
        return obj
    when = metadata.timestamp(action.api.clock.now() + wrap_to_64_bits(seconds))
    if namespace_termination.is_namespace(obj):
        return namespace_termination.terminating(obj, when)
    # A deletion counts as a change of the spec where there is a generation.
    generation = obj["metadata"].get("generation")
    return metadata.with_metadata(
        obj,
        deletionTimestamp=when,
        deletionGracePeriodSeconds=seconds,
        generation=generation + 1 if generation else None,
    )

"""DELETE: the end of an object, or the beginning of its end (FK-110…FK-119)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ...api import status
from ...api.admission import NAMESPACES, Review
from ...api.kind import Kind
from ...api.outcome import Outcome, Pending, Response, then
from ...api.versions import ready, served
from ...meta import metadata
from ...meta.finalizers import of as finalizers_of
from ...numbers.durations import wrapped
from ...store import Event, Stored
from .. import namespaces
from ..action import Action
from . import deletion, graceful, listing, ownership, reading
from .deletion import DeleteOptions

Json = Any
WHOLE = 2**63 - 1


class Fate(Struct, frozen=True):
    """What a deletion makes of an object: its next state, and whether that is its last."""

    object: Json
    gone: bool


def delete(action: Action) -> Outcome:
    """Delete one object."""
    action.encoder()
    wanted = deletion.of(action)
    namespaces.check_deletable(action)
    current = action.existing()
    if _is_pending(action.kind, current.object, wanted):
        wanted.check(action.kind, current.object)
        return _answer(action, current, wanted)
    return _admitted(action, current, wanted, lambda: _unless_overtaken(action, current, wanted))


def delete_unasked(action: Action) -> Outcome:
    """Delete one object without admission, as an eviction does."""
    wanted = deletion.of(action)
    current = action.existing()
    wanted.check(action.kind, current.object)
    return _answer(action, current, wanted, asked=False)


def _unless_overtaken(action: Action, current: Stored, wanted: DeleteOptions) -> Outcome:
    """Delete what was admitted; what has changed meanwhile is admitted anew."""
    again = None if action.existing() is current else action.again()
    return again if again is not None else _answer(action, action.existing(), wanted)


def delete_collection(action: Action) -> Outcome:
    """Delete the selected objects of a collection, one after another; the answer shows them as they were (FK-118)."""
    encoder = action.encoder("list")
    asked = listing.of(action.request, action.kind, "list")
    wanted = deletion.of(action)

    def remove(found: list[Stored], metadata: Json) -> Outcome:
        ready(action.kind, found)
        body = encoder.list(action.kind, found, metadata)
        answer = Response(code=200, body=body, content_type=encoder.content_type)
        return _one_by_one(action, found, wanted, answer)

    # What is deleted is listed in pages, whether the client asks for them or not.
    return reading.paged(action, replace(asked, limit=asked.limit or WHOLE), remove)


def _one_by_one(action: Action, left: list[Stored], wanted: DeleteOptions, answer: Response) -> Outcome:
    for place, one in enumerate(left):
        remove = partial(_removed, action, one, wanted, answer)
        pending = _is_pending(action.kind, one.object, wanted)
        outcome = remove() if pending else _admitted(action, one, wanted, remove)
        if isinstance(outcome, Pending):
            rest = partial(_one_by_one, action, left[place + 1 :], wanted, answer)
            return then(outcome, partial(_regardless, rest))
    return answer


def _regardless(step: Callable[[], Outcome], outcome: Outcome) -> Outcome:
    del outcome
    return step()


def _removed(action: Action, one: Stored, wanted: DeleteOptions, answer: Response) -> Outcome:
    latest = action.api.store.get(one.resource, one.name)
    if latest is not None:
        wanted.check(action.kind, latest.object)
        return _carried_out(action, latest, wanted, lambda fate, event: answer)  # noqa: ARG005
    return answer


def _admitted(
    action: Action, current: Stored, wanted: DeleteOptions, proceed: Callable[[], Outcome]
) -> Outcome:
    wanted.check(action.kind, current.object)
    if wanted.silent and action.kind.strategy.delete_warning:
        action.warn(action.kind.strategy.delete_warning)
    uid = current.uid if action.kind.stored_as == NAMESPACES else ""
    review = Review(
        operation="DELETE", kind=action.kind, subresource="", namespace=current.name[0], name=action.name,
        new=None, old=served(action.kind, current), user=action.request.user, dry_run=wanted.dry_run,
        trace=action.trace, asked=lambda: _timed(action.kind, current.object, wanted).shown(uid),
    )  # fmt: skip
    return action.admitted(review, lambda _: proceed())


def _timed(kind: Kind, obj: Json, wanted: DeleteOptions) -> DeleteOptions:
    """Return options that say how much time there is, as they do once a deletion has begun."""
    if not kind.strategy.graceful or "deletionTimestamp" in obj["metadata"]:
        return wanted
    return replace(wanted, grace=graceful.period(obj, wanted))


def _is_pending(kind: Kind, obj: Json, wanted: DeleteOptions) -> bool:
    """Whether an object has time left and gets no less: nothing happens, and admission is not asked."""
    return bool(
        kind.strategy.graceful
        and obj["metadata"].get("deletionGracePeriodSeconds")
        and graceful.shortened(obj, wanted) is None
    )


def _answer(action: Action, current: Stored, wanted: DeleteOptions, *, asked: bool = True) -> Outcome:
    wanted.check(action.kind, current.object)
    return _carried_out(
        action, current, wanted, lambda fate, event: _told(action, current, wanted, fate, event), asked=asked
    )


def _carried_out(
    action: Action, current: Stored, wanted: DeleteOptions, done: Callable[[Fate, Event | None], Outcome],
    *, asked: bool = True,
) -> Outcome:  # fmt: skip
    """Take the steps of a deletion. What may take its time is told to go first, even when it has none left (FK-116)."""
    fate = _fate(action, current.object, wanted)
    store = action.api.store
    if wanted.dry_run or not (fate.gone and action.kind.strategy.graceful and fate.object != current.object):
        return done(fate, _commit(action, current, fate, wanted))
    marked = store.commit(current.resource, current.name, fate.object, expected=current)
    action.trace.events.append(marked)

    def remove() -> Outcome:
        latest = store.get(current.resource, current.name)
        if latest is None or latest.uid != current.uid:
            return done(fate, None)
        event = store.remove(latest, fate.object)
        action.trace.events.append(event)
        return done(fate, event)

    # Whoever is asked about deletions is asked about each step; a revision that was wanted is the one before (FK-305).
    again = replace(_timed(action.kind, current.object, wanted), revision=None)
    return _admitted(action, marked.after, again, remove) if asked else remove()


def _told(action: Action, current: Stored, wanted: DeleteOptions, fate: Fate, event: Event | None) -> Outcome:
    kind = action.kind
    if not fate.gone:
        last = event.after if event else action.draft(fate.object)
        return action.answer_of(last, 202 if wanted.orphan is False else 200)
    if wanted.dry_run and not kind.strategy.graceful and finalizers_of(current.object):
        return action.answer(_blank(kind))
    if kind.strategy.returns_deleted:
        # What takes its time is told as it went, everything else as it was.
        return action.answer_of(action.draft(fate.object if kind.strategy.graceful else current.object))
    details = status.about(current.name[1], kind.group, kind.plural, uid=current.uid)
    return action.answer_status(status.success(details))


def _blank(kind: Kind) -> Json:
    """Return an object with nothing in it.

    That is how the real server shows what a deletion took the last finalizer off, when it was only tried.
    """
    told = {"apiVersion": kind.api_version, "kind": kind.kind}
    return told if kind.custom else {"metadata": {}, **ownership.empty(kind), **told}


def _commit(action: Action, current: Stored, fate: Fate, wanted: DeleteOptions) -> Event | None:
    """Store the outcome; nothing when it changes nothing or is only tried."""
    if wanted.dry_run or (not fate.gone and fate.object == current.object):
        return None
    store = action.api.store
    event = (
        store.remove(current, fate.object)
        if fate.gone
        else store.commit(current.resource, current.name, fate.object, expected=current)
    )
    action.trace.events.append(event)
    return event


def _fate(action: Action, obj: Json, wanted: DeleteOptions) -> Fate:
    """Return what becomes of an object (FK-112…FK-116)."""
    kind = action.kind
    if "deletionTimestamp" in obj["metadata"] and kind.strategy.graceful:
        shorter = graceful.shortened(obj, wanted)
        obj = obj if shorter is None else shorter
        return Fate(obj, _nothing_holds(obj) and shorter is not None)
    if kind.strategy.before_delete and "deletionTimestamp" in obj["metadata"]:
        obj = metadata.changed(obj, deletionGracePeriodSeconds=0)
    elif kind.strategy.before_delete:
        obj = kind.strategy.before_delete(obj, metadata.timestamp(action.now))
    names = wanted.finalizers(kind, finalizers_of(obj))
    if names != finalizers_of(obj):
        obj = metadata.changed(obj, finalizers=names or None)
    if kind.strategy.graceful:
        obj = _marked(action, obj, graceful.period(obj, wanted))
        return Fate(obj, _nothing_holds(obj))
    if _nothing_holds(obj):
        return Fate(obj, gone=True)
    return Fate(_marked(action, obj, 0), gone=False)


def _nothing_holds(obj: Json) -> bool:
    held = finalizers_of(obj) or namespaces.finalizers(obj)
    return not held and not obj["metadata"].get("deletionGracePeriodSeconds")


def _marked(action: Action, obj: Json, seconds: int) -> Json:
    """Return an object that has been told to go."""
    if "deletionTimestamp" in obj["metadata"]:
        return obj
    when = metadata.timestamp(action.now + wrapped(seconds))
    if namespaces.is_one(obj):
        return namespaces.terminating(obj, when)
    generation = obj["metadata"].get("generation")
    return metadata.changed(
        obj, deletionTimestamp=when, deletionGracePeriodSeconds=seconds,
        generation=generation + 1 if generation else None,
    )  # fmt: skip

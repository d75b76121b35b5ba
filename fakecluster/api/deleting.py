"""DELETE: the end of an object, or the beginning of it (FK-110…FK-119)."""

from __future__ import annotations

from typing import Any

from ..store import Stored
from . import metadata, namespaces, selectors, status
from .action import Action
from .outcome import Outcome, Response
from .versions import served

Json = Any


def delete(action: Action) -> Outcome:
    """Delete one object."""
    action.encoder()
    namespaces.check_deletable(action)
    current = action.existing()
    return _delete(action, current)


def delete_collection(action: Action) -> Outcome:
    """Delete the selected objects of a collection, one by one."""
    encoder = action.encoder("list")
    kind, store = action.kind, action.api.store
    selection = selectors.of(action.request, kind)
    found = [
        one
        for one in store.list(kind.stored_as, namespace=action.namespace)
        if selection.matches(served(kind, one.object))
    ]
    for one in found:
        _delete(action, one)
    body = encoder.list(kind, found, {"resourceVersion": str(store.revision)})
    return Response(code=200, body=body, content_type=encoder.content_type)


def _delete(action: Action, current: Stored) -> Outcome:
    kind, store = action.kind, action.api.store
    found = current.object
    if kind.before_delete and "deletionTimestamp" not in found["metadata"]:
        found = kind.before_delete(found, metadata.timestamp(action.now))
    held = found["metadata"].get("finalizers") or _spec_finalizers(action, current)
    if not held:
        action.trace.events.append(store.remove(current))
        details = status.about(current.name[1], kind.group, kind.plural, uid=current.uid)
        return action.answer_status(status.success(details))
    if "deletionTimestamp" in current.object["metadata"]:
        return action.answer(served(kind, current.object))
    generation = current.object["metadata"].get("generation")
    marked = metadata.changed(
        found, deletionTimestamp=metadata.timestamp(action.now), deletionGracePeriodSeconds=0,
        generation=generation + 1 if generation else None,
    )  # fmt: skip
    if kind.stored_as == namespaces.NAMESPACES:
        marked = namespaces.terminating(current, marked)
    event = store.commit(kind.stored_as, current.name, marked, expected=current)
    action.trace.events.append(event)
    return action.answer(served(kind, event.after.object))


def _spec_finalizers(action: Action, current: Stored) -> Json:
    if action.kind.stored_as != namespaces.NAMESPACES:
        return None
    return current.object.get("spec", {}).get("finalizers")

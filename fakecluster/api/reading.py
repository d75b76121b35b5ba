"""GET: one object or a list of them (FK-130…FK-139, FK-147, FK-155)."""

from __future__ import annotations

from typing import Any

from . import selectors
from .action import Action
from .outcome import Outcome, Response
from .versions import served

Json = Any


def get(action: Action) -> Outcome:
    """Return one object."""
    action.encoder()
    return action.answer(served(action.kind, action.existing().object))


def list_(action: Action) -> Outcome:
    """Return the objects of a collection."""
    encoder = action.encoder("list")
    kind, store = action.kind, action.api.store
    selection = selectors.of(action.request, kind)
    found = [
        one
        for one in store.list(kind.stored_as, namespace=action.namespace)
        if selection.everything or selection.matches(served(kind, one.object))
    ]
    body = encoder.list(kind, found, {"resourceVersion": str(store.revision)})
    return Response(code=200, body=body, content_type=encoder.content_type)

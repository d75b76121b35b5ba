"""GET: one object or a list of them (FK-130…FK-139, FK-147, FK-155)."""

from __future__ import annotations

from typing import Any

from ...store import Expired, Stored
from .. import status
from ..action import Action
from ..outcome import Outcome, Response
from ..versions import ready, ready_to_list, served
from . import listing, paging
from .listing import ListOptions
from .paging import Position

Json = Any
EXACT_TOO_OLD = "The resourceVersion for the provided list is too old."


def get(action: Action) -> Outcome:
    """Return one object, not older than the revision asked for."""
    action.encoder()
    asked = action.request.option("resourceVersion") or ""
    if asked:
        check_reached(action, _number(asked))
    return action.answer_of(action.existing())


def list_(action: Action) -> Outcome:
    """Return the objects of a collection, or one page of them."""
    encoder = action.encoder("list")
    asked = listing.of(action.request, action.kind, "list")
    if not asked.limit:
        ready_to_list(action.kind, action.api.store)
    found, revision, position = _state(action, asked)
    found = selected(action, found, asked)
    metadata: dict[str, Json] = {"resourceVersion": str(revision)}
    if position is not None:
        found = [one for one in found if _key(action, one) > position.key]
    limit = 0 if asked.revision == "0" else asked.limit
    if 0 < limit < len(found):
        last = Position(revision, _key(action, found[limit - 1]))
        metadata["continue"] = last.token()
        if asked.selection.everything:
            metadata["remainingItemCount"] = len(found) - limit
        found = found[:limit]
    ready(action.kind, found)
    body = encoder.list(action.kind, found, metadata)
    return Response(code=200, body=body, content_type=encoder.content_type)


def selected(action: Action, found: list[Stored], asked: ListOptions) -> list[Stored]:
    """Return the objects that the selection matches."""
    if asked.selection.everything:
        return found
    ready(action.kind, found)
    return [one for one in found if asked.selection.matches(served(action.kind, one))]


def check_reached(action: Action, revision: int) -> None:
    """Check that the store is as far as the client has seen. Raises 504, at once: nobody else writes meanwhile."""
    current = action.api.store.revision
    if revision > current:
        raise status.too_large_revision(revision, current)


def _number(text: str) -> int:
    try:
        return listing.number(text)
    except ValueError as error:
        raise status.raw(str(listing.unreadable(text, error))) from error


def _state(action: Action, asked: ListOptions) -> tuple[list[Stored], int, Position | None]:
    """Return the objects of the revision asked for, that revision, and where to start."""
    store = action.api.store
    position = paging.parse(asked.token) if asked.token else None
    if position is not None and asked.revision not in {"", "0"}:
        raise status.bad_request("specifying resource version is not allowed when using continue")
    revision = _revision(action, asked, position)
    try:
        found = store.list(action.kind.stored_as, namespace=action.namespace, revision=revision)
    except Expired as error:
        raise paging.expired(position) if position else status.expired(EXACT_TOO_OLD) from error
    return found, store.revision if revision is None else revision, position


def _revision(action: Action, asked: ListOptions, position: Position | None) -> int | None:
    """Return the exact revision to show, None for the latest."""
    if position is not None:
        check_reached(action, position.revision)
        return None if position.revision < 0 else position.revision
    if not asked.revision:
        return None
    try:
        revision = listing.number(asked.revision)
    except ValueError as error:
        why = listing.unreadable(asked.revision, error)
        raise status.bad_request(f"invalid resource version: {why}") from error
    check_reached(action, revision)
    return revision if asked.exact else None


def _key(action: Action, stored: Stored) -> str:
    namespace, name = stored.name
    inside = action.namespace or not action.kind.namespaced
    return f"/{name}" if inside else f"/{namespace}/{name}"

"""GET: one object or a list of them (FK-130…FK-139, FK-147, FK-155)."""

from __future__ import annotations

from collections.abc import Hashable

from msgspec import Struct

from ....api import status
from ....api.encoding import Encoder
from ....api.outcome import Outcome, Response
from ....api.routes import flag
from ....api.steps import Steps
from ....api.versions import ready, ready_to_list, served, shown_at_all
from ....base.json_types import Json
from ....base.numbers import integers
from ....store import Expired, Stored
from ...action import Action, Answer, Result
from . import list_options, paging
from .freshness import wait_for
from .list_options import ListOptions
from .paging import Position

ENTRY_BYTES = 64
"""What an object counts as whose encoding is kept, or that is only looked at."""
EXACT_TOO_OLD = "The resourceVersion for the provided list is too old."


class Page(Struct, frozen=True):
    """Some objects of a collection, and the metadata of their list."""

    objects: list[Stored]
    metadata: dict[str, Json]


def get(action: Action) -> Steps[Result]:
    """Return one object, not older than the revision asked for."""
    if flag(action.request.option("export")):
        raise status.bad_request("the export parameter, deprecated since v1.14, is no longer supported")
    asked = action.request.option("resourceVersion") or ""
    if asked == "0" and action.kind.schema.converter is not None:
        yield from _check_cached(action)
    elif asked and (late := (yield from wait_for(action, _number(asked)))):
        return late
    current = action.existing()
    return Answer(action, current)


def _check_cached(action: Action) -> Steps[None]:
    """Check that an object can be converted; a cache has no others (FK-332). Raises 404."""
    found = [action.existing()]
    if not (yield from action.converted(shown_at_all, action.kind, found)):
        raise status.not_found(action.kind, action.name)


def list_(action: Action) -> Steps[Outcome]:
    """Return the objects of a collection, or one page of them."""
    encoder = action.accepted
    asked = list_options.of(action.request, action.kind, "list")
    if not asked.limit:
        yield from action.converted(ready_to_list, action.kind, action.api.store)
    page = yield from paged(action, asked)
    if isinstance(page, Response):
        return page
    body = yield from writing(action, page).converted(shown, action, encoder, page)
    whole = not asked.token and "continue" not in page.metadata and asked.selection.everything
    tag = _tag(action, encoder, page.metadata["resourceVersion"]) if whole else None
    return Response(code=200, body=body, content_type=encoder.content_type, tag=tag)


def writing(action: Action, page: Page) -> Action:
    """Return the action that encodes a page, sized by its objects: ENTRY_BYTES each where encodings are kept."""
    kept = action.accepted.is_timeless and action.kind.schema.converter is None
    sizes = (ENTRY_BYTES if kept else len(stored.json()) for stored in page.objects)
    return action.taking(sum(sizes))


def shown(action: Action, encoder: Encoder, page: Page) -> bytes:
    """Return a page as the client accepts it. Raises NeedsConversion."""
    ready(action.kind, page.objects)
    return encoder.list(action.kind, page.objects, page.metadata)


def paged(action: Action, asked: ListOptions) -> Steps[Page | Response]:
    """Return the objects of a collection that are asked for, or the answer of a request that was late.

    Raises 400, 410, 504.
    """
    position = paging.parse(asked.token) if asked.token else None
    if position is not None and asked.revision not in {"", "0"}:
        raise status.bad_request("specifying resource version is not allowed when using continue")
    wanted = _revision(asked, position)
    if late := (yield from wait_for(action, wanted)):
        return late
    found, revision = _state(action, asked, position, wanted)
    selecting = action.taking(len(found) * ENTRY_BYTES)
    return (yield from selecting.converted(_page, action, asked, position, found, revision))


def _page(
    action: Action, asked: ListOptions, position: Position | None, found: list[Stored], revision: int
) -> Page:
    if asked.revision == "0" and not asked.match:
        found = shown_at_all(action.kind, found)
    found = selected(action, found, asked)
    metadata: dict[str, Json] = {"resourceVersion": str(revision)}
    if position is not None:
        found = [one for one in found if not position.passed(_key(action, one))]
    limit = 0 if asked.revision == "0" else asked.limit
    if 0 < limit < len(found):
        last = Position(revision, _key(action, found[limit - 1]))
        metadata["continue"] = last.token()
        if asked.selection.everything:
            metadata["remainingItemCount"] = len(found) - limit
        found = found[:limit]
    return Page(found, metadata)


def _tag(action: Action, encoder: Encoder, revision: str) -> Hashable:
    """Return what the list of everything depends on; None when a webhook or the time of day has a say."""
    kind = action.kind
    if kind.schema.converter is not None or not encoder.is_timeless:
        return None
    return kind.api_version, kind.plural, action.namespace, encoder.content_type, revision


def selected(action: Action, found: list[Stored], asked: ListOptions) -> list[Stored]:
    """Return the objects that the selection matches."""
    if asked.selection.everything:
        return found
    ready(action.kind, found)
    return [one for one in found if asked.selection.matches(served(action.kind, one))]


def _number(text: str) -> int:
    try:
        return integers.parse_uint(text)
    except ValueError as error:
        raise status.raw(str(list_options.unreadable(text, error))) from error


def _state(
    action: Action, asked: ListOptions, position: Position | None, wanted: int
) -> tuple[list[Stored], int]:
    """Return the objects of the revision asked for, and that revision."""
    store = action.api.store
    revision = wanted if wanted > 0 and (position is not None or _is_exact(action, asked)) else None
    try:
        found = store.list(action.kind.stored_as, namespace=action.namespace, revision=revision)
    except Expired as error:
        raise paging.expired(position) if position else status.expired(EXACT_TOO_OLD) from error
    return found, store.revision if revision is None else revision


def _is_exact(action: Action, asked: ListOptions) -> bool:
    """Whether a revision is meant exactly: by word, or by a limit of more than one object (FK-136)."""
    if asked.match:
        return asked.match == "Exact"
    return asked.limit > 0 and not _names_one(action, asked)


def _names_one(action: Action, asked: ListOptions) -> bool:
    """Whether the fields let at most one object through, by its whole name."""
    only = asked.selection.only
    place = action.namespace or not action.kind.namespaced or only("metadata.namespace")
    return bool(place and only("metadata.name"))


def _revision(asked: ListOptions, position: Position | None) -> int:
    """Return the revision that the client names; not above 0 when it does not. Raises 400."""
    if position is not None:
        return position.revision
    if not asked.revision:
        return 0
    try:
        return integers.parse_uint(asked.revision)
    except ValueError as error:
        why = list_options.unreadable(asked.revision, error)
        raise status.bad_request(f"invalid resource version: {why}") from error


def _key(action: Action, stored: Stored) -> str:
    namespace, name = stored.name
    inside = action.namespace or not action.kind.namespaced
    return f"/{name}" if inside else f"/{namespace}/{name}"

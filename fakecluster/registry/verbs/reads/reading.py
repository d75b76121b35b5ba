"""GET: one object or a list of them (FK-130…FK-139, FK-147, FK-155)."""

from __future__ import annotations

from collections.abc import Hashable

from msgspec import Struct

from ....api import status
from ....api.encoding import Encoder
from ....api.outcome import Outcome, Response
from ....api.routes import flag
from ....api.steps import Steps
from ....api.versions import convertible_prefix, ready, ready_to_list, to_served_version
from ....base.json_types import Json
from ....base.numbers import integers
from ....store import Expired, Stored
from ...action import Action, Answer, Result
from . import list_options, paging
from .freshness import wait_for
from .list_options import ListOptions
from .paging import ContinuePosition

ENTRY_BYTES = 64
"""What an object counts as whose encoding is kept, or that is only looked at."""
EXACT_TOO_OLD = "The resourceVersion for the provided list is too old."


class ListPage(Struct, frozen=True):
    """Some objects of a collection, and the metadata of their list."""

    objects: list[Stored]
    metadata: dict[str, Json]


def get(action: Action) -> Steps[Result]:
    """Return one object, not older than the resourceVersion of the request."""
    if flag(action.request.option("export")):
        raise status.bad_request("the export parameter, deprecated since v1.14, is no longer supported")
    resource_version = action.request.option("resourceVersion") or ""
    # A read at 0 comes from a cache, which has no objects that could not be converted.
    if resource_version == "0" and action.kind.schema.converter is not None:
        yield from _check_cached(action)
    elif resource_version and (late := (yield from wait_for(action, _number(resource_version)))):
        return late
    current = action.existing()
    return Answer(action, current)


def _check_cached(action: Action) -> Steps[None]:
    """Check that an object can be converted; a cache has no others (FK-332). Raises 404."""
    objects = [action.existing()]
    if not (yield from action.compute_with_conversions(convertible_prefix, action.kind, objects)):
        raise status.not_found(action.kind, action.name)


def list_(action: Action) -> Steps[Outcome]:
    """Return the objects of a collection, or one page of them."""
    encoder = action.accepted
    options = list_options.of(action.request, action.kind, "list")
    # A list without a limit comes from the cache, which must have converted everything.
    if not options.limit:
        yield from action.compute_with_conversions(ready_to_list, action.kind, action.api.store)
    page = yield from read_page(action, options)
    if isinstance(page, Response):
        return page
    body = yield from for_encoding(action, page).compute_with_conversions(encode_page, action, encoder, page)
    # Only the list of everything is kept under a tag.
    is_complete = not options.token and "continue" not in page.metadata and options.selection.everything
    tag = _tag(action, encoder, page.metadata["resourceVersion"]) if is_complete else None
    return Response(code=200, body=body, content_type=encoder.content_type, tag=tag)


def for_encoding(action: Action, page: ListPage) -> Action:
    """Return the action that encodes a page, sized by its objects:
    ENTRY_BYTES each where encodings are kept.
    """
    is_cached = action.accepted.is_timeless and action.kind.schema.converter is None
    sizes = (ENTRY_BYTES if is_cached else len(stored.json()) for stored in page.objects)
    return action.with_size(sum(sizes))


def encode_page(action: Action, encoder: Encoder, page: ListPage) -> bytes:
    """Return a page as the client accepts it. Raises NeedsConversion."""
    ready(action.kind, page.objects)
    return encoder.list(action.kind, page.objects, page.metadata)


def read_page(action: Action, options: ListOptions) -> Steps[ListPage | Response]:
    """Return one page of a collection, or the answer to a resourceVersion that does not come in time.

    Raises 400, 410, 504.
    """
    position = paging.parse(options.token) if options.token else None
    # The token has the revision, so a second one would contradict it.
    if position is not None and options.revision not in {"", "0"}:
        raise status.bad_request("specifying resource version is not allowed when using continue")
    requested_revision = _revision(options, position)
    if late := (yield from wait_for(action, requested_revision)):
        return late
    objects, revision = _state(action, options, position, requested_revision)
    selecting = action.with_size(len(objects) * ENTRY_BYTES)
    return (
        yield from selecting.compute_with_conversions(_page, action, options, position, objects, revision)
    )


def _page(
    action: Action,
    options: ListOptions,
    position: ContinuePosition | None,
    objects: list[Stored],
    revision: int,
) -> ListPage:
    # At 0 the cache answers with what it could convert.
    if options.revision == "0" and not options.match:
        objects = convertible_prefix(action.kind, objects)
    objects = select(action, objects, options)
    metadata: dict[str, Json] = {"resourceVersion": str(revision)}
    if position is not None:
        objects = [stored for stored in objects if not position.has_passed(_key(action, stored))]
    # Lists at "0" come from the watch cache, which ignores limits.
    limit = 0 if options.revision == "0" else options.limit
    if 0 < limit < len(objects):
        last = ContinuePosition(revision, _key(action, objects[limit - 1]))
        metadata["continue"] = last.token()
        # With a selector the number of remaining items is not known to the database.
        if options.selection.everything:
            metadata["remainingItemCount"] = len(objects) - limit
        objects = objects[:limit]
    return ListPage(objects, metadata)


def _tag(action: Action, encoder: Encoder, revision: str) -> Hashable:
    """Return what the list of everything depends on; None when a webhook or the time of day has a say."""
    kind = action.kind
    if kind.schema.converter is not None or not encoder.is_timeless:
        return None
    return kind.api_version, kind.plural, action.namespace, encoder.content_type, revision


def select(action: Action, objects: list[Stored], options: ListOptions) -> list[Stored]:
    """Return the objects that the selection matches."""
    if options.selection.everything:
        return objects
    ready(action.kind, objects)
    return [stored for stored in objects if options.selection.matches(to_served_version(action.kind, stored))]


def _number(text: str) -> int:
    try:
        return integers.parse_uint(text)
    except ValueError as error:
        raise status.raw(str(list_options.unreadable(text, error))) from error


def _state(
    action: Action, options: ListOptions, position: ContinuePosition | None, requested_revision: int
) -> tuple[list[Stored], int]:
    """Return the objects of the requested revision, and that revision."""
    store = action.api.store
    revision = (
        requested_revision
        if requested_revision > 0 and (position is not None or _is_exact(action, options))
        else None
    )
    try:
        objects = store.list(action.kind.stored_as, namespace=action.namespace, revision=revision)
    except Expired as error:
        raise paging.expiry_error(position) if position else status.expired(EXACT_TOO_OLD) from error
    return objects, store.revision if revision is None else revision


def _is_exact(action: Action, options: ListOptions) -> bool:
    """Whether a revision is meant exactly: by word, or by a limit of more than one object (FK-136)."""
    if options.match:
        return options.match == "Exact"
    # A limit asks for an exact revision, as pages must fit together (FK-136).
    return options.limit > 0 and not _selects_one_name(action, options)


def _selects_one_name(action: Action, options: ListOptions) -> bool:
    """Whether the fields let at most one object through, by its whole name."""
    only = options.selection.value_of
    namespace = action.namespace or not action.kind.namespaced or only("metadata.namespace")
    return bool(namespace and only("metadata.name"))


def _revision(options: ListOptions, position: ContinuePosition | None) -> int:
    """Return the revision that the client names; not above 0 when it does not. Raises 400."""
    if position is not None:
        return position.revision
    if not options.revision:
        return 0
    try:
        return integers.parse_uint(options.revision)
    except ValueError as error:
        why = list_options.unreadable(options.revision, error)
        raise status.bad_request(f"invalid resource version: {why}") from error


def _key(action: Action, stored: Stored) -> str:
    namespace, name = stored.name
    inside = action.namespace or not action.kind.namespaced
    return f"/{name}" if inside else f"/{namespace}/{name}"

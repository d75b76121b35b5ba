"""GET with watch: the stored objects, then the events (FK-136…FK-146)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TypeVar

from msgspec.structs import replace

from ....api import status, websocket_request
from ....api.converter import ConversionFailed
from ....api.encoding import Encoder
from ....api.outcome import Outcome, Watch
from ....api.steps import Steps
from ....api.versions import ready, ready_to_list, to_served_version
from ....base.numbers import integers
from ....codec.partial import PARTIAL_LIST, PartialEncoder
from ....conversion import on_demand
from ....store import Stored
from ...action import Action
from . import list_options
from .freshness import wait_for
from .list_options import ListOptions
from .watched_events import WatchedEvents

T = TypeVar("T")
MIN_WATCH_SECONDS = 1800
"""Seconds a watch without a timeout lasts at least; a random share of as much again comes on top (FK-146)."""


def watch(action: Action) -> Steps[Outcome]:
    """Return the stream of a collection's events."""
    encoder = action.accepted
    if isinstance(encoder, PartialEncoder) and encoder.target_kind == PARTIAL_LIST:
        # A stream has no lists in it: the real server ends it at once (FK-021).
        return _stream_of(action, encoder)
    options = list_options.of(action.request, action.kind, "watch")
    yield from action.compute_with_conversions(ready_to_list, action.kind, action.api.store)
    since = _since(options)
    if action.name and not options.selection.names(action.name):
        raise status.bad_request("fieldSelector metadata.name doesn't match requested name")
    if options.timeout is not None and options.timeout < 0:
        return _stream_of(action, encoder)
    try:
        return (yield from _begin(action, options, encoder, since))
    except status.StatusError as error:
        # The stream has begun: what refuses it is an event (FK-141).
        return _stream_of(action, encoder, encoder.error(error.status))


def _stream_of(action: Action, encoder: Encoder, *frames: bytes) -> Watch:
    """Return a stream that ends behind its first frames."""
    return Watch(
        since=action.api.store.revision,
        initial=frames,
        frame=lambda _: None,
        served=lambda: False,
        content_type=encoder.content_type,
        websocket=_is_websocket(action),
    )


def _begin(action: Action, options: ListOptions, encoder: Encoder, since: int) -> Steps[Outcome]:
    """Return a stream from the stored objects, or from a revision."""
    legacy = options.initial_events is None and since == 0
    if not (options.initial_events or legacy):
        return _from_revision(action, options, encoder, since)
    if late := (yield from wait_for(action, since)):
        return late
    return _from_state(action, options, encoder)


def _from_state(action: Action, options: ListOptions, encoder: Encoder) -> Watch:
    stream = _stream(action, options, encoder, action.api.store.revision)
    present = _present(action)

    def frames() -> Iterator[bytes]:
        yield from stream.initial(present)
        if options.bookmarks:
            yield encoder.bookmark(stream.kind, stream.since, initial_end=True)

    def opening() -> Iterable[bytes]:
        ready(action.kind, present)
        for stored in present:
            to_served_version(action.kind, stored)
        return frames()

    if action.kind.schema.converter is None:
        return _watch(action, options, stream, frames())
    nothing: Iterable[bytes] = ()
    return replace(
        _watch(action, options, stream, nothing), opening=lambda: _convert_locally(action, opening, nothing)
    )


def _from_revision(action: Action, options: ListOptions, encoder: Encoder, since: int) -> Watch:
    store = action.api.store
    if since == 0:
        since = store.revision
    if since < store.oldest:
        raise status.too_old(since, store.oldest)
    return _watch(action, options, _stream(action, options, encoder, since), ())


def _watch(action: Action, options: ListOptions, stream: WatchedEvents, frames: Iterable[bytes]) -> Watch:
    frame = (
        stream.frame
        if action.kind.schema.converter is None
        else lambda event: _convert_locally(action, partial(stream.frame, event), None)
    )
    return Watch(
        since=stream.since,
        resource=action.kind.stored_as,
        initial=frames,
        frame=frame,
        view=stream.view,
        count=stream.count,
        bookmark=stream.bookmark if options.bookmarks else None,
        error=stream.encoder.error,
        deadline=action.api.clock.now()
        + (options.timeout or MIN_WATCH_SECONDS * (1 + action.api.random.random())),
        served=partial(_is_served, action) if action.kind.custom else None,
        content_type=stream.encoder.content_type,
        websocket=_is_websocket(action),
    )


def _is_websocket(action: Action) -> bool:
    return websocket_request.is_upgrade(action.request.all_headers)


def _is_served(action: Action) -> bool:
    kind = action.kind
    return action.api.registry.find(kind.group, kind.version, kind.plural) is not None


def _convert_locally(action: Action, make: Callable[[], T], nothing: T) -> T:
    """Return frames, or nothing of what this process cannot convert.

    Raises NeedsSteps when a webhook has to be asked first.
    """
    try:
        return on_demand.with_local_conversions(action.api.services, make)
    except (ConversionFailed, status.StatusError):
        return nothing


def _stream(action: Action, options: ListOptions, encoder: Encoder, since: int) -> WatchedEvents:
    where = (action.namespace, action.name)
    return WatchedEvents(action.kind, encoder, options.selection, *where, since, action.api.watched)


def _present(action: Action) -> list[Stored]:
    return action.api.store.list(action.kind.stored_as, namespace=action.namespace)


def _since(options: ListOptions) -> int:
    try:
        return integers.parse_uint(options.revision) if options.revision else 0
    except ValueError as error:
        raise status.raw(str(list_options.unreadable(options.revision, error))) from error

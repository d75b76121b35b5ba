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
from ....api.versions import ready, ready_to_list, served
from ....base.numbers import integers
from ....codec.partial import LIST, PartialEncoder
from ....conversion import on_demand
from ....store import Stored
from ...action import Action
from . import list_options
from .freshness import wait_for
from .list_options import ListOptions
from .watched_events import Stream

T = TypeVar("T")
SHORTEST = 1800
"""Seconds a watch without a timeout lasts at least; a random share of as much again comes on top (FK-146)."""


def watch(action: Action) -> Steps[Outcome]:
    """Return the stream of a collection's events."""
    encoder = action.accepted
    if isinstance(encoder, PartialEncoder) and encoder.target_kind == LIST:
        # A stream has no lists in it: the real server ends it at once (FK-021).
        return _stream_of(action, encoder)
    asked = list_options.of(action.request, action.kind, "watch")
    yield from action.converted(ready_to_list, action.kind, action.api.store)
    since = _since(asked)
    if action.name and not asked.selection.names(action.name):
        raise status.bad_request("fieldSelector metadata.name doesn't match requested name")
    if asked.timeout is not None and asked.timeout < 0:
        return _stream_of(action, encoder)
    try:
        return (yield from _begun(action, asked, encoder, since))
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


def _begun(action: Action, asked: ListOptions, encoder: Encoder, since: int) -> Steps[Outcome]:
    """Return a stream from the stored objects, or from a revision."""
    legacy = asked.initial_events is None and since == 0
    if not (asked.initial_events or legacy):
        return _from_revision(action, asked, encoder, since)
    if late := (yield from wait_for(action, since)):
        return late
    return _from_state(action, asked, encoder)


def _from_state(action: Action, asked: ListOptions, encoder: Encoder) -> Watch:
    stream = _stream(action, asked, encoder, action.api.store.revision)
    present = _present(action)

    def frames() -> Iterator[bytes]:
        yield from stream.initial(present)
        if asked.bookmarks:
            yield encoder.bookmark(stream.kind, stream.since, initial_end=True)

    def opening() -> Iterable[bytes]:
        ready(action.kind, present)
        for one in present:
            served(action.kind, one)
        return frames()

    if action.kind.schema.converter is None:
        return _watch(action, asked, stream, frames())
    nothing: Iterable[bytes] = ()
    return replace(_watch(action, asked, stream, nothing), opening=lambda: _shown(action, opening, nothing))


def _from_revision(action: Action, asked: ListOptions, encoder: Encoder, since: int) -> Watch:
    store = action.api.store
    if since == 0:
        since = store.revision
    if since < store.oldest:
        raise status.too_old(since, store.oldest)
    return _watch(action, asked, _stream(action, asked, encoder, since), ())


def _watch(action: Action, asked: ListOptions, stream: Stream, frames: Iterable[bytes]) -> Watch:
    frame = (
        stream.frame
        if action.kind.schema.converter is None
        else lambda event: _shown(action, partial(stream.frame, event), None)
    )
    return Watch(
        since=stream.since,
        resource=action.kind.stored_as,
        initial=frames,
        frame=frame,
        view=stream.view,
        count=stream.count,
        bookmark=stream.bookmark if asked.bookmarks else None,
        error=stream.encoder.error,
        deadline=action.api.clock.now() + (asked.timeout or SHORTEST * (1 + action.api.random.random())),
        served=partial(_served, action) if action.kind.custom else None,
        content_type=stream.encoder.content_type,
        websocket=_is_websocket(action),
    )


def _is_websocket(action: Action) -> bool:
    return websocket_request.is_upgrade(action.request.all_headers)


def _served(action: Action) -> bool:
    kind = action.kind
    return action.api.registry.find(kind.group, kind.version, kind.plural) is not None


def _shown(action: Action, make: Callable[[], T], nothing: T) -> T:
    """Return frames, or nothing of what this process cannot convert.

    Raises Unready when a webhook has to be asked first.
    """
    try:
        return on_demand.with_local_conversions(action.api.services, make)
    except (ConversionFailed, status.StatusError):
        return nothing


def _stream(action: Action, asked: ListOptions, encoder: Encoder, since: int) -> Stream:
    where = (action.namespace, action.name)
    return Stream(action.kind, encoder, asked.selection, *where, since, action.api.watched)


def _present(action: Action) -> list[Stored]:
    return action.api.store.list(action.kind.stored_as, namespace=action.namespace)


def _since(asked: ListOptions) -> int:
    try:
        return integers.parse_uint(asked.revision) if asked.revision else 0
    except ValueError as error:
        raise status.raw(str(list_options.unreadable(asked.revision, error))) from error

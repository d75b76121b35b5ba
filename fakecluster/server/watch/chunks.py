"""The store's events in chunks for watchers, each made once for all watchers of the same view (S3)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator

from msgspec import Struct, field

from ...api.outcome import Watch
from ...store import Event, Store
from .framing import CHUNKED, Framing

CHUNK_BYTES = 256 * 1024
"""Bytes after which a chunk ends: a watcher is written the next one when it has taken this one."""
MAX_BATCHES = 16
"""Batches kept for watchers that are equally far."""


class EventChunk(Struct, frozen=True):
    """Some events, one after another, as a watcher sees them."""

    data: bytes
    frames: int
    position: int
    """The revision up to which it goes."""
    last: Event | None = None
    """The last event in the chunk; None when the watcher sees none of its events."""
    failure: Exception | None = None
    """Why the event behind it cannot be shown, now or ever."""


class EventBatch(Struct, frozen=True):
    """All events after a revision, and the chunks that were made of them, by view."""

    since: int
    events: list[Event]
    resources: set[tuple[str, str]]
    unseen: EventChunk
    """What is written to watchers that see none of the events."""
    chunks: dict[Hashable, EventChunk] = field(default_factory=dict)

    @classmethod
    def of(cls, store: Store, since: int) -> EventBatch:
        """Return what happened after a revision. Raises Expired."""
        events = list(store.events(since))
        unseen = EventChunk(b"", 0, events[-1].revision if events else since)
        return cls(since, events, {event.resource for event in events}, unseen)

    def is_unseen_by(self, watch: Watch) -> bool:
        """Tell whether none of the events is of the watched resource."""
        return watch.resource is not None and watch.resource not in self.resources

    def next_chunk(self, watch: Watch, framing: Framing) -> EventChunk:
        """Return what a watcher is written next."""
        if self.is_unseen_by(watch):
            return self.unseen
        # A watch with a selector of its own shares its frames with no other.
        if watch.view is None:
            return cut(watch.frame, self.events, self.since, framing=framing)
        key = (watch.view, framing.name)
        if (chunk := self.chunks.get(key)) is None:
            chunk = self.chunks[key] = cut(watch.frame, self.events, self.since, framing=framing)
        return chunk


class EventBatches:
    """The newest batches of one store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._batches: dict[int, EventBatch] = {}
        self._until = store.revision

    def after(self, revision: int) -> EventBatch:
        """Return what happened after a revision until now. Raises Expired."""
        # A batch ends with the newest revision, so a write makes all of them old.
        if self._until != self._store.revision or len(self._batches) >= MAX_BATCHES:
            self._batches.clear()
            self._until = self._store.revision
        if (batch := self._batches.get(revision)) is None:
            batch = self._batches[revision] = EventBatch.of(self._store, revision)
        return batch


def cut(
    frame: Callable[[Event], bytes | None],
    events: Iterable[Event],
    position: int,
    size: int = CHUNK_BYTES,
    framing: Framing = CHUNKED,
) -> EventChunk:
    """Return the first chunk of some events: no more than one
    frame beyond a size, nothing behind what cannot be shown.
    """
    out, written, last, failure = [], 0, None, None
    for event in events:
        if written >= size:
            break
        try:
            shown = frame(event)
        except Exception as error:  # noqa: BLE001 - whatever it is, what came before is shown
            failure = error
            break
        if shown is not None:
            out.append(framing.wrap(shown))
            written, last = written + len(shown), event
        position = event.revision
    return EventChunk(b"".join(out), len(out), position, last, failure)


def join(frames: Iterator[bytes], framing: Framing, size: int = CHUNK_BYTES) -> bytes:
    """Return the next frames, no more than one beyond a size; empty at the end."""
    out, written = [], 0
    for frame in frames:
        out.append(framing.wrap(frame))
        written += len(frame)
        if written >= size:
            break
    return b"".join(out)

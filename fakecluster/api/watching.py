"""GET with watch: a stream of events (FK-136…FK-146)."""

from __future__ import annotations

from . import selectors
from .action import Action
from .outcome import Outcome, Watch
from .routes import flag
from .streams import Stream


def watch(action: Action) -> Outcome:
    """Return the stream of a collection's events."""
    encoder = action.encoder("watch")
    request, kind, store = action.request, action.kind, action.api.store
    asked = request.option("resourceVersion") or ""
    stream = Stream(kind, encoder, selectors.of(request, kind), action.namespace)
    initial = asked in {"", "0"} or flag(request.option("sendInitialEvents"))
    bookmarks = flag(request.option("allowWatchBookmarks"))
    frames = stream.initial(store.list(kind.stored_as, namespace=action.namespace)) if initial else ()
    if initial and bookmarks:
        frames = (*frames, encoder.bookmark(kind, store.revision, initial_end=True))
    return Watch(
        since=store.revision if initial else int(asked), initial=frames, frame=stream.frame,
        bookmark=stream.bookmark if bookmarks else None, content_type=encoder.content_type,
    )  # fmt: skip

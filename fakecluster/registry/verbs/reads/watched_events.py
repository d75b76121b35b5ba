"""What one watcher sees of the store's events: its kind, its namespace, its selection (FK-145, FK-151)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator

from msgspec import Struct, field
from msgspec.structs import replace

from ....api.encoding import Encoder
from ....api.kind import Kind
from ....api.versions import to_served_version
from ....store import Event, Stored
from ...selection.selectors import Selection


class WatchedEvents(Struct, frozen=True):
    """A watcher's view; `name` restricts it to one object, as the paths of old do (FK-002)."""

    kind: Kind
    encoder: Encoder
    selection: Selection
    namespace: str
    name: str
    since: int
    watched: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    """Counts what is sent, by kind."""

    def initial(self, items: Iterable[Stored]) -> Iterator[bytes]:
        """Yield the frames of the stored objects, each made when it is wanted."""
        for stored in items:
            if self._is_selected(stored):
                self.count(1)
                yield self._event("ADDED", stored)

    @property
    def view(self) -> Hashable:
        """A key that is equal for watches with the same frames; None when no other watch shares them."""
        if self.kind.schema.converter is not None or not self.selection.everything:
            return None
        return id(self.kind), id(self.encoder), self.namespace, self.name

    def count(self, frames: int) -> None:
        """Count frames that are sent."""
        if frames:
            self.watched[self.kind.group, self.kind.version, self.kind.plural] += frames

    def frame(self, event: Event) -> bytes | None:
        """Return the frame for an event, None when the watcher does not see it."""
        if event.resource != self.kind.stored_as or event.revision <= self.since:
            return None
        was = event.before is not None and self._is_selected(event.before)
        if event.type != "DELETED" and self._is_selected(event.after):
            return self._event("MODIFIED" if was else "ADDED", event.after)
        if not was:
            return None
        return self._event("DELETED", event.after if event.type == "DELETED" else _last_match(event))

    def bookmark(self, revision: int) -> bytes:
        """Return a bookmark's frame."""
        return self.encoder.bookmark(self.kind, revision, initial_end=False)

    def _event(self, type: str, stored: Stored) -> bytes:  # noqa: A002
        return self.encoder.event(self.kind, type, stored)

    def _is_selected(self, stored: Stored) -> bool:
        if self.namespace and stored.name[0] != self.namespace:
            return False
        if self.name and stored.name[1] != self.name:
            return False
        return self.selection.everything or self.selection.matches(to_served_version(self.kind, stored))


def _last_match(event: Event) -> Stored:
    """Return the object as it was when it stopped matching, at the revision at which it did."""
    before = event.before or event.after
    stored: Stored | None = before.cache.get(("left", event.revision))
    if stored is None:
        metadata = {**before.object["metadata"], "resourceVersion": str(event.revision)}
        obj = {**before.object, "metadata": metadata}
        # Kept, for what is converted is kept beside it.
        stored = replace(before, revision=event.revision, object=obj, cache={})
        before.cache["left", event.revision] = stored
    return stored

"""The newest known state of objects: from the informer, or from the controller's own later write."""

from __future__ import annotations

from ..api.resource import Json, Key, key_of
from .store import Store


class LatestObjects:
    """The answer to a write is here before its event:
    a write that starts from the store again would meet a conflict.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._written: dict[Key, Json] = {}

    def get(self, key: Key) -> Json | None:
        """Return the object as it was last seen or written, None when it is gone."""
        revision, written = self._store.get(key), self._written.get(key)
        # What the informer has is newer, or the same: our copy has done its duty.
        if revision is None or written is None or _revision(revision) >= _revision(written):
            self._written.pop(key, None)
            return revision
        return written

    def record_write(self, answer: Json) -> Json:
        """Note the server's answer to a write, and return it."""
        self._written[key_of(answer)] = answer
        return answer


def _revision(obj: Json) -> int:
    return int(obj["metadata"]["resourceVersion"])

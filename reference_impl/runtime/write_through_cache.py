"""What an informer has seen, and what its controller wrote
that is not seen yet: nothing is made twice meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..api.resource import Json, Key, key_of
from .informer import Informer
from .store import Indexer


class WriteThroughCache:
    """A view of an informer's store with the answers to our own writes.

    Each counts until the informer has come as far as its revision:
    then the store knows better, also of what went meanwhile.
    """

    def __init__(self, informer: Informer, index: str = "", indexer: Indexer | None = None) -> None:
        self._informer, self._store = informer, informer.store
        self._index, self._indexer = index, indexer
        self._written: dict[Key, Json] = {}
        self._found: dict[str, dict[Key, None]] = {}
        informer.add_handler(self._on_event)

    def record_write(self, answer: Json) -> Json:
        """Note the server's answer to a write, and return it."""
        key = key_of(answer)
        self._forget(key)
        if not self._is_seen(answer):
            self._written[key] = answer
            for value in self._values(answer):
                self._found.setdefault(value, {})[key] = None
        return answer

    def get(self, key: Key) -> Json | None:
        """Return the object as it was last seen or written."""
        return self._unseen(key) or self._store.get(key)

    def by_index(self, value: str) -> tuple[Json, ...]:
        """Return the objects found under a value of the index, those that were written last."""
        objects = {key_of(obj): obj for obj in self._store.by_index(self._index, value)}
        for key in tuple(self._found.get(value, ())):
            written = self._unseen(key)
            if written is not None:
                objects[key] = written
        return tuple(objects.values())

    def _unseen(self, key: Key) -> Json | None:
        written = self._written.get(key)
        if written is not None and self._is_seen(written):
            self._forget(key)
            return None
        return written

    def _is_seen(self, obj: Json) -> bool:
        # By the position of the informer and not by the object: it may be deleted
        # since, and never be seen.
        return self._informer.position >= _revision(obj)

    def _on_event(self, old: Json | None, new: Json | None) -> None:
        self._unseen(key_of(new or old))

    def _forget(self, key: Key) -> None:
        written = self._written.pop(key, None)
        if written is None:
            return
        for value in self._values(written):
            self._found[value].pop(key, None)
            if not self._found[value]:
                del self._found[value]

    def _values(self, obj: Json) -> Iterable[str]:
        return tuple(self._indexer(obj)) if self._indexer else ()


def _revision(obj: Json) -> int:
    return int(obj["metadata"]["resourceVersion"])

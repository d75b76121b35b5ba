"""What an informer knows: objects by key, with indexes that follow every change."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping

from ..api.resource import Json, Key

Indexer = Callable[[Json], Iterable[str]]


class Store:
    """A read-only view for everybody but its informer. Objects are never changed in place."""

    def __init__(self) -> None:
        self._objects: dict[Key, Json] = {}
        self._indexers: dict[str, Indexer] = {}
        self._indexes: dict[str, dict[str, dict[Key, None]]] = {}
        self._followers: list[set[Key]] = []
        self.changes = 0
        """How often it has changed: what was computed from it holds as long as this stays."""

    def __len__(self) -> int:
        return len(self._objects)

    def __iter__(self) -> Iterator[Json]:
        return iter(tuple(self._objects.values()))

    def items(self) -> tuple[tuple[Key, Json], ...]:
        """Return the objects with their keys."""
        return tuple(self._objects.items())

    def __contains__(self, key: object) -> bool:
        return key in self._objects

    def get(self, key: Key) -> Json | None:
        """Return the object, None when there is none."""
        return self._objects.get(key)

    def absent_from(self, keys: Container[Key]) -> tuple[Key, ...]:
        """Return the keys of the objects that `others` lack."""
        return tuple(key for key in self._objects if key not in keys)

    def follow(self) -> set[Key]:
        """Return a set of the keys there are, to which every key that changes is added; its reader takes out
        what it has read.
        """
        changed = set(self._objects)
        self._followers.append(changed)
        return changed

    def add_index(self, name: str, indexer: Indexer) -> None:
        """Keep an index: `indexer` names the values under which an object is found."""
        if self._indexers.setdefault(name, indexer) is not indexer:
            raise ValueError(f"there is another index named {name!r}")
        index = self._indexes.setdefault(name, {})
        for key, obj in self._objects.items():
            for value in indexer(obj):
                index.setdefault(value, {})[key] = None

    def by_index(self, name: str, value: str) -> tuple[Json, ...]:
        """Return the objects found under a value of an index, in the order they came."""
        return tuple(self._objects[key] for key in self._indexes[name].get(value, ()))

    def clear(self) -> None:
        """Forget every object. For the informer only."""
        self.changes += 1
        for changed in self._followers:
            changed.update(self._objects)
        self._objects.clear()
        for index in self._indexes.values():
            index.clear()

    def put(self, key: Key, obj: Json | None) -> Json | None:
        """Set or (None) remove an object and return the one that was there. For the informer only."""
        self.changes += 1
        for changed in self._followers:
            changed.add(key)
        old = self._objects.pop(key, None) if obj is None else self._objects.get(key)
        if obj is not None:
            self._objects[key] = obj
        for name, indexer in self._indexers.items():
            _reindex(self._indexes[name], key, indexer(old) if old else (), indexer(obj) if obj else ())
        return old


def _reindex(index: Mapping[str, dict[Key, None]], key: Key, old: Iterable[str], new: Iterable[str]) -> None:
    before, after = set(old), tuple(new)
    assert isinstance(index, dict)
    for value in before.difference(after):
        index[value].pop(key, None)
        if not index[value]:
            del index[value]
    for value in after:
        index.setdefault(value, {})[key] = None

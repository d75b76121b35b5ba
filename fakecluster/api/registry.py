"""Which kinds are served: rows by group, version and plural, cheap to copy for a fork (FK-495, FK-250)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from types import MappingProxyType

from .kind import Kind

Key = tuple[str, str, str]


class Registry:
    """The served kinds in order of registration.

    Every change makes a new mapping, so forks share until they differ.
    """

    def __init__(self, kinds: Iterable[Kind] = ()) -> None:
        self._kinds: Mapping[Key, Kind] = MappingProxyType({})
        self.generation = 0
        self.register(kinds)

    def find(self, group: str, version: str, plural: str) -> Kind | None:
        """Return the row of a served resource, None when there is none."""
        return self._kinds.get((group, version, plural))

    def register(self, kinds: Iterable[Kind]) -> None:
        """Serve kinds; a row of the same group, version and plural is replaced in its place."""
        added = {(kind.group, kind.version, kind.plural): kind for kind in kinds}
        self._replace({**self._kinds, **added})

    def unregister(self, group: str, plural: str) -> None:
        """Stop serving a resource in all its versions."""
        self._replace(
            {key: kind for key, kind in self._kinds.items() if (kind.group, kind.plural) != (group, plural)}
        )

    def kinds(self) -> tuple[Kind, ...]:
        """Return every row."""
        return tuple(self._kinds.values())

    def groups(self) -> tuple[str, ...]:
        """Return the names of the groups, the core group as the empty string."""
        return tuple(dict.fromkeys(kind.group for kind in self._kinds.values()))

    def versions(self, group: str) -> tuple[str, ...]:
        """Return the served versions of a group."""
        return tuple(dict.fromkeys(kind.version for kind in self._kinds.values() if kind.group == group))

    def of_group(self, group: str, version: str) -> tuple[Kind, ...]:
        """Return the kinds of one group and version."""
        return tuple(kind for kind in self._kinds.values() if (kind.group, kind.version) == (group, version))

    def of_kind(self, api_version: str, kind: str) -> Kind | None:
        """Return the row for `apiVersion` and `kind` as an object carries them."""
        return self._named.get((api_version, kind))

    def of_stored(self, resource: tuple[str, str]) -> tuple[Kind, ...]:
        """Return every row that serves the objects stored under a group and plural."""
        return self._stored.get(resource, ())

    def is_builtin(self, group: str) -> bool:
        """Whether the group belongs to the server itself,
        so that its unknown paths answer with a Status (FK-004).
        """
        return any(kind.group == group and not kind.custom for kind in self._kinds.values())

    def fork(self) -> Registry:
        """Return a registry of its own with the same rows."""
        child = Registry()
        child._kinds, child.generation = self._kinds, self.generation
        child._named, child._stored = self._named, self._stored
        return child

    def _replace(self, kinds: Mapping[Key, Kind]) -> None:
        self._kinds = MappingProxyType(dict(kinds))
        self._named: Mapping[tuple[str, str], Kind] = {
            (row.api_version, row.kind): row for row in reversed([*kinds.values()])
        }
        self._stored: Mapping[tuple[str, str], tuple[Kind, ...]] = {
            resource: tuple(rows)
            for resource, rows in groupby(sorted(kinds.values(), key=_storage_key), key=_storage_key)
        }
        self.generation += 1


def _storage_key(row: Kind) -> tuple[str, str]:
    return row.stored_as

"""The one order of revisions that observations add up to."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from ..base.json_types import Json
from .observations import History, Key, Selector, key_of, revision_of
from .violation import Violation

ONE_REVISION = "one revision, one state"


class Version(Struct, frozen=True):
    """The state of an object from a revision on; `object` is its last state where it was removed."""

    revision: int
    object: Json
    is_removal: bool
    source: str

    @property
    def key(self) -> Key:
        """The namespace and name of the object."""
        return key_of(self.object)


class Timeline:
    """Every version that was seen, in order of revision."""

    def __init__(self, versions: Sequence[Version]) -> None:
        self.versions = sorted(versions, key=lambda version: version.revision)
        self._by_key: dict[Key, list[Version]] = {}
        for version in self.versions:
            self._by_key.setdefault(version.key, []).append(version)

    def at(self, key: Key, revision: int) -> Version | None:
        """Return the version of an object at a revision, None where it was not there yet."""
        versions = self._by_key.get(key, [])
        index = bisect_right(versions, revision, key=lambda version: version.revision)
        return versions[index - 1] if index else None

    def live(self, key: Key, revision: int) -> Version | None:
        """Return the version of an object that was there at a revision, None where none was."""
        version = self.at(key, revision)
        return None if version is None or version.is_removal else version

    def next_after(self, version: Version) -> Version | None:
        """Return the version of the same object that came after this one."""
        versions = self._by_key[version.key]
        index = versions.index(version) + 1
        return versions[index] if index < len(versions) else None

    def first(self, key: Key) -> Version | None:
        """Return the first version of an object."""
        return next(iter(self._by_key.get(key, ())), None)

    def state(self, revision: int, selector: Selector) -> Mapping[Key, Version]:
        """Return the objects that a selector matches at a revision."""
        live = ((key, self.live(key, revision)) for key in sorted(self._by_key))
        return {key: version for key, version in live if version and selector.matches(version.object)}

    def between(self, since: int, until: int) -> Sequence[Version]:
        """Return what happened after one revision, and not after another."""
        return [version for version in self.versions if since < version.revision <= until]


def build(history: History) -> tuple[Timeline, Sequence[Violation]]:
    """Return the timeline of a history, and the revisions of which two states were seen."""
    by_revision: dict[int, Version] = {}
    violations: list[Violation] = []
    for version in _versions(history):
        first = by_revision.setdefault(version.revision, version)
        if (first.key, first.is_removal, first.object) == (version.key, version.is_removal, version.object):
            continue
        evidence = [f"{state.source}: {describe(state)}" for state in (first, version)]
        violations.append(Violation(ONE_REVISION, f"revision {version.revision} has two states", evidence))
    return Timeline(list(by_revision.values())), violations


def describe(version: Version) -> str:
    """Return a version in a few words."""
    namespace, name = version.key
    labels = version.object["metadata"].get("labels") or {}
    removal = " removed" if version.is_removal else ""
    return f"{namespace}/{name} at {version.revision}{removal} labels {dict(labels)} data {version.object.get('data')}"


def _versions(history: History) -> Iterator[Version]:
    for item in history.initial:
        yield Version(revision_of(item), item, False, "the state at the start")
    for write in history.writes:
        client = write.span.client if write.span else "the journal"
        yield Version(write.revision, write.object, write.is_removal, f"a write of {client}")
    for listed in history.lists:
        for item in listed.items:
            yield Version(revision_of(item), item, False, f"a list of {listed.span.client}")
    for get in history.gets:
        if get.object is not None:
            yield Version(revision_of(get.object), get.object, False, f"a get of {get.span.client}")
    for watch in history.watches:
        for event in watch.events:
            if event.type in ("ADDED", "MODIFIED"):
                yield Version(event.revision, event.object, False, f"a watch of {watch.client}")
            elif event.type == "DELETED" and watch.selector == Selector():
                # Of a selector it may be an object that only stopped to match.
                yield Version(event.revision, event.object, True, f"a watch of {watch.client}")

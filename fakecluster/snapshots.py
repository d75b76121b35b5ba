"""States of a cluster in files, and what is different between two of them (F-04).

A file is JSON, one object a line, packed with gzip: a head, then everything that is stored. History is not kept.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
from msgspec import Struct
from rpds import HashTrieMap

from .store import Name, Resource, Snapshot, State, Stored

Json = Any
FORMAT = {"fakecluster": "snapshot", "format": 1}


class SnapshotError(ValueError):
    """A file that is no snapshot; the text says what was expected."""


class Difference(Struct, frozen=True, kw_only=True):
    """One object that two states have unlike; None where it is absent."""

    resource: Resource
    name: Name
    before: Json
    after: Json


def difference(before: Snapshot, after: Snapshot) -> tuple[Difference, ...]:
    """Return what was added, changed or removed, in order of resource and name."""
    old, new = _objects(before.state), _objects(after.state)
    unlike = sorted(key for key in old.keys() | new.keys() if old.get(key) is not new.get(key))
    return tuple(
        Difference(resource=resource, name=name, before=was and was.object, after=now and now.object)
        for resource, name in unlike
        for was, now in [(old.get((resource, name)), new.get((resource, name)))]
    )


def save(snapshot: Snapshot, path: Path) -> None:
    """Write a state to a file. Raises OSError."""
    lines = [
        orjson.dumps({**FORMAT, "revision": snapshot.revision}),
        *map(_line, _objects(snapshot.state).values()),
    ]
    path.write_bytes(gzip.compress(b"\n".join(lines) + b"\n", mtime=0))


def load(path: Path) -> Snapshot:
    """Read a state from a file. Raises OSError, SnapshotError."""
    try:
        head, *lines = [orjson.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
    except (ValueError, EOFError, gzip.BadGzipFile) as error:
        raise SnapshotError(f"{path} is no snapshot: {error}; expected a file that save() wrote") from error
    if not isinstance(head, dict) or {**head, "revision": 0} != {**FORMAT, "revision": 0}:
        raise SnapshotError(f"{path} begins with {head!r}: expected {FORMAT}")
    return Snapshot(head["revision"], _state(_stored(line) for line in lines))


def _objects(state: State) -> dict[tuple[Resource, Name], Stored]:
    return {(resource, name): one for resource, bucket in state.items() for name, one in bucket.items()}


def _line(one: Stored) -> bytes:
    group, plural = one.resource
    return orjson.dumps(
        {
            "group": group,
            "resource": plural,
            "namespace": one.name[0],
            "revision": one.revision,
            "object": one.object,
        }
    )


def _stored(line: Json) -> Stored:
    name = (line["namespace"], line["object"]["metadata"]["name"])
    return Stored((line["group"], line["resource"]), name, line["revision"], line["object"])


def _state(found: Iterator[Stored]) -> State:
    state: State = HashTrieMap()
    for one in found:
        state = state.insert(one.resource, state.get(one.resource, HashTrieMap()).insert(one.name, one))
    return state

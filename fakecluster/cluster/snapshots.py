"""States of a cluster in files, and the difference between two of them (F-04).

A file is JSON, one object a line, packed with gzip:
a head, then everything that is stored. History is not kept.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import msgspec
import orjson
from msgspec import Meta, Struct
from rpds import HashTrieMap

from ..base import files
from ..base.json_types import Json
from ..store import Name, Resource, Snapshot, State, Stored

Revision = Annotated[int, Meta(ge=0)]
FORMAT = {"fakecluster": "snapshot", "format": 1}


class SnapshotError(ValueError):
    """A file that is no snapshot; the text says what was expected."""


class Head(Struct, frozen=True, kw_only=True):
    """The first line of a file."""

    fakecluster: str = ""
    format: int = 0
    revision: Revision


class Line(Struct, frozen=True, kw_only=True):
    """One object with its place."""

    group: str
    resource: str
    namespace: str
    revision: Revision
    object: dict[str, Json]


class ObjectDifference(Struct, frozen=True, kw_only=True):
    """One object that two states have unlike; None where it is absent."""

    resource: Resource
    name: Name
    before: Json
    after: Json


def difference(before: Snapshot, after: Snapshot) -> tuple[ObjectDifference, ...]:
    """Return what was added, changed or removed, in order of resource and name."""
    old, new = _objects(before.state), _objects(after.state)
    # By identity: stored objects never change, and forks share them.
    differing = sorted(key for key in old.keys() | new.keys() if old.get(key) is not new.get(key))
    return tuple(
        ObjectDifference(
            resource=resource,
            name=name,
            before=old_stored and old_stored.object,
            after=new_stored and new_stored.object,
        )
        for resource, name in differing
        for old_stored, new_stored in [(old.get((resource, name)), new.get((resource, name)))]
    )


def save(snapshot: Snapshot, path: Path) -> None:
    """Write a state to a file that its owner alone may read: values of Secrets are in it unredacted.

    Raises OSError.
    """
    lines = [
        orjson.dumps({**FORMAT, "revision": snapshot.revision}),
        *map(_line, _objects(snapshot.state).values()),
    ]
    # Without the time of packing: equal states are equal files.
    files.write(path, gzip.compress(b"\n".join(lines) + b"\n", mtime=0), private=True)


def load(path: Path) -> Snapshot:
    """Read a state from a file. Raises OSError, SnapshotError."""
    data = path.read_bytes()
    try:
        first, *lines = gzip.decompress(data).splitlines()
        head = msgspec.json.decode(first, type=Head)
        stored_objects = [_stored_of_line(msgspec.json.decode(line, type=Line)) for line in lines]
    except (ValueError, EOFError, OSError, RecursionError, zlib.error, msgspec.MsgspecError) as error:
        # All of what gzip, zlib and the decoder raise for a file that is none.
        raise SnapshotError(f"{path} is no snapshot: {error}; expected a file that save() wrote") from error
    if {"fakecluster": head.fakecluster, "format": head.format} != FORMAT:
        raise SnapshotError(f"{path} begins with {first[:100].decode('utf-8', 'replace')}: expected {FORMAT}")
    return Snapshot(head.revision, _state(stored_objects))


def _objects(state: State) -> dict[tuple[Resource, Name], Stored]:
    return {(resource, name): stored for resource, bucket in state.items() for name, stored in bucket.items()}


def _line(stored: Stored) -> bytes:
    group, plural = stored.resource
    return orjson.dumps(
        {
            "group": group,
            "resource": plural,
            "namespace": stored.name[0],
            "revision": stored.revision,
            "object": stored.object,
        }
    )


def _stored_of_line(line: Line) -> Stored:
    metadata = line.object.get("metadata")
    name = metadata.get("name") if isinstance(metadata, dict) else None
    if not isinstance(name, str) or not name:
        raise SnapshotError(f"an object of {line.resource} has no metadata.name")
    return Stored((line.group, line.resource), (line.namespace, name), line.revision, line.object)


def _state(stored_objects: Iterable[Stored]) -> State:
    state: State = HashTrieMap()
    for stored in stored_objects:
        state = state.insert(
            stored.resource, state.get(stored.resource, HashTrieMap()).insert(stored.name, stored)
        )
    return state

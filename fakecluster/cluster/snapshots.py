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
    """Write a state to a file that its owner alone may read: values of Secrets are in it unredacted.

    Raises OSError.
    """
    lines = [
        orjson.dumps({**FORMAT, "revision": snapshot.revision}),
        *map(_line, _objects(snapshot.state).values()),
    ]
    files.write(path, gzip.compress(b"\n".join(lines) + b"\n", mtime=0), private=True)


def load(path: Path) -> Snapshot:
    """Read a state from a file. Raises OSError, SnapshotError."""
    data = path.read_bytes()
    try:
        first, *lines = gzip.decompress(data).splitlines()
        head = msgspec.json.decode(first, type=Head)
        found = [_stored(msgspec.json.decode(line, type=Line)) for line in lines]
    except (ValueError, EOFError, OSError, RecursionError, zlib.error, msgspec.MsgspecError) as error:
        raise SnapshotError(f"{path} is no snapshot: {error}; expected a file that save() wrote") from error
    if {"fakecluster": head.fakecluster, "format": head.format} != FORMAT:
        raise SnapshotError(f"{path} begins with {first[:100].decode('utf-8', 'replace')}: expected {FORMAT}")
    return Snapshot(head.revision, _state(found))


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


def _stored(line: Line) -> Stored:
    metadata = line.object.get("metadata")
    name = metadata.get("name") if isinstance(metadata, dict) else None
    if not isinstance(name, str) or not name:
        raise SnapshotError(f"an object of {line.resource} has no metadata.name")
    return Stored((line.group, line.resource), (line.namespace, name), line.revision, line.object)


def _state(found: Iterable[Stored]) -> State:
    state: State = HashTrieMap()
    for one in found:
        state = state.insert(one.resource, state.get(one.resource, HashTrieMap()).insert(one.name, one))
    return state

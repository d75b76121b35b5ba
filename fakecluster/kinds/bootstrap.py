"""Objects that every cluster has from the start: namespaces, priority classes, flow control, default roles,
the Service of the server (FK-346, FK-390, FK-495, FK-499, FK-520). `bootstrap.jsonl` lists them, one a line,
as a v1.36 server shows them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from random import Random

import orjson

from ..api.kind import Kind
from ..api.registry import Registry
from ..base.json_types import Json
from ..base.uids import uid as new_uid
from ..gotypes.typed import decode
from ..meta import metadata
from ..store import Store
from . import BUILTIN_KINDS


def populate(
    store: Store,
    registry: Registry,
    random: Random,
    current_time: float,
    extra_objects: tuple[Json, ...] = (),
) -> None:
    """Store the objects of every kind that is served, and `more`; an object that exists already stays."""
    for kind, obj in (*_objects(), *map(_complete, extra_objects)):
        if registry.find(kind.group, kind.version, kind.plural) is not None:
            add(store, kind, obj, random, current_time)


def of_group(registry: Registry, group: str) -> Iterator[tuple[Kind, Json]]:
    """Yield the objects of a group that is served, with their rows."""
    for kind, obj in _objects():
        if kind.group == group and registry.find(kind.group, kind.version, kind.plural) is not None:
            yield kind, obj


def add(store: Store, kind: Kind, obj: Json, random: Random, current_time: float) -> None:
    """Store one object unless it is there already."""
    namespace = obj["metadata"].get("namespace", "")
    name = (namespace, obj["metadata"]["name"])
    if store.get(kind.stored_as, name) is not None:
        return
    uid = new_uid(random)
    new = metadata.for_create(
        metadata.with_metadata(obj, namespace=namespace or None), kind, uid=uid, current_time=current_time
    )
    store.commit(
        kind.stored_as, name, _with_condition_times(new, metadata.timestamp(current_time)), expected=None
    )


def _with_condition_times(obj: Json, current_time: str) -> Json:
    """Return the object with the present as the time of its conditions."""
    conditions = obj.get("status", {}).get("conditions")
    if not conditions:
        return obj
    dated = [{**condition, "lastTransitionTime": current_time} for condition in conditions]
    return {**obj, "status": {**obj["status"], "conditions": dated}}


@cache
def _objects() -> tuple[tuple[Kind, Json], ...]:
    """Return every object as decoding and defaulting leave it, with its row; made once for all clusters."""
    text = Path(__file__).with_name("bootstrap.jsonl").read_bytes()
    return tuple(_complete(orjson.loads(line)) for line in text.splitlines())


def _complete(line: Json) -> tuple[Kind, Json]:
    """Return the row of a built-in object and the object as decoding and defaulting leave it."""
    type_meta = (line["apiVersion"], line["kind"])
    kind = _rows()[type_meta]
    obj = decode(kind, line).object
    return kind, kind.schema.default(obj)


@cache
def _rows() -> Mapping[tuple[str, str], Kind]:
    return {(kind.api_version, kind.kind): kind for kind in BUILTIN_KINDS}

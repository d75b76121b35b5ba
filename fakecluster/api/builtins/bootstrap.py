"""Objects that every cluster has from the start: namespaces, priority classes, flow control, default roles
(FK-346, FK-390, FK-499, FK-520). `bootstrap.jsonl` lists them, one a line, as a v1.36 server shows them.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from random import Random
from typing import Any

import orjson

from ...store import Store
from .. import metadata
from ..kinds import Kind
from ..registry import Registry
from .typed import decode

Json = Any


def populate(
    store: Store, registry: Registry, random: Random, now: float, more: tuple[Json, ...] = ()
) -> None:
    """Store the objects of every kind that is served, and `more`; what is there already stays."""
    for line in (*_lines(), *more):
        kind = registry.of_kind(line["apiVersion"], line["kind"])
        if kind is not None:
            _add(store, kind, line, random, now)


def _add(store: Store, kind: Kind, line: Json, random: Random, now: float) -> None:
    namespace = line["metadata"].get("namespace", "")
    name = (namespace, line["metadata"]["name"])
    if store.get(kind.stored_as, name) is not None:
        return
    obj = metadata.for_create(
        _complete(kind, line), kind, namespace=namespace, uid=metadata.new_uid(random), now=now
    )
    store.commit(kind.stored_as, name, _dated(obj, metadata.timestamp(now)), expected=None)


def _complete(kind: Kind, line: Json) -> Json:
    """Return the object as decoding and defaulting leave it."""
    obj = decode(kind, line).object
    return kind.default(obj) if kind.default else obj


def _dated(obj: Json, now: str) -> Json:
    """Return the object with the present as the time of its conditions."""
    conditions = obj.get("status", {}).get("conditions")
    if not conditions:
        return obj
    dated = [{**one, "lastTransitionTime": now} for one in conditions]
    return {**obj, "status": {**obj["status"], "conditions": dated}}


@cache
def _lines() -> tuple[Json, ...]:
    text = resources.files(__package__).joinpath("bootstrap.jsonl").read_bytes()
    return tuple(orjson.loads(line) for line in text.splitlines())

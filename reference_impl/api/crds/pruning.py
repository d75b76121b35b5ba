"""Leaves out what a dialect's schema does not declare: an apply with an unknown field is refused (AC-220)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from ..kinds import WORKLOADS
from ..resource import Json
from .definitions import definitions


def prune(value: Json, schema: Json) -> Json:
    """Return the value with declared fields only."""
    if isinstance(value, dict):
        properties, rest = schema.get("properties", {}), schema.get("additionalProperties")
        return {
            name: prune(below, properties.get(name) or rest)
            for name, below in value.items()
            if name in properties or rest is not None
        }
    if isinstance(value, list):
        return [prune(item, schema.get("items", {})) for item in value]
    return value


def workload_status(dialect: str) -> Callable[[Json], Json]:
    """Return what brings the status of a Workload into a dialect's shape."""
    return lambda status: prune(status, _status_schema(dialect))


@cache
def _status_schema(dialect: str) -> Json:
    names = {definition["metadata"]["name"]: definition for definition in definitions(dialect)}
    version = names[str(WORKLOADS)]["spec"]["versions"][0]
    return version["schema"]["openAPIV3Schema"]["properties"]["status"]

"""The types of built-in objects, from the generated data file (FK-495, FK-502).

`schemas` are OpenAPI forms by short message name (`core.v1.PodSpec`), `$ref`s pointing into the same mapping.
`go_fields` is what only Go knows of a message: names and types of its fields, and when an encoder omits them.
"""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import orjson

from ..api.kind import Kind
from ..base.json_types import Json
from ..schema.structural import Structural


@cache
def _data() -> Mapping[str, Json]:
    # Packed and read once: the facts of all kinds are megabytes of JSON.
    packed = Path(__file__).with_name("types.json.gz").read_bytes()
    content: Mapping[str, Json] = orjson.loads(gzip.decompress(packed))
    return content


@cache
def structural(message: str) -> Structural:
    """Return the type of a message, such as `apps.v1.Deployment`."""
    return Structural.of({"$ref": message}, schemas())


def schemas() -> Mapping[str, Json]:
    """Return all OpenAPI forms by message name."""
    forms: Mapping[str, Json] = _data()["schemas"]
    return forms


def go_fields(message: str) -> Mapping[str, tuple[str, str, str]]:
    """Return `{json name: (Go name, Go type, flag)}` of a message, in the order of declaration."""
    fields: Mapping[str, tuple[str, str, str]] = _data()["go"][message]
    return fields


def has_fields(message: str) -> bool:
    """Tell whether a message is a struct with fields of its own."""
    return message in _data()["go"]


def underlying_type(go_type: str) -> str:
    """Return what a named Go type that is no struct stands for."""
    return str(_data()["named"][go_type])


def is_named(go_type: str) -> bool:
    """Tell whether a Go type is a named one that is no struct."""
    return go_type in _data()["named"]


def enumeration(go_type: str) -> list[str]:
    """Return the values of a named Go type that is an enumeration, in order; none of any other."""
    values: list[str] = _data()["enumerations"].get(go_type, [])
    return values


def union(message: str) -> str | None:
    """Return the field that says which field of a union is meant, empty where none does; None of a message
    that is no union.
    """
    field: str | None = _data()["unions"].get(message)
    return field


def message_of(kind: Kind) -> str:
    """Return the message name of a built-in kind, such as `batch.v1.Job`."""
    return message_name(kind.group, kind.version, kind.kind)


def message_name(group: str, version: str, kind: str) -> str:
    """Return the message name of the built-in kind of a group and version."""
    return f"{group.partition('.')[0] or 'core'}.{version}.{kind}"

"""The fields of every message by number, from the generated data file (spec/apiserver §2.7)."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import orjson
from msgspec import Struct

INLINED_NAME = "~"
KINDS_OF_EVERY_VERSION = frozenset(
    {
        "APIGroup",
        "APIGroupList",
        "APIResourceList",
        "APIVersions",
        "CreateOptions",
        "DeleteOptions",
        "GetOptions",
        "ListOptions",
        "PartialObjectMetadata",
        "PartialObjectMetadataList",
        "PatchOptions",
        "Status",
        "UpdateOptions",
    }
)
"""Kinds that are the same message whatever apiVersion they carry."""


class Field(Struct, frozen=True):
    """One field: its JSON name, its type, whether it repeats or is a map, and whether its zero value is kept.

    `pointer` fields are written only when they are there, others always.
    """

    name: str
    type: str
    repeated: bool = False
    mapping: bool = False
    writes_zero: bool = False
    pointer: bool = False

    @classmethod
    def of(cls, name: str, type: str, flags: str) -> Field:  # noqa: A002
        """Read the notation `[]T`, `{}T`, `T` and the flags `?`, `!`."""
        repeated, mapping = type.startswith("[]"), type.startswith("{}")
        bare = type[2:] if repeated or mapping else type
        return cls(name, bare, repeated, mapping, writes_zero=bool(flags), pointer="?" in flags)


@cache
def fields_of(message: str) -> Mapping[int, Field]:
    """Return the fields of a message by number."""
    return {number: Field.of(name, kind, flags) for number, name, kind, flags in _messages()[message]}


def message_for(api_version: str, kind: str) -> str:
    """Return the message of a kind, empty when the table has none."""
    group, _, version = api_version.rpartition("/")
    name = (
        f"meta.v1.{kind}"
        if kind in KINDS_OF_EVERY_VERSION
        else f"{group.partition('.')[0] or 'core'}.{version}.{kind}"
    )
    return name if name in _messages() else ""


@cache
def _messages() -> Mapping[str, Any]:
    # Packed and read when first needed: most clusters see no protobuf.
    packed = Path(__file__).with_name("fields.json.gz").read_bytes()
    content: Mapping[str, Any] = orjson.loads(gzip.decompress(packed))
    return content

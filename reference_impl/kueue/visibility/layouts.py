"""How a list is written in each representation: what stands before,
between and after its items (VIS-209, VIS-221, VC-15).

A list is laid out item by item, so that a long one never has to be built at once (VIS-958).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

import orjson

from .negotiation import Format, MediaType
from .serialization import go_json, go_yaml

EMPTY_YAML: Final = b"items: []\n"
EMPTY_INDENTED: Final = b"]\n}"


@dataclass(frozen=True, slots=True)
class Layout:
    """A representation of a list: `item` turns an item in compact JSON into it,
    `at_once` of them take some milliseconds.
    """

    before: bytes
    between: bytes
    after: bytes
    item: Callable[[bytes], bytes]
    at_once: int


def layout_of(media_type: MediaType, head: Mapping[str, Any]) -> Layout:
    """Return how a list is written whose document,
    with `items` empty and last, is `head`; it is JSON or YAML.
    """
    if media_type.format is Format.YAML:
        before, _, after = go_yaml(head).partition(EMPTY_YAML)
        return Layout(before + b"items:\n", b"", after, _in_yaml, 20)
    if media_type.pretty:
        before = go_json(head, indented=True).removesuffix(EMPTY_INDENTED)
        return Layout(before + b"\n    ", b",\n    ", b"\n  ]\n}", _indent, 100)
    return Layout(go_json(head).removesuffix(b"]}"), b",", b"]}\n", bytes, 125)


def empty(media_type: MediaType, head: Mapping[str, Any]) -> bytes:
    """Return a list without items."""
    if media_type.format is Format.YAML:
        return go_yaml(head)
    return go_json(head, indented=True) if media_type.pretty else go_json(head) + b"\n"


async def laid_out(items: Iterator[bytes], layout: Layout) -> bytearray | None:
    """Write a list of items in compact JSON, None when there is no item; others may run in between."""
    body = bytearray()  # grows in place, where a join would copy all of it at once
    while chunk := layout.between.join(map(layout.item, islice(items, layout.at_once))):
        if body:
            await asyncio.sleep(0)
        body += layout.between if body else layout.before
        body += chunk
    if not body:
        return None
    body += layout.after
    return body


def _in_yaml(item: bytes) -> bytes:
    return go_yaml([orjson.loads(item)])


def _indent(item: bytes) -> bytes:
    """Line breaks inside of strings are escaped: every one of these begins a line."""
    return go_json(orjson.loads(item), indented=True).replace(b"\n", b"\n    ")

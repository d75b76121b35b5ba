"""Bad values, and how a good document is spoiled by them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from random import Random

from fakecluster.base.json_types import Json

NASTY: Sequence[Json] = (
    None, True, False, 0, -1, 1, 2**31, 2**63, 2**64, -(2**63) - 1, 0.5, 1e308, "", " ", "a", "A", "\x00", "\n", "🦄", "é" * 80,
    "a" * 300, "..", "../../etc/passwd", "%2e%2e", "a/b", "a.b", "$patch", "$(x)", "1", "1Ki", "1e99", "-5m", "100%", "0001-01-01T00:00:00Z",
    "2026-01-01T00:00:00Z", "not-a-time", "(a+)+$", "[", "^(", "self.x", "true", "self.all(x, x)", [], {}, [None], [[]], {"": None}, ["a", "a"],
    {"a": {"b": {"c": {}}}}, [{"name": "a"}, {"name": "a"}], {"apiVersion": "v1", "kind": "List", "items": []},
)  # fmt: skip
KEYS = (
    "name",
    "namespace",
    "labels",
    "annotations",
    "finalizers",
    "ownerReferences",
    "managedFields",
    "uid",
    "resourceVersion",
    "generateName",
    "deletionTimestamp",
    "creationTimestamp",
    "spec",
    "status",
    "metadata",
    "kind",
    "apiVersion",
    "data",
    "items",
    "$patch",
    "$retainKeys",
    "$setElementOrder/containers",
    "$deleteFromPrimitiveList/finalizers",
    "x",
    "",
    "a.b/c",
    "\x00",
    "unknown",
)


def spoil(draw: Random, document: Json, times: int) -> Json:
    """Return a copy of a document with so many changes."""
    for _ in range(times):
        document = _change(draw, document)
    return document


def _change(draw: Random, value: Json) -> Json:
    if isinstance(value, dict) and value and draw.random() < 0.85:
        key = draw.choice(list(value))
        return draw.choice(_MAP_CHANGES)(draw, value, key)
    if isinstance(value, list) and value and draw.random() < 0.7:
        index = draw.randrange(len(value))
        return [*value[:index], _change(draw, value[index]), *value[index + 1 :]]
    return draw.choice(NASTY)


def _inside(draw: Random, value: Json, key: str) -> Json:
    return {**value, key: _change(draw, value[key])}


def _without(draw: Random, value: Json, key: str) -> Json:
    return {name: member for name, member in value.items() if name != key}


def _add(draw: Random, value: Json, key: str) -> Json:
    return {**value, draw.choice(KEYS): draw.choice(NASTY)}


def _twice(draw: Random, value: Json, key: str) -> Json:
    return {**value, draw.choice(KEYS): value[key]}


def _wrap(draw: Random, value: Json, key: str) -> Json:
    return {**value, key: [value[key]]}


_MAP_CHANGES: Sequence[Callable[[Random, Json, str], Json]] = (_inside,) * 6 + (
    _without,
    _add,
    _add,
    _twice,
    _wrap,
)


def encode(draw: Random, document: Json) -> bytes:
    """Return a document as bytes, now and then broken ones."""
    text = json.dumps(document, ensure_ascii=draw.random() < 0.5).encode("utf-8", "surrogatepass")
    return draw.choice(_BYTES)(draw, text) if draw.random() < 0.12 else text


def _flip(draw: Random, text: bytes) -> bytes:
    index = draw.randrange(len(text))
    return text[:index] + bytes([draw.randrange(256)]) + text[index + 1 :]


_BYTES: Sequence[Callable[[Random, bytes], bytes]] = (
    lambda draw, text: text[: draw.randrange(len(text))],
    _flip,
    lambda draw, text: b"",
    lambda draw, text: b"k8s\x00" + draw.randbytes(draw.randrange(40)),
    lambda draw, text: b"k8s\x00" + text,
    lambda draw, text: text + text,
    lambda draw, text: b"[" * draw.choice((50, 20_000)),
    lambda draw, text: b'{"a":' * draw.choice((50, 20_000)) + b"1",
    lambda draw, text: text[:-1] + b"," + text[1:],
    lambda draw, text: b"---\n" + text + b"\n---\n" + text,
    lambda draw, text: b"a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n",
    lambda draw, text: b'{"x": NaN, "y": Infinity}',
    lambda draw, text: b"\xff\xfe" + text,
    lambda draw, text: b"\xef\xbb\xbf" + text,
)

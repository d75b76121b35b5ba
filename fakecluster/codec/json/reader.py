"""A JSON body as a tree, within limits, and Go's error texts for malformed JSON (FK-041, FK-042)."""

from __future__ import annotations

import orjson

from ...base.json_types import Json
from .. import body_limits
from . import depth, duplicates, gojson
from .duplicates import Walk
from .outside_strings import outside_strings

_NOTHING_REPEATED = Walk()


class MalformedJson(Exception):
    """The body is no JSON; the text says why."""


def parse(body: bytes, *, merging: bool, limit: int) -> tuple[Json, Walk]:
    """Return the tree, and which fields are repeated and where each stands, as far as any is repeated.

    Raises MalformedJson, 413 for more values than `limit`.
    """
    # Before orjson, which gives up at another depth and with other words.
    if why := depth.problem(body):
        raise MalformedJson(why)
    # Before anything is made of the body: a small body of empty lists becomes a large tree.
    check_values(body, limit)
    try:
        tree = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        if why := gojson.problem(body):
            raise MalformedJson(why) from error
        # Lone surrogates, invalid UTF-8 and huge numbers are JSON for Go.
        return duplicates.parse(body.decode("utf-8", "replace").encode(), merging=merging)
    # Bodies without repetitions, nearly all, are read once and by orjson only.
    if not duplicates.may_repeat_keys(body, tree):
        return tree, _NOTHING_REPEATED
    return duplicates.parse(body, merging=merging)


def check_values(body: bytes, limit: int) -> None:
    """Raise 413 for a JSON text, valid or not, with more values than a body may hold."""
    # Commas within texts count here as well; only a body that looks too large is looked at closely.
    if _signs(body) > limit:
        body_limits.check_values(_signs(outside_strings(body)), limit)


def _signs(text: bytes) -> int:
    """Count what stands before values: a sign before each but the first, and one for an empty collection."""
    return text.count(b",") + text.count(b"[") + text.count(b"{")

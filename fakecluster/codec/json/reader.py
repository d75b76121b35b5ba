"""A JSON body as a tree, within limits, and Go's error texts for malformed JSON (FK-041, FK-042, FK-502).

Fields that a body has twice are reported, with the position of each: a repeated map is merged,
any other repeated value replaces the one before, as a Go decoder does it.
"""

from __future__ import annotations

import json
import re
from typing import Any

import orjson
from msgspec import Struct, field

from ...base.json_types import Json
from .. import body_limits
from . import gojson
from .gojson import outside_strings

REPEATED_KEYS = "yaml: unmarshal errors:\n  "
"""What stands before the keys that a YAML body has twice, one a line."""

MIN_INT64, MAX_UINT64, MAX_DIGITS = -(2**63), 2**64 - 1, 20
LONE_SURROGATE = re.compile("[\ud800-\udfff]")
"""Half of a pair of surrogates, which is no character."""


def repetition(path: str) -> str:
    """Word a field that is there twice."""
    return f'duplicate field "{path}"'


class _Pairs(list[tuple[str, Any]]):
    """An object with its keys as they were written."""


class FieldPositions(Struct):
    """What was found on the way through a body."""

    repeated: list[str] = field(default_factory=list)
    position: dict[str, int] = field(default_factory=dict)

    def tree(self, value: Json, path: str, *, merging: bool) -> Json:
        """Return plain JSON for a value read with its pairs."""
        if isinstance(value, _Pairs):
            return self._object(value, path, merging=merging)
        if isinstance(value, list):
            return [self.tree(item, f"{path}[{at}]", merging=merging) for at, item in enumerate(value)]
        return LONE_SURROGATE.sub("\ufffd", value) if isinstance(value, str) else value

    def _object(self, pairs: _Pairs, path: str, *, merging: bool) -> Json:
        members: dict[str, Json] = {}
        for written, raw in pairs:
            # Go writes the replacement character for half a pair; Python would keep what cannot be encoded
            # again.
            key = LONE_SURROGATE.sub("\ufffd", written)
            member_path = f"{path}.{key}" if path else key
            self.position.setdefault(member_path, len(self.position))
            if key in members:
                self.repeated.append(member_path)
                # Errors are listed in the order of the body, and a repetition stands at its second place.
                self.position.setdefault(repetition(member_path), len(self.position))
            value = self.tree(raw, member_path, merging=merging)
            before = members.get(key)
            # encoding/json decodes a repeated object into the struct that is there already, so its members
            # add up.
            if merging and isinstance(value, dict) and isinstance(before, dict):
                value = {**before, **value}
            members[key] = value
        return members


def may_repeat_keys(body: bytes, tree: Json) -> bool:
    """Whether a body has more keys than its tree; cheap, and wrong only to the safe side."""
    if orjson.dumps(tree) == body:
        # Nothing is written twice by a client that writes what the tree would be written as.
        return False
    return outside_strings(body).count(b":") != _count(tree)


def parse_with_duplicates(body: bytes, *, merging: bool) -> tuple[Json, FieldPositions]:
    """Read JSON slowly, remembering repeated fields."""
    walk = FieldPositions()
    return walk.tree(json.loads(body, object_pairs_hook=_Pairs, parse_int=_number), "", merging=merging), walk


def _count(tree: Json) -> int:
    if isinstance(tree, dict):
        return len(tree) + sum(map(_count, tree.values()))
    return sum(map(_count, tree)) if isinstance(tree, list) else 0


def _number(digits: str) -> int | float:
    """Read an integer as Go does: what has no place in 64 bits becomes a float."""
    short = len(digits) <= MAX_DIGITS
    # int() of many digits takes the square of the time, hence the look at their number first.
    return int(digits) if short and MIN_INT64 <= int(digits) <= MAX_UINT64 else float(digits)


_NO_REPEATED_FIELDS = FieldPositions()


class MalformedJson(Exception):
    """The body is no JSON; the text says why."""


def parse(body: bytes, *, merging: bool, limit: int) -> tuple[Json, FieldPositions]:
    """Return the tree, and which fields are repeated and where each stands, as far as any is repeated.

    Raises MalformedJson, 413 for more values than `limit`.
    """
    # Before orjson, which gives up at another depth and with other words.
    if why := gojson.depth_problem(body):
        raise MalformedJson(why)
    # Before anything is made of the body: a small body of empty lists becomes a large tree.
    check_values(body, limit)
    try:
        tree = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        if why := gojson.problem(body):
            raise MalformedJson(why) from error
        # Lone surrogates, invalid UTF-8 and huge numbers are JSON for Go.
        return parse_with_duplicates(body.decode("utf-8", "replace").encode(), merging=merging)
    # Bodies without repetitions, nearly all, are read once and by orjson only.
    if not may_repeat_keys(body, tree):
        return tree, _NO_REPEATED_FIELDS
    return parse_with_duplicates(body, merging=merging)


def check_values(body: bytes, limit: int) -> None:
    """Raise 413 for a JSON text, valid or not, with more values than a body may hold."""
    # Commas within texts count here as well; only a body that looks too large is looked at closely.
    if _signs(body) > limit:
        body_limits.check_values(_signs(outside_strings(body)), limit)


def _signs(text: bytes) -> int:
    """Count what stands before values: a sign before each but the first, and one for an empty collection."""
    return text.count(b",") + text.count(b"[") + text.count(b"{")

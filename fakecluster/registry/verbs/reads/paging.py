"""Lists in pages: the token that says where the next page starts, and at which revision (FK-147)."""

from __future__ import annotations

import posixpath
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error

import orjson
from msgspec import Struct

from ....api import status
from ....base.json_types import Json
from ....codec import literals
from ....codec.json import gojson
from ....gotypes.scalars import json_type

VERSION = "meta.k8s.io/v1"
INCONSISTENT = -1
TOKEN_FIELDS = (("v", "string", str), ("rv", "int64", int), ("start", "string", str))
TOO_OLD = (
    "The provided continue parameter is too old to display a consistent list result. You can start a new list without the "
    "continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing "
    "with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the "
    "time the first chunk was returned and now may show up in the list."
)


class ContinuePosition(Struct, frozen=True):
    """Where a page starts: after `key` (`/name`, or `/namespace/name` of a list over all), at `revision` or
    at the latest.
    """

    revision: int
    key: str
    itself: bool = False
    """Whether the page starts with `key`, as a token says that a client has made up."""

    def has_passed(self, key: str) -> bool:
        """Whether an earlier page had this key."""
        # A token that a client made up may begin with the key itself.
        return key < self.key if self.itself else key <= self.key

    def token(self) -> str:
        """Encode the position."""
        # A null byte: the next key in order after this one.
        body = {"v": VERSION, "rv": self.revision, "start": f"{self.key}\0"}
        return urlsafe_b64encode(orjson.dumps(body)).decode().rstrip("=")


def parse(token: str) -> ContinuePosition:
    """Decode a token. Raises 400."""
    raw = _plain(token)
    value = _decode(raw)
    if why := _ill_typed(value, raw):
        raise _invalid_token(why)
    if value.get("v") != VERSION:
        raise _invalid_token(f"server does not recognize this encoded version {value.get('v', '')}")
    revision, start = value.get("rv") or 0, value.get("start") or ""
    if revision == 0:
        raise _invalid_token(f"incorrect encoded start resourceVersion (version {VERSION})")
    if not start:
        raise _invalid_token(f"encoded start key empty (version {VERSION})")
    # Keys of the database begin with a slash.
    key = start if start.startswith("/") else f"/{start}"
    # A key with `..` would leave the prefix of its resource.
    if posixpath.normpath(key) != key:
        raise _invalid_token(start)
    return ContinuePosition(revision, key.removesuffix("\0"), itself=not key.endswith("\0"))


def expiry_error(position: ContinuePosition) -> status.StatusError:
    """Return the 410 for a token whose revision is compacted, with one that continues at the latest state."""
    # With revision -1 the next page is of the latest state.
    return status.expired(TOO_OLD, ContinuePosition(INCONSISTENT, position.key.removeprefix("/")).token())


def _plain(token: str) -> bytes:
    bad = next(
        # Go's decoder reports the first byte that is not of its alphabet.
        (at for at, char in enumerate(token) if not (char.isascii() and (char.isalnum() or char in "-_"))),
        None,
    )
    if bad is not None:
        raise _invalid_token(f"illegal base64 data at input byte {bad}")
    try:
        return urlsafe_b64decode(token + "=" * (-len(token) % 4))
    except Base64Error as error:
        raise _invalid_token(f"illegal base64 data at input byte {len(token) - 1}") from error


def _decode(raw: bytes) -> dict[str, Json]:
    if why := gojson.depth_problem(raw):
        raise _invalid_token(why)
    try:
        value = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        if why := gojson.problem(raw):
            raise _invalid_token(why) from error
        value = literals.tree(raw)
    if not isinstance(value, dict):
        raise _invalid_token(
            f"json: cannot unmarshal {json_type(value)} into Go value of type storage.continueToken"
        )
    return value


def _ill_typed(value: dict[str, Json], raw: bytes) -> str:
    """Return Go's error for a member that does not fit its type; empty when all do."""
    for name, expected_type, of in TOKEN_FIELDS:
        if value.get(name) is not None and type(value[name]) is not of:
            actual_type = json_type(value[name])
            if actual_type == "number":
                actual_type = f"number {literals.tree(raw)[name]}"
            return f"json: cannot unmarshal {actual_type} into Go struct field continueToken.{name} of type {expected_type}"
    return ""


def _invalid_token(why: str) -> status.StatusError:
    return status.bad_request(f"invalid continue token: continue key is not valid: {why}")

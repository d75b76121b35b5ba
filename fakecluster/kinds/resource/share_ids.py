"""Share ids: they distinguish several allocations of one device (FK-504)."""

from __future__ import annotations

import re

from ...schema import fields
from ...schema.fields import go_quote
from ..validation.basics import Errors

URN = "urn:uuid:"
LENGTH, LENGTH_WITHOUT_HYPHENS = 36, 32
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
UUID_WITHOUT_HYPHENS = re.compile(r"[0-9a-f]{32}", re.IGNORECASE)
NOT_NORMAL = (
    "uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase"
    " hexadecimal characters"
)


def share_id(uid: str | None, path: str) -> Errors:
    """Judge the UID of a share, if there is any."""
    if uid is None:
        return
    if problem := _problem(uid):
        yield fields.invalid(path, uid, f"error validating uid: {problem}")
    elif len(uid) != LENGTH or uid != uid.lower():
        yield fields.invalid(path, uid, NOT_NORMAL)


def _problem(uid: str) -> str:
    """Return why a text is a UUID in none of the forms that Go's library reads."""
    size = len(uid.encode())
    if size == LENGTH + len(URN):
        if uid[: len(URN)].lower() != URN:
            return f"invalid urn prefix: {go_quote(uid[: len(URN)])}"
        uid = uid[len(URN) :]
    elif size == LENGTH + len("{}"):
        if uid[0] != "{" or uid[-1] != "}":
            return "invalid bracketed UUID format"
        uid = uid[1:-1]
    elif size not in {LENGTH, LENGTH_WITHOUT_HYPHENS}:
        return f"invalid UUID length: {size}"
    return "" if UUID.fullmatch(uid) or UUID_WITHOUT_HYPHENS.fullmatch(uid) else "invalid UUID format"

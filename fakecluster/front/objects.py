"""Checked reads of the upstream server's answers: objects with their metadata, and revisions.

Everything that a front reads for its own sake comes through here, so that what follows need not doubt it.
"""

from __future__ import annotations

import orjson

from ..base.json_types import Json
from ..server.outgoing.answer import UnusableAnswerError

TEXTS = ("name", "namespace", "uid", "resourceVersion", "deletionTimestamp")
REVISION_DIGITS = 19


def table(found: Json) -> dict[str, Json]:
    """Return a JSON object, an empty one for anything else."""
    return found if isinstance(found, dict) else {}


def rows(found: Json) -> list[Json]:
    """Return a JSON array, an empty one for anything else."""
    return found if isinstance(found, list) else []


def thing(found: Json) -> Json | None:
    """Return an object that has a name and a uid and can be written down again; None for anything else."""
    metadata = table(table(found).get("metadata"))
    named = metadata.get("name") and metadata.get("uid")
    texts = all(isinstance(metadata.get(name) or "", str) for name in TEXTS)
    return found if named and texts and _writable(found) else None


def revision(said: Json) -> int:
    """Return a resourceVersion as a number, 0 when it is none."""
    good = isinstance(said, str) and said.isascii() and said.isdecimal() and len(said) <= REVISION_DIGITS
    return int(said) if good else 0


def revision_of(found: Json) -> int:
    """Return the resourceVersion of an object or a list, 0 when it has none that is a number."""
    return revision(table(table(found).get("metadata")).get("resourceVersion"))


def encoded(found: Json) -> bytes:
    """Return JSON as bytes. Raises UnusableAnswerError when it nests deeper than can be written."""
    try:
        return orjson.dumps(found)
    except orjson.JSONEncodeError as error:
        raise UnusableAnswerError("the answer nests too deeply") from error


def _writable(found: Json) -> bool:
    try:
        encoded(found)
    except UnusableAnswerError:
        return False
    return True

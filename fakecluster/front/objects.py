"""Checked reads of the upstream server's answers: objects with their metadata, and revisions.

Everything that a front reads for its own sake comes through here, so that what follows need not doubt it.
"""

from __future__ import annotations

import orjson

from ..base.json_types import Json
from ..server.outgoing.answer import UnusableAnswerError

METADATA_TEXTS = ("name", "namespace", "uid", "resourceVersion", "deletionTimestamp")
REVISION_DIGITS = 19


def to_object(value: Json) -> dict[str, Json]:
    """Return a JSON object, an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def to_array(value: Json) -> list[Json]:
    """Return a JSON array, an empty one for anything else."""
    return value if isinstance(value, list) else []


def to_kubernetes_object(value: Json) -> Json | None:
    """Return an object that has a name and a uid and can be written down again; None for anything else."""
    metadata = to_object(to_object(value).get("metadata"))
    has_identity = metadata.get("name") and metadata.get("uid")
    texts = all(isinstance(metadata.get(name) or "", str) for name in METADATA_TEXTS)
    return value if has_identity and texts and _writable(value) else None


def to_revision(text: Json) -> int:
    """Return a resourceVersion as a number, 0 when it is none."""
    # resourceVersions are opaque to clients, and numbers on every server there is; more digits than 64 bits
    # have are none.
    good = isinstance(text, str) and text.isascii() and text.isdecimal() and len(text) <= REVISION_DIGITS
    return int(text) if good else 0


def revision_of(value: Json) -> int:
    """Return the resourceVersion of an object or a list, 0 when it has none that is a number."""
    return to_revision(to_object(to_object(value).get("metadata")).get("resourceVersion"))


def encode(value: Json) -> bytes:
    """Return JSON as bytes. Raises UnusableAnswerError when it nests deeper than can be written."""
    try:
        return orjson.dumps(value)
    except orjson.JSONEncodeError as error:
        raise UnusableAnswerError("the answer nests too deeply") from error


def _writable(value: Json) -> bool:
    try:
        encode(value)
    except UnusableAnswerError:
        return False
    return True

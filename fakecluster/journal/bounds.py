"""How much of a request the journal keeps: what a client can make as long as it likes is cut, with a mark
that says by how much.

kube-apiserver echoes an Audit-Id of any length and takes heads up to a megabyte; answers do so here as well,
entries do not.
"""

from __future__ import annotations

from collections.abc import Mapping

import orjson
from msgspec.structs import replace

from ..base.json_types import Json
from .entry import Entry

TEXT_LIMIT = 4096
"""Characters of a text: paths, agents, ids, messages."""
PARAMETER_LIMIT = 64
"""Parameters of a query."""
REFUSED_BODY_LIMIT = 16 * 1024
"""Bytes of a body that was not accepted; one that was is at most as long as the API takes them."""
NOTE_LIMIT = 16 * 1024
"""Characters of a text in a note: a webhook's patch, or why a patch did not apply, which quotes its path."""
TEXTS = (
    "path",
    "user_agent",
    "audit_id",
    "message",
    "user",
    "manager",
    "group",
    "version",
    "resource",
    "subresource",
    "namespace",
    "name",
    "patch_type",
    "reason",
)
OWN_WEIGHT = 1024
"""Approximate bytes of an entry without its bodies."""


def bound(entry: Entry) -> Entry:
    """Return an entry that takes no more room than the request is worth; nearly always the same one."""
    query, body = entry.query, entry.body
    if entry.notes:
        entry = replace(entry, notes=_bound_note(entry.notes))
    # Nearly every entry is small enough, and is kept as it is.
    if _fits(entry, _heads(entry)):
        return entry
    # An accepted body is bounded by the API; a refused one is whatever a client sent.
    if entry.code >= 400 and len(body) > REFUSED_BODY_LIMIT:
        body = body[:REFUSED_BODY_LIMIT] + mark(len(body) - REFUSED_BODY_LIMIT, "bytes").encode()
    texts = {name: shorten(getattr(entry, name), TEXT_LIMIT) for name in TEXTS}
    return replace(entry, **texts, query=tuple(_parameters(query)), body=body)


def weight(entry: Entry) -> int:
    """Return about how many bytes an entry holds on to:
    its body, its notes, and the objects that it changed.
    """
    return _weight(entry, _heads(entry))


def bound_and_weigh(entry: Entry) -> tuple[Entry, int]:
    """Return a bounded entry and its weight."""
    # Measured once for both questions: every request comes through here.
    heads = _heads(entry)
    if entry.notes or not _fits(entry, heads):
        entry = bound(entry)
        return entry, weight(entry)
    return entry, _weight(entry, heads)


def _weight(entry: Entry, heads: int) -> int:
    notes = _length(entry.notes) if entry.notes else 0
    return OWN_WEIGHT + heads + len(entry.body) + notes + _objects(entry)


def _fits(entry: Entry, heads: int) -> bool:
    """Tell whether an entry is small enough to be kept whole."""
    return (
        heads <= TEXT_LIMIT
        and len(entry.query) <= PARAMETER_LIMIT
        and (entry.code < 400 or len(entry.body) <= REFUSED_BODY_LIMIT)
    )


def _objects(entry: Entry) -> int:
    """Return about how long the objects are: one that was written is as long as the answer, one that was
    removed may be answered by a Status.
    """
    if not entry.changes:
        return 0
    removed = sum(len(orjson.dumps(change.before)) for change in entry.changes if change.after is None)
    # The answer to a write is the object it left, so its length is known without encoding it once more.
    return max(entry.answered, removed)


def _heads(entry: Entry) -> int:
    """Return how many characters the texts are; what else an entry names is part of its path."""
    path_characters = (
        len(entry.path) + len(entry.user_agent) + len(entry.audit_id) + len(entry.message) + len(entry.name)
    )
    other_characters = len(entry.user) + len(entry.manager) + len(entry.patch_type)
    for name, value in entry.query:
        other_characters += len(name) + len(value)
    return path_characters + other_characters


def shorten(text: str, limit: int) -> str:
    """Return a text as far as it counts."""
    return text if len(text) <= limit else text[:limit] + mark(len(text) - limit, "characters")


def mark(count: int, unit: str) -> str:
    """Return the marker in place of the bytes that were cut."""
    return f"…[cut: {count} {unit}]"


def _parameters(query: tuple[tuple[str, str], ...]) -> list[tuple[str, str]]:
    parameters = [
        (shorten(name, TEXT_LIMIT), shorten(value, TEXT_LIMIT)) for name, value in query[:PARAMETER_LIMIT]
    ]
    return (
        [*parameters, (mark(len(query) - PARAMETER_LIMIT, "parameters"), "")]
        if len(query) > PARAMETER_LIMIT
        else parameters
    )


def _bound_note(value: Json) -> Json:
    """Return a note, or a part of one, with its texts as far as they count."""
    if isinstance(value, str):
        return shorten(value, NOTE_LIMIT)
    # Notes may be read-only mappings, which are no dicts.
    if isinstance(value, Mapping):
        return {name: _bound_note(child) for name, child in value.items()}
    return [_bound_note(item) for item in value] if isinstance(value, list) else value


def _length(value: Json) -> int:
    """Return how many characters the texts of a note are, names included."""
    if isinstance(value, Mapping):
        return sum(len(name) + _length(child) for name, child in value.items())
    if isinstance(value, list):
        return sum(map(_length, value))
    return len(value) if isinstance(value, str) else 0

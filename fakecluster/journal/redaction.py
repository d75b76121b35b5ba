"""Removes values of Secrets, tokens and keys from entries.

They are replaced wherever entries leave the process.

In the process and in saved states they stay:
a saved state has to be restorable, and its file is private (`files`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any

import orjson
from msgspec.structs import replace

from ..base.confidential import OF_KINDS, hide_members, of_resource
from ..base.json_types import Json
from .entry import Change, Entry

MARK = "[redacted]"
CREDENTIALS = frozenset(
    {"token", "password", "client-key-data", "client-secret", "id-token", "refresh-token", "access-token"}
)
"""What a kubeconfig holds for its users."""
TEXTS = ("path", "user_agent", "audit_id")
WEBHOOKS = "webhooks"
"""The note of what webhooks said, their patches included."""
PROTOBUF = b"k8s\x00"
"""What a message in protobuf begins with; text stands in it as it is."""
NAMING = frozenset({"NotFound", "AlreadyExists", "Conflict", "Forbidden", "Unauthorized"})
"""Reasons of refusals that quote names;
the others may quote what could not be read, and that is the object itself.
"""
QUOTED = re.compile(r'"(?:\\.|[^"\\])*"?')
PRIVATE_KEY = re.compile(r"-----BEGIN ([A-Z ]*PRIVATE KEY)-----.*?(?:-----END \1-----|\Z)", re.DOTALL)
AUTHORIZATION = re.compile(r"(?i)\b(authorization[\"']?\s*[:=]\s*[\"']?\w+\s+|bearer\s+)[\w.~+/=-]{16,}")
CREDENTIAL = re.compile(rf"(\b(?:{'|'.join(sorted(CREDENTIALS))})[\"']?\s*:\s*[\"']?)[^\s\"',}}]+")
KUBECONFIG = ("current-context", "client-key-data")
"""Words by which a text is taken for a kubeconfig."""


def redact(entry: Entry) -> Entry:
    """Return an entry without secrets."""
    members = of_resource(entry.resource, entry.subresource)
    of = redact_object if members is None else partial(_hide_members, members)
    changes = tuple(
        Change(revision=change.revision, before=of(change.before), after=of(change.after))
        for change in entry.changes
    )
    texts = {name: redact_text(getattr(entry, name)) for name in TEXTS} | {"message": redact_message(entry)}
    query = tuple((name, redact_text(value)) for name, value in entry.query)
    return replace(entry, **texts, query=query, body=_body(entry, of), changes=changes, notes=_notes(entry))


def redact_message(entry: Entry) -> str:
    """Return the message of an entry without its quotations from a Secret."""
    text = redact_text(entry.message)
    # Decoding errors quote the value that did not fit, which in a Secret may be the secret.
    quotes = of_resource(entry.resource, entry.subresource) is not None and entry.reason not in NAMING
    return QUOTED.sub(f'"{MARK}"', text) if quotes else text


def redact_object(value: Json) -> Json:
    """Return an object of any kind, or a part of one, without secrets;
    the kinds that hold some are known by their names.
    """
    if isinstance(value, str):
        return redact_text(value)
    if isinstance(value, list):
        return [redact_object(item) for item in value]
    if not isinstance(value, dict):
        return value
    kind = _kind(value)
    # A kubeconfig says `kind: Config` and hides its credentials under names of its own.
    if kind == "Config":
        return _redact_members(hide_members(value, CREDENTIALS, MARK))
    return _hide_members(OF_KINDS[kind], value) if kind in OF_KINDS else _redact_members(value)


def redact_text(text: str) -> str:
    """Return a text without keys, tokens and what a kubeconfig holds."""
    # A search for a plain word first: the patterns are slow, and few texts have what they look for.
    if "PRIVATE KEY-----" in text:
        text = PRIVATE_KEY.sub(MARK, text)
    text = AUTHORIZATION.sub(rf"\1{MARK}", text)
    if "eyJ" in text:
        text = _json_web_token().sub(MARK, text)
    return CREDENTIAL.sub(rf"\1{MARK}", text) if any(word in text for word in KUBECONFIG) else text


@cache
def _json_web_token() -> Any:
    """Return the pattern of a JSON web token; `re` would take the square of the time for `eyJ-eyJ-eyJ-…`."""
    import re2  # few texts look like a token

    return re2.compile(r"\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*")


def _body(entry: Entry, of: Callable[[Json], Json]) -> bytes:
    """Return the body of a request; an unreadable one that may hold secrets is replaced by its length."""
    unread = f"[redacted: {len(entry.body)} bytes]".encode()
    if not entry.body:
        return b""
    try:
        return orjson.dumps(of(orjson.loads(entry.body)))
    except RecursionError:
        # A body that nests too deep was refused; nothing of it is shown.
        return unread
    except orjson.JSONDecodeError:
        if of_resource(entry.resource, entry.subresource) is not None:
            return unread
    if entry.body.startswith(PROTOBUF) and b"Secret" in entry.body[:64]:
        return unread
    try:
        return redact_text(entry.body.decode()).encode()
    except UnicodeDecodeError:
        return entry.body


def _notes(entry: Entry) -> Json:
    """Return the notes of a request without secrets; what a webhook patched is hidden where it was something
    that holds some.
    """
    notes = dict(entry.notes)
    if of_resource(entry.resource, entry.subresource) is not None and WEBHOOKS in notes:
        notes[WEBHOOKS] = [
            {name: MARK if name == "patch" else part for name, part in note.items()}
            for note in notes[WEBHOOKS]
        ]
    return redact_object(notes)


def _redact_members(obj: Mapping[str, Json]) -> Json:
    return {name: redact_object(value) for name, value in obj.items()}


def _hide_members(members: frozenset[str], value: Json) -> Json:
    """Return an object, a patch or a list without some members, and without secrets in its other texts."""
    hidden_value = hide_members(value, members, MARK)
    return _redact_members(hidden_value) if isinstance(hidden_value, dict) else redact_object(hidden_value)


def _kind(obj: Mapping[str, Json]) -> str:
    kind = obj.get("kind")
    return kind if isinstance(kind, str) else ""

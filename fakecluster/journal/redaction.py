"""What of a request is nobody's business: values of Secrets, tokens, keys. They are replaced wherever entries leave the process.

In the process, entries and saved states are as they were: what is saved has to be restorable, and its file is private (`files`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import orjson
from msgspec.structs import replace

from .entry import Change, Entry

Json = Any
MARK = "[redacted]"
LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
"""The annotation in which kubectl keeps the whole object once more."""
VALUES = frozenset({"data", "stringData"})
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
"""Reasons of refusals that quote names; the others may quote what could not be read, and that is the object itself."""
QUOTED = re.compile(r'"(?:\\.|[^"\\])*"?')
PRIVATE_KEY = re.compile(r"-----BEGIN ([A-Z ]*PRIVATE KEY)-----.*?(?:-----END \1-----|\Z)", re.DOTALL)
AUTHORIZATION = re.compile(r"(?i)\b(authorization[\"']?\s*[:=]\s*[\"']?\w+\s+|bearer\s+)[\w.~+/=-]{16,}")
JSON_WEB_TOKEN = re.compile(r"\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*")
CREDENTIAL = re.compile(rf"(\b(?:{'|'.join(sorted(CREDENTIALS))})[\"']?\s*:\s*[\"']?)[^\s\"',}}]+")
KUBECONFIG = ("current-context", "client-key-data")
"""Words by which a text is taken for a kubeconfig."""


def redacted(entry: Entry) -> Entry:
    """Return an entry without secrets."""
    of = _OF_RESOURCES.get(entry.target, redacted_object)
    changes = tuple(
        Change(revision=one.revision, before=of(one.before), after=of(one.after)) for one in entry.changes
    )
    texts = {name: redacted_text(getattr(entry, name)) for name in TEXTS} | {
        "message": redacted_message(entry)
    }
    query = tuple((name, redacted_text(value)) for name, value in entry.query)
    return replace(entry, **texts, query=query, body=_body(entry, of), changes=changes, notes=_notes(entry))


def redacted_message(entry: Entry) -> str:
    """Return what was said of a request without what it quotes of a Secret."""
    text = redacted_text(entry.message)
    quotes = entry.target in _OF_RESOURCES and entry.reason not in NAMING
    return QUOTED.sub(f'"{MARK}"', text) if quotes else text


def redacted_object(value: Json) -> Json:
    """Return an object of any kind, or a part of one, without secrets; the kinds that hold some are known by their names."""
    if isinstance(value, str):
        return redacted_text(value)
    if isinstance(value, list):
        return [redacted_object(one) for one in value]
    if not isinstance(value, dict):
        return value
    return _OF_KINDS.get(_kind(value), _parts)(value)


def redacted_text(text: str) -> str:
    """Return a text without keys, tokens and what a kubeconfig holds."""
    if "PRIVATE KEY-----" in text:
        text = PRIVATE_KEY.sub(MARK, text)
    text = JSON_WEB_TOKEN.sub(MARK, AUTHORIZATION.sub(rf"\1{MARK}", text))
    return CREDENTIAL.sub(rf"\1{MARK}", text) if any(word in text for word in KUBECONFIG) else text


def _body(entry: Entry, of: Callable[[Json], Json]) -> bytes:
    """Return the body of a request; where one that cannot be read may hold secrets, only its length is told."""
    unread = f"[redacted: {len(entry.body)} bytes]".encode()
    if not entry.body:
        return b""
    try:
        return orjson.dumps(of(orjson.loads(entry.body)))
    except RecursionError:
        return unread
    except orjson.JSONDecodeError:
        if entry.target in _OF_RESOURCES:
            return unread
    if entry.body.startswith(PROTOBUF) and b"Secret" in entry.body[:64]:
        return unread
    try:
        return redacted_text(entry.body.decode()).encode()
    except UnicodeDecodeError:
        return entry.body


def _notes(entry: Entry) -> Json:
    """Return the notes of a request without secrets; what a webhook patched is hidden where it was something that holds some."""
    notes = dict(entry.notes)
    if entry.target in _OF_RESOURCES and WEBHOOKS in notes:
        notes[WEBHOOKS] = [
            {name: MARK if name == "patch" else part for name, part in one.items()} for one in notes[WEBHOOKS]
        ]
    return redacted_object(notes)


def _parts(obj: Mapping[str, Json]) -> Json:
    return {name: redacted_object(value) for name, value in obj.items()}


def _secret(value: Json) -> Json:
    """Return a Secret, or a patch of one, without its values."""
    if isinstance(value, list):
        return [_operation(one) for one in value]
    if not isinstance(value, dict):
        return value
    kept = _parts({name: part for name, part in value.items() if name not in VALUES})
    hidden = {name: _hidden(part) for name, part in value.items() if name in VALUES}
    return {name: hidden.get(name, kept.get(name)) for name in value} | _without_copy(kept)


def _hidden(values: Json) -> Json:
    """Return the keys of a Secret's data; what has no keys is hidden as a whole."""
    return (
        {name: value and MARK for name, value in values.items()}
        if isinstance(values, dict)
        else values and MARK
    )


def _without_copy(kept: Json) -> Json:
    metadata = kept.get("metadata")
    annotations = metadata.get("annotations") if isinstance(metadata, dict) else None
    if not isinstance(annotations, dict) or LAST_APPLIED not in annotations:
        return {}
    return {"metadata": {**metadata, "annotations": {**annotations, LAST_APPLIED: MARK}}}


def _operation(one: Json) -> Json:
    """Return an operation of a JSON patch of a Secret without what it writes."""
    return {**one, "value": MARK} if isinstance(one, dict) and "value" in one else one


def _secrets(obj: Json) -> Json:
    """Return a list of Secrets, whose items do not name their kind."""
    return {**_parts({**obj, "items": []}), "items": [_secret(one) for one in obj.get("items") or ()]}


def _token(part: str) -> Callable[[Json], Json]:
    def without(obj: Json) -> Json:
        holder = obj.get(part) if isinstance(obj, dict) else None
        if not isinstance(holder, dict) or not holder.get("token"):
            return _parts(obj) if isinstance(obj, dict) else redacted_object(obj)
        return _parts({**obj, part: {**holder, "token": MARK}})

    return without


def _kubeconfig(obj: Json) -> Json:
    def hidden(value: Json) -> Json:
        if isinstance(value, list):
            return [hidden(one) for one in value]
        if not isinstance(value, dict):
            return redacted_object(value)
        return {name: MARK if name in CREDENTIALS else hidden(one) for name, one in value.items()}

    return hidden(obj)


def _kind(obj: Mapping[str, Json]) -> str:
    kind = obj.get("kind")
    return kind if isinstance(kind, str) else ""


_OF_KINDS: Mapping[str, Callable[[Json], Json]] = {
    "Secret": _secret,
    "SecretList": _secrets,
    "TokenRequest": _token("status"),
    "TokenReview": _token("spec"),
    "Config": _kubeconfig,
}
_OF_RESOURCES: Mapping[str, Callable[[Json], Json]] = {
    "secrets": _secret,
    "tokenreviews": _token("spec"),
    "serviceaccounts/token": _token("status"),
}
"""What is in a body that does not name its kind."""

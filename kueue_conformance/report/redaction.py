"""Removes the data of Secrets from everything that is kept of a run:
stories, bundles, reports, failure texts.

A Secret that is written by the subject, and the token that a review is about, keep their shape and lose their
values; wherever such a value stands in another text it is taken out as well.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ..base.files import input_limits
from ..base.json_types import Json
from ..history.story import Change, Request

MARK = "REDACTED"
_LEAST = 6
"""The least length of a value that is searched for in other texts: shorter ones would match ordinary words.
"""
_KIND = "Secret"
_TOLD = frozenset({"secrets", "tokenreviews"})
_FIELDS = ("data", "stringData")
_LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"


@dataclass(frozen=True, slots=True)
class Redaction:
    """The values to remove, the longest first."""

    values: Sequence[str] = ()

    @classmethod
    def of(cls, changes: Iterable[Change], requests: Iterable[Request]) -> Redaction:
        """Return the redaction for a story."""
        secrets: set[str] = set()
        for change in changes:
            if change.kind == _KIND:
                secrets.update(word for secret in (change.before, change.after) for word in _values(secret))
        for request in requests:
            if request.resource in _TOLD:
                secrets.update(_values(_read(request.body)))
        return cls(
            sorted(
                (secret for secret in secrets if len(secret) >= _LEAST),
                key=lambda secret: (-len(secret), secret),
            )
        )

    def text(self, text: str) -> str:
        """Return a text without the values."""
        for value in self.values:
            text = text.replace(value, MARK)
        return text

    def plain(self, value: Json) -> Json:
        """Return plain data without the values."""
        if not self.values:
            return value
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            return {self.plain(key): self.plain(item) for key, item in value.items()}
        return [self.plain(item) for item in value] if isinstance(value, list | tuple) else value

    def change(self, change: Change) -> Change:
        """Return a change without the values."""
        if change.kind == _KIND:
            change = replace(change, before=_hide(change.before), after=_hide(change.after))
        if not self.values:
            return change
        return replace(change, before=self.plain(change.before), after=self.plain(change.after))

    def request(self, request: Request) -> Request:
        """Return a request without the values; a body that cannot be read goes whole."""
        if request.resource in _TOLD and request.body:
            document = _read(request.body)
            body = b"" if document is None else input_limits.json_text(_hide(document))
            return replace(request, body=body, message=self.text(request.message))
        if not self.values:
            return request
        return replace(request, body=self._bytes(request.body), message=self.text(request.message))

    def _bytes(self, body: bytes) -> bytes:
        for value in self.values:
            body = body.replace(value.encode(), MARK.encode())
        return body


def _read(body: bytes) -> Json | None:
    """Parse a body: an object, a list of steps of a patch, or None for another body."""
    document = input_limits.parse_json_or_yaml(body)
    return document if isinstance(document, Mapping | list) else None


def _values(document: Json) -> Iterator[str]:
    """Yield the texts of a Secret, a patch of one, or a token review: plain, as JSON and in base64."""
    for value in _leaves(document):
        for text in (value, *_decode_base64(value)):
            yield text
            yield input_limits.json_text(text)[1:-1].decode()
            yield base64.b64encode(text.encode()).decode()


def _decode_base64(value: str) -> Iterator[str]:
    try:
        yield base64.b64decode(value, validate=True).decode()
    except (binascii.Error, ValueError):
        return


def _leaves(document: Json) -> Iterator[str]:
    if isinstance(document, Mapping):
        for field in _FIELDS:
            yield from _texts(document.get(field))
        spec = document.get("spec")
        if isinstance(spec, Mapping):
            yield from _texts(spec.get("token"))
    elif isinstance(document, list):
        for step in document:
            if isinstance(step, Mapping):
                value = step.get("value")
                yield from _leaves(value) if _is_whole(step) else _texts(value)


def _is_whole(step: Mapping[str, Json]) -> bool:
    """Tell a step of a JSON patch that replaces the whole object."""
    return step.get("path") == ""


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from _texts(item)


def _hide(document: Json) -> Json:
    """Return a Secret without its values."""
    if isinstance(document, list):
        return [_step(step) for step in document]
    if not isinstance(document, Mapping):
        return document
    copy = {**document, **{field: _blank(document[field]) for field in _FIELDS if field in document}}
    if isinstance(spec := document.get("spec"), Mapping) and "token" in spec:
        copy["spec"] = {**spec, "token": MARK}
    metadata = document.get("metadata")
    if isinstance(metadata, Mapping) and isinstance(notes := metadata.get("annotations"), Mapping):
        less = {key: MARK if key == _LAST_APPLIED else note for key, note in notes.items()}
        copy["metadata"] = {**metadata, "annotations": less}
    return copy


def _step(step: Json) -> Json:
    if not isinstance(step, Mapping) or "value" not in step:
        return step
    return {**step, "value": _hide(step["value"]) if _is_whole(step) else _blank(step["value"])}


def _blank(value: Json) -> Json:
    """Return names without values."""
    return dict.fromkeys(value, MARK) if isinstance(value, Mapping) else MARK

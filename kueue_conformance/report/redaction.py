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
        found: set[str] = set()
        for change in changes:
            if change.kind == _KIND:
                found.update(word for one in (change.before, change.after) for word in _values(one))
        for request in requests:
            if request.resource in _TOLD:
                found.update(_values(_read(request.body)))
        return cls(sorted((one for one in found if len(one) >= _LEAST), key=lambda one: (-len(one), one)))

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
            return {self.plain(key): self.plain(one) for key, one in value.items()}
        return [self.plain(one) for one in value] if isinstance(value, list | tuple) else value

    def change(self, change: Change) -> Change:
        """Return a change without the values."""
        if change.kind == _KIND:
            change = replace(change, before=_hidden(change.before), after=_hidden(change.after))
        if not self.values:
            return change
        return replace(change, before=self.plain(change.before), after=self.plain(change.after))

    def request(self, request: Request) -> Request:
        """Return a request without the values; a body that cannot be read goes whole."""
        if request.resource in _TOLD and request.body:
            said = _read(request.body)
            body = b"" if said is None else input_limits.json_text(_hidden(said))
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
    found = input_limits.said(body)
    return found if isinstance(found, Mapping | list) else None


def _values(said: Json) -> Iterator[str]:
    """Yield the texts of a Secret, a patch of one, or a token review: plain, as JSON and in base64."""
    for value in _leaves(said):
        for one in (value, *_decoded(value)):
            yield one
            yield input_limits.json_text(one)[1:-1].decode()
            yield base64.b64encode(one.encode()).decode()


def _decoded(value: str) -> Iterator[str]:
    try:
        yield base64.b64decode(value, validate=True).decode()
    except (binascii.Error, ValueError):
        return


def _leaves(said: Json) -> Iterator[str]:
    if isinstance(said, Mapping):
        for field in _FIELDS:
            yield from _texts(said.get(field))
        spec = said.get("spec")
        if isinstance(spec, Mapping):
            yield from _texts(spec.get("token"))
    elif isinstance(said, list):
        for step in said:
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
        for one in value.values() if isinstance(value, Mapping) else value:
            yield from _texts(one)


def _hidden(said: Json) -> Json:
    """Return a Secret without its values."""
    if isinstance(said, list):
        return [_step(one) for one in said]
    if not isinstance(said, Mapping):
        return said
    kept = {**said, **{field: _blank(said[field]) for field in _FIELDS if field in said}}
    if isinstance(spec := said.get("spec"), Mapping) and "token" in spec:
        kept["spec"] = {**spec, "token": MARK}
    metadata = said.get("metadata")
    if isinstance(metadata, Mapping) and isinstance(notes := metadata.get("annotations"), Mapping):
        less = {key: MARK if key == _LAST_APPLIED else one for key, one in notes.items()}
        kept["metadata"] = {**metadata, "annotations": less}
    return kept


def _step(step: Json) -> Json:
    if not isinstance(step, Mapping) or "value" not in step:
        return step
    return {**step, "value": _hidden(step["value"]) if _is_whole(step) else _blank(step["value"])}


def _blank(value: Json) -> Json:
    """Return names without values."""
    return dict.fromkeys(value, MARK) if isinstance(value, Mapping) else MARK

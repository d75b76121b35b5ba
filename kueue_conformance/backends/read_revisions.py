"""The newest revisions in answers that the harness has read: a story that comes later has to reach them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import orjson

from ..base.json_types import Json
from ..base.numbers import whole
from ..wire.transport import Transport


class ReadRevisions:
    """Records, by kind, the newest revision in an answer."""

    def __init__(self) -> None:
        self._newest: dict[str, int] = {}

    def witness(self, send: Transport) -> Transport:
        """Return a transport that records the newest revision that was read through it."""

        def send_and_record(
            method: str, path: str, headers: Mapping[str, str], body: bytes | None
        ) -> tuple[int, bytes]:
            code, data = send(method, path, headers, body)
            # A refusal is a Status, whose revision says nothing.
            if code < 300:
                self._record(data)
            return code, data

        return send_and_record

    def note(self, kind: str, objects: Iterable[Json]) -> None:
        """Record the newest revision of these objects."""
        self._newest[kind] = max([self.of(kind), *map(_revision, objects)])

    def of(self, kind: str) -> int:
        """Return the newest revision of a kind, 0 where none was read."""
        return self._newest.get(kind, 0)

    def are_reached(self, known: Mapping[str, int]) -> bool:
        """Tell whether a story that is complete up to these revisions, by kind, has all that was read."""
        return all(revision >= self.of(kind) for kind, revision in known.items())

    def _record(self, data: bytes) -> None:
        document = _object(data)
        is_list = "items" in document
        kind = str(document.get("kind", "")).removesuffix("List" if is_list else "")
        self.note(kind, document["items"] if is_list else [document])


def _object(data: bytes) -> Json:
    """Return the object of an answer, {} where the answer is text, such as a log."""
    try:
        document = orjson.loads(data)
    except orjson.JSONDecodeError:
        return {}
    return document if isinstance(document, dict) else {}


def _revision(document: Json) -> int:
    return whole(str((document.get("metadata") or {}).get("resourceVersion", ""))) or 0

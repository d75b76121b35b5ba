"""Answers reduced to metadata: PartialObjectMetadata and its list (FK-021, FK-131)."""

from __future__ import annotations

from collections.abc import Iterable

from ..api import status
from ..api.kind import Kind
from ..api.versions import to_served_version
from ..base.json_types import Json
from ..store import Stored
from . import frames
from .forms import Form

PARTIAL_OBJECT, PARTIAL_LIST = "PartialObjectMetadata", "PartialObjectMetadataList"
PARTIAL_KINDS = (PARTIAL_OBJECT, PARTIAL_LIST)


class PartialEncoder:
    """Writes metadata only; `wanted` is what the client asked for."""

    is_timeless = False

    def __init__(self, form: Form, version: str, target_kind: str) -> None:
        self.content_type = form.content_type
        self._form = form
        self.version = version
        self.target_kind = target_kind

    def object(self, kind: Kind, obj: Json) -> bytes:
        """Encode the metadata of one object."""
        # Custom resources are refused by another piece of code, with 500 and these words.
        if self.target_kind == PARTIAL_LIST and kind.custom:
            raise status.raw("content is not a list")
        if self.target_kind == PARTIAL_LIST:
            raise status.not_acceptable(
                f"you requested {PARTIAL_LIST}, but the requested object is not a list ({_go_type(kind)})"
            )
        return self._form.write(reduce_to_metadata(obj, self.version))

    def stored(self, kind: Kind, stored: Stored) -> bytes:
        """Encode one stored object."""
        return self.object(kind, to_served_version(kind, stored))

    def list(self, kind: Kind, items: Iterable[Stored], metadata: Json) -> bytes:
        """Encode the metadata of a list's items; no items are written as null."""
        if self.target_kind == PARTIAL_OBJECT:
            raise status.not_acceptable(
                f"you requested {PARTIAL_OBJECT}, but the requested object is a list ({_go_type(kind)}List)"
            )
        rows = [reduce_to_metadata(to_served_version(kind, stored), self.version) for stored in items]
        return self._form.write(
            {"apiVersion": self.version, "kind": PARTIAL_LIST, "metadata": metadata, "items": rows or None}
        )

    def event(self, kind: Kind, type: str, stored: Stored) -> bytes:  # noqa: A002
        """Encode a watch event; the frame is shared by all watchers of this form."""
        return stored.encode_once(
            (kind.api_version, kind.schema.converter, self.version, type, self.content_type),
            lambda _: self._form.event(
                type, reduce_to_metadata(to_served_version(kind, stored), self.version)
            ),
        )

    def bookmark(self, kind: Kind, revision: int, initial_end: bool) -> bytes:
        """Encode a bookmark."""
        del kind
        marker = frames.marker(self.version, PARTIAL_OBJECT, revision, initial_end=initial_end)
        return self._form.event("BOOKMARK", marker)

    def status(self, status: Json) -> bytes:
        """Encode a Status."""
        return self._form.write(status)

    def error(self, status: Json) -> bytes:
        """Encode an ERROR event."""
        return self._form.event("ERROR", status)


def reduce_to_metadata(obj: Json, version: str) -> Json:
    """Return an object's metadata under its own kind."""
    return {"apiVersion": version, "kind": PARTIAL_OBJECT, "metadata": obj.get("metadata", {})}


def _go_type(kind: Kind) -> str:
    if kind.custom:
        return "*unstructured.Unstructured"
    return f"*{kind.group.partition('.')[0] or 'core'}.{kind.kind}"

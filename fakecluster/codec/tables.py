"""Answers as tables, the way kubectl prints them (FK-420…FK-424).

The name column comes first; a kind that brings no columns shows when it was created.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal, cast

from ..api import status
from ..api.kind import Column, Kind
from ..api.versions import to_served_version
from ..base import work_budget
from ..base.json_types import Json
from ..store import Stored
from . import frames, partial
from .forms import Form

Include = Literal["None", "Metadata", "Object"]
INCLUDES = ("None", "Metadata", "Object")
LIST_FIELDS = ("resourceVersion", "continue", "remainingItemCount")
NAME_COLUMN = Column(
    name="Name",
    format="name",
    description="Unique within its namespace.",
    cell=lambda obj, _: _about(obj).get("name", ""),
)
CREATED_COLUMN = Column(
    name="Created At", type="date", cell=lambda obj, _: _about(obj).get("creationTimestamp")
)
"""The column of kinds that bring none."""


def _about(obj: Json) -> Json:
    """Return the metadata of an object; a blank one has none (FK-112)."""
    return obj.get("metadata", {})


def parse_include(include: str | None) -> Include:
    """Read `includeObject`. Raises 400 for a word it does not know (FK-423)."""
    if include and include not in INCLUDES:
        raise status.bad_request(
            "Unable to convert to Table as requested: includeObject: Invalid value: "
            f"\"{include}\": must be 'Metadata', 'Object', 'None', or empty"
        )
    return cast("Include", include or "Metadata")


class TableEncoder:
    """Writes tables for one request; in a watch only the first event carries the column definitions."""

    is_timeless = False

    def __init__(self, form: Form, version: str, include: Include, current_time: Callable[[], float]) -> None:
        self.content_type = form.content_type
        self._form = form
        self._version = version
        self._include = include
        self._current_time = current_time
        self._wrote_head = False

    def object(self, kind: Kind, obj: Json) -> bytes:
        """Encode a table of one row."""
        revision = _about(obj).get("resourceVersion")
        return self._form.write(self._table(kind, [obj], {"resourceVersion": revision} if revision else {}))

    def stored(self, kind: Kind, stored: Stored) -> bytes:
        """Encode one stored object."""
        return self.object(kind, to_served_version(kind, stored))

    def list(self, kind: Kind, items: Iterable[Stored], metadata: Mapping[str, Json]) -> bytes:
        """Encode a table with a row for each object."""
        shown = {name: metadata[name] for name in LIST_FIELDS if metadata.get(name)}
        return self._form.write(
            self._table(kind, [to_served_version(kind, stored) for stored in items], shown)
        )

    def event(self, kind: Kind, type: str, stored: Stored) -> bytes:  # noqa: A002
        """Encode a watch event around a table of one row. Raises TooMuchWork."""
        obj = to_served_version(kind, stored)
        with work_budget.fresh_budget():  # events are written when their request is over
            table = self._table(kind, [obj], {"resourceVersion": str(stored.revision)})
        return self._event(type, table)

    def bookmark(self, kind: Kind, revision: int, initial_end: bool) -> bytes:
        """Encode a bookmark: a table whose only row holds the annotation."""
        marker = frames.marker(kind.api_version, kind.kind, revision, initial_end=initial_end)
        blank = {**marker, "metadata": {"name": "", **marker["metadata"]}}
        row = {
            "cells": [column.cell(blank, self._current_time()) for column in table_columns(kind)],
            "object": {
                "kind": partial.PARTIAL_OBJECT,
                "apiVersion": self._version,
                "metadata": marker["metadata"],
            },
        }
        table = self._headless({"resourceVersion": str(revision)}, [row])
        return self._event(
            "BOOKMARK", {**table, "columnDefinitions": None if self._wrote_head else _head(kind)}
        )

    def status(self, status: Json) -> bytes:
        """Encode a Status."""
        return self._form.write(status)

    def error(self, status: Json) -> bytes:
        """Encode an ERROR event."""
        return self._form.event("ERROR", status)

    def _event(self, type: str, table: Json) -> bytes:  # noqa: A002
        # kubectl keeps the columns of the first event; later ones would be the same bytes again.
        shown = {**table, "columnDefinitions": None} if self._wrote_head else table
        self._wrote_head = True
        return self._form.event(type, shown)

    def _table(self, kind: Kind, objects: Sequence[Json], metadata: Json) -> Json:
        rows = [self._row(kind, obj) for obj in objects]
        # A table without columns of the kind has no empty list of rows.
        shown = rows if rows or kind.custom or kind.presentation.columns else None
        return {**self._headless(metadata, shown), "columnDefinitions": _head(kind)}

    def _headless(self, metadata: Json, rows: Sequence[Json] | None) -> Json:
        return {"kind": "Table", "apiVersion": self._version, "metadata": metadata, "rows": rows}

    def _row(self, kind: Kind, obj: Json) -> Json:
        current_time = self._current_time()
        cells = [column.cell(obj, current_time) for column in table_columns(kind)]
        # The member is null, not missing: kubectl tells the two apart.
        if self._include == "None":
            return {"cells": cells, "object": None}
        return {
            "cells": cells,
            "object": obj if self._include == "Object" else partial.reduce_to_metadata(obj, self._version),
        }


def table_columns(kind: Kind) -> tuple[Column, ...]:
    """Return all columns; the name comes first unless the kind has it elsewhere, as Event does."""
    columns = kind.presentation.columns or (CREATED_COLUMN,)
    named = any(column.format == "name" or column.name == "Name" for column in columns)
    return columns if named else (NAME_COLUMN, *columns)


def _head(kind: Kind) -> Sequence[Json]:
    return [
        {
            "name": column.name,
            "type": column.type,
            "format": column.format,
            "description": column.description or f"{column.name} of the {kind.kind}.",
            "priority": column.priority,
        }
        for column in table_columns(kind)
        if column.name
    ]

"""One JSON object a line: everything an entry has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import orjson

from ...base.json_types import Json
from ..entry import Entry
from .times import timestamp

PLAIN_FIELDS = (
    "seq",
    "audit_id",
    "user",
    "user_agent",
    "manager",
    "verb",
    "path",
    "group",
    "version",
    "resource",
    "subresource",
    "namespace",
    "name",
    "code",
    "reason",
    "message",
    "dry_run",
    "patch_type",
)


def pieces(entries: Iterable[Entry]) -> Iterator[bytes]:
    """Yield the lines."""
    for entry in entries:
        yield orjson.dumps(_object(entry), option=orjson.OPT_APPEND_NEWLINE)


def _object(entry: Entry) -> Json:
    changes = [
        {"revision": str(change.revision), "before": change.before, "after": change.after}
        for change in entry.changes
    ]
    return {
        "time": timestamp(entry.time),
        # Empty members are left out: most entries have most of them empty.
        **{name: value for name in PLAIN_FIELDS if (value := getattr(entry, name))},
        "body": entry.body.decode("utf-8", "replace"),
        "changes": changes,
        "notes": dict(entry.notes),
    }

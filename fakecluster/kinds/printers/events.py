"""The columns of Event, whose name comes last (FK-425)."""

from __future__ import annotations

from typing import Any

from ...api.kind import Column
from ...codec import ages
from ...codec.cells import column, member

Json = Any


def _first(event: Json) -> Json:
    return member("firstTimestamp", default=None)(event) or member("eventTime", default=None)(event)


def _last(event: Json) -> Json:
    series = member("series", "lastObservedTime", default=None)(event)
    return series or member("lastTimestamp", default=None)(event) or _first(event)


def _object(event: Json) -> str:
    found = event.get("involvedObject") or event.get("regarding") or {}
    return f"{found.get('kind', '').lower()}/{found.get('name', '')}"


def _part(event: Json) -> str:
    return str((event.get("involvedObject") or event.get("regarding") or {}).get("fieldPath", ""))


def _source(event: Json) -> str:
    source = event.get("source") or event.get("deprecatedSource") or {}
    component = (
        source.get("component") or event.get("reportingComponent") or event.get("reportingController") or ""
    )
    host = source.get("host") or event.get("reportingInstance") or ""
    return f"{component}, {host}" if host else str(component)


def _times(event: Json) -> int:
    return int(
        member("series", "count", default=0)(event) or event.get("count") or event.get("deprecatedCount") or 1
    )


EVENT = (
    Column(name="Last Seen", cell=lambda event, now: ages.since(_last(event), now)),
    column("Type", member("type")),
    column("Reason", member("reason")),
    column("Object", _object),
    column("Subobject", _part, wide=True),
    column("Source", _source, wide=True),
    column("Message", lambda event: str(event.get("message") or event.get("note") or "").strip()),
    Column(name="First Seen", priority=1, cell=lambda event, now: ages.since(_first(event), now)),
    column("Count", _times, "string", wide=True),
    Column(name="Name", format="name", priority=1, cell=lambda event, _: event["metadata"].get("name", "")),
)
TABLES = {("", "events"): EVENT, ("events.k8s.io", "events"): EVENT}

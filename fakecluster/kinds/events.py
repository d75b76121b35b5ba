"""The two kinds Event: core/v1 and events.k8s.io/v1 serve one stored object (FK-490, FK-491, FK-135)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ..api.kind import Column, Kind
from ..base.json_types import Json
from ..codec import ages
from ..codec.cells import column, member
from ..gotypes.golang import to_go_struct
from ..gotypes.typed import encode_members
from ..meta.labels import key_problems
from ..schema import fields
from ..schema.fields import FieldError
from .field_selectors import paths
from .row import row

STORED_AS = ("", "events")
CORE_NAMES: Mapping[str, str] = {
    "regarding": "involvedObject",
    "note": "message",
    "deprecatedSource": "source",
    "deprecatedFirstTimestamp": "firstTimestamp",
    "deprecatedLastTimestamp": "lastTimestamp",
    "deprecatedCount": "count",
    "reportingController": "reportingComponent",
}
NEW_NAMES = {core: new for new, core in CORE_NAMES.items()}
LIMITS = {"reportingInstance": 128, "action": 128, "reason": 128}
NOTE_LIMIT = 1024
UNSET_FIELDS: Mapping[str, Json] = {"firstTimestamp": None, "lastTimestamp": None, "count": 0, "source": {}}
IMMUTABLE_FIELDS = (
    "involvedObject",
    "reason",
    "message",
    "source",
    "firstTimestamp",
    "lastTimestamp",
    "count",
    "reason",
    "type",
    "eventTime",
    "action",
    "related",
    "reportingComponent",
    "reportingInstance",
)
MESSAGES = {
    "involvedObject": "core.v1.ObjectReference",
    "related": "core.v1.ObjectReference",
    "source": "core.v1.EventSource",
}
ZERO_VALUES: Mapping[str, Json] = {
    "count": 0,
    "source": {},
    "involvedObject": {},
    **dict.fromkeys(("reason", "message", "type", "action", "reportingComponent", "reportingInstance"), ""),
}
"""What Go has of a member that an Event lacks, where that is not null."""
NAMES_IN_ERRORS = {"reportingComponent": "reportingController"}


def to_core(event: Json) -> Json:
    """Return an events.k8s.io/v1 Event in the form in which it is stored."""
    renamed = {CORE_NAMES.get(name, name): value for name, value in event.items()}
    return encode_members("core.v1.Event", {**renamed, "apiVersion": "v1", "kind": "Event"})


def from_core(event: Json) -> Json:
    """Return a stored Event in the form of events.k8s.io/v1."""
    renamed = {NEW_NAMES.get(name, name): value for name, value in event.items()}
    return encode_members("events.v1.Event", {**renamed, "apiVersion": "events.k8s.io/v1", "kind": "Event"})


def validate(event: Json) -> list[FieldError]:
    """Judge a core/v1 Event: loosely, unless it has an eventTime."""
    return list(_legacy(event, "reportingComponent"))


def validate_new(event: Json) -> list[FieldError]:
    """Judge an events.k8s.io/v1 Event about to be created; fields are reported by their core names."""
    core = to_core(event)
    return [*_legacy(core, "reportingController"), *_series(core), *_strict(core)]


def validate_update(new: Json, old: Json) -> list[FieldError]:
    """Judge an update through events.k8s.io/v1: only the series may change."""
    after, before = to_core(new), to_core(old)
    changed = [name for name in IMMUTABLE_FIELDS if _member(after, name) != _member(before, name)]
    series = _series(after) if after.get("series") != before.get("series") else ()
    return [
        *_legacy(after, "reportingController"),
        *series,
        *(
            fields.invalid(
                NAMES_IN_ERRORS.get(name, name), _go_text(name, _member(after, name)), "field is immutable"
            )
            for name in changed
        ),
    ]


def _member(event: Json, name: str) -> Json:
    return event.get(name) or ZERO_VALUES.get(name)


def _go_text(name: str, value: Json) -> Json:
    """Return a value as Go prints it."""
    message = MESSAGES.get(name)
    return to_go_struct(message, value) if message else value


def _legacy(event: Json, controller: str) -> Iterator[FieldError]:
    own, other = event["metadata"].get("namespace", ""), event["involvedObject"].get("namespace", "")
    if not event.get("eventTime"):
        if other != own and (other or own != "default"):
            yield fields.invalid("involvedObject.namespace", other, "does not match event.namespace")
        return
    if not other and own not in {"default", "kube-system"}:
        yield fields.invalid("involvedObject.namespace", other, "does not match event.namespace")
    reporter = event.get("reportingComponent", "")
    if not reporter:
        yield fields.required(controller)
    for problem in key_problems(reporter):
        yield fields.invalid(controller, reporter, problem)
    for name, limit in LIMITS.items():
        if not event.get(name):
            yield fields.required(name)
        if len(event.get(name, "").encode()) > limit:
            yield fields.invalid(name, "", f"can have at most {limit} characters")
    if len(event.get("message", "").encode()) > NOTE_LIMIT:
        yield fields.invalid("message", "", f"can have at most {NOTE_LIMIT} characters")


def _series(event: Json) -> Iterator[FieldError]:
    series = event.get("series")
    if series is None:
        return
    if series["count"] < 2:
        yield fields.invalid("series.count", "", "should be at least 2")
    if not series["lastObservedTime"]:
        yield fields.required("series.lastObservedTime")


def _strict(event: Json) -> Iterator[FieldError]:
    if not event.get("eventTime"):
        yield fields.required("eventTime")
    if event.get("type") not in {"Normal", "Warning"}:
        yield fields.invalid("type", "", f"has invalid value: {event.get('type', '')}")
    for name, unset in UNSET_FIELDS.items():
        if event.get(name, unset) != unset:
            yield fields.invalid(name, "", "needs to be unset")


REFERENCE = ("kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath")


def _source(event: Json) -> str:
    """The component of the source, else the reporting component (field label `source`)."""
    source: str = event.get("source", {}).get("component", "") or event.get("reportingComponent", "")
    return source


CORE_FIELDS: Mapping[str, Callable[[Json], str]] = {
    **paths(*(f"involvedObject.{name}" for name in REFERENCE), "reason", "reportingComponent", "type"),
    "source": _source,
}
NEW_FIELDS: Mapping[str, Callable[[Json], str]] = {
    **paths(*(f"regarding.{name}" for name in REFERENCE), "reason", "reportingController", "type"),
}


def _first(event: Json) -> Json:
    return member("firstTimestamp", default=None)(event) or member("eventTime", default=None)(event)


def _last(event: Json) -> Json:
    series = member("series", "lastObservedTime", default=None)(event)
    return series or member("lastTimestamp", default=None)(event) or _first(event)


def _object(event: Json) -> str:
    involved_object = event.get("involvedObject") or event.get("regarding") or {}
    return f"{involved_object.get('kind', '').lower()}/{involved_object.get('name', '')}"


def _part(event: Json) -> str:
    return str((event.get("involvedObject") or event.get("regarding") or {}).get("fieldPath", ""))


def _source_text(event: Json) -> str:
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
    Column(name="Last Seen", cell=lambda event, current_time: ages.since(_last(event), current_time)),
    column("Type", member("type")),
    column("Reason", member("reason")),
    column("Object", _object),
    column("Subobject", _part, wide=True),
    column("Source", _source_text, wide=True),
    column("Message", lambda event: str(event.get("message") or event.get("note") or "").strip()),
    Column(
        name="First Seen",
        priority=1,
        cell=lambda event, current_time: ages.since(_first(event), current_time),
    ),
    column("Count", _times, "string", wide=True),
    Column(name="Name", format="name", priority=1, cell=lambda event, _: event["metadata"].get("name", "")),
)
KINDS: tuple[Kind, ...] = (
    row(
        "core.v1.Event",
        "events",
        short="ev",
        name_rule="path",
        create_on_update=True,
        validate=validate,
        selectable=CORE_FIELDS,
        columns=EVENT,
    ),
    row(
        "events.v1.Event",
        "events",
        short="ev",
        create_on_update=True,
        storage_key=STORED_AS,
        to_stored=to_core,
        from_stored=from_core,
        validate_new=validate_new,
        validate_update=validate_update,
        selectable=NEW_FIELDS,
        columns=EVENT,
    ),
)

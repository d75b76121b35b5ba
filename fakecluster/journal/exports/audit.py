"""Events of audit.k8s.io/v1 at level Request, one a line, as kube-apiserver's log backend writes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import orjson

from ...base.json_types import Json
from ..entry import AUDIT_ANNOTATIONS, Entry
from .times import timestamp


def pieces(entries: Iterable[Entry]) -> Iterator[bytes]:
    """Yield the lines."""
    for entry in entries:
        yield orjson.dumps(_event(entry), option=orjson.OPT_APPEND_NEWLINE)


def _event(entry: Entry) -> Json:
    at = timestamp(entry.time)
    status: Json = {"metadata": {}, "code": entry.code}
    if entry.message:
        status |= {"status": "Failure", "reason": entry.reason, "message": entry.message}
    return {
        "kind": "Event",
        "apiVersion": "audit.k8s.io/v1",
        "level": "Request",
        "auditID": entry.audit_id,
        # Entries are made when the answer is known, so both times are the same.
        "stage": "ResponseComplete",
        "requestURI": entry.path,
        "verb": entry.verb,
        "user": {"username": entry.user},
        # The listener is on loopback only, and the journal keeps no addresses.
        "sourceIPs": ["127.0.0.1"],
        "userAgent": entry.user_agent,
        **({"objectRef": _reference(entry)} if entry.resource else {}),
        "responseStatus": status,
        **_body(entry),
        **_annotations(entry),
        "requestReceivedTimestamp": at,
        "stageTimestamp": at,
    }


def _reference(entry: Entry) -> Json:
    reference = {
        "resource": entry.resource,
        "namespace": entry.namespace,
        "name": entry.name,
        "apiGroup": entry.group,
        "apiVersion": entry.version,
        "subresource": entry.subresource,
    }
    return {name: value for name, value in reference.items() if value}


def _annotations(entry: Entry) -> Json:
    annotations = entry.notes.get(AUDIT_ANNOTATIONS)
    return {"annotations": annotations} if annotations else {}


def _body(entry: Entry) -> Json:
    try:
        # A protobuf or cut body is left out: the field holds JSON.
        return {"requestObject": orjson.loads(entry.body)} if entry.body else {}
    except orjson.JSONDecodeError:
        return {}

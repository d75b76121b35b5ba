"""What the journal of a front keeps of a request (F-01)."""

from __future__ import annotations

import orjson

from ..api import options
from ..base.json_types import Json
from ..codec import protobuf
from ..codec.media import PROTOBUF
from ..journal import Change, Entry
from .objects import to_object
from .request import FrontRequest


def entry(
    current_time: float,
    ask: FrontRequest,
    code: int,
    answer: Json,
    answered: int,
    changes: tuple[Change, ...] = (),
) -> Entry:
    """Return the entry of a request that was answered with a code, and `said` as far as it could be read."""
    arrived, info = ask.arrived, ask.info
    failure = to_object(answer) if code >= 400 else {}
    return Entry(
        time=current_time,
        audit_id=ask.audit_id,
        user=ask.user.name,
        user_agent=arrived.header("user-agent") or "",
        manager=_manager(ask),
        verb=info.verb,
        path=arrived.path,
        query=arrived.query,
        group=info.group,
        version=info.version,
        resource=info.resource,
        subresource=info.subresource,
        namespace=info.namespace,
        name=info.name or _name_of_only_object(changes),
        code=code,
        reason=str(failure.get("reason", "")),
        message=str(failure.get("message", "")),
        dry_run=ask.dry_run,
        patch_type=(arrived.header("content-type") or "") if info.verb == "patch" else "",
        body=arrived.body,
        answered=answered,
        changes=changes,
    )


def tree(body: bytes, content_type: str) -> Json:
    """Return a body as JSON, an empty object when it is none that can be read."""
    try:
        return protobuf.decode(body) if content_type.startswith(PROTOBUF) else orjson.loads(body)
    except (orjson.JSONDecodeError, protobuf.ProtobufError):
        return {}


def _manager(ask: FrontRequest) -> str:
    """Return for whom a write is, as the server behind reads it (FK-201)."""
    if not ask.info.is_resource or ask.info.verb not in {"create", "update", "patch"}:
        return ""
    # Without the parameter the real server takes the first word of the user agent.
    return ask.request.option("fieldManager") or options.user_agent_manager(ask.request)


def _name_of_only_object(changes: tuple[Change, ...]) -> str:
    return str(changes[0].after["metadata"]["name"]) if len(changes) == 1 and changes[0].after else ""

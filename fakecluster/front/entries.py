"""What the journal of a front keeps of a request (F-01)."""

from __future__ import annotations

import orjson

from ..api import options
from ..base.json_types import Json
from ..codec import protobuf
from ..codec.media import PROTOBUF
from ..journal import Change, Entry
from .ask import Ask
from .objects import table


def entry(
    now: float, ask: Ask, code: int, said: Json, answered: int, changes: tuple[Change, ...] = ()
) -> Entry:
    """Return the entry of a request that was answered with a code, and `said` as far as it could be read."""
    arrived, info = ask.arrived, ask.info
    failed = table(said) if code >= 400 else {}
    return Entry(
        time=now,
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
        name=info.name or _named(changes),
        code=code,
        reason=str(failed.get("reason", "")),
        message=str(failed.get("message", "")),
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


def _manager(ask: Ask) -> str:
    """Return for whom a write is, as the server behind reads it (FK-201)."""
    if not ask.info.is_resource or ask.info.verb not in {"create", "update", "patch"}:
        return ""
    return ask.request.option("fieldManager") or options.user_agent_manager(ask.request)


def _named(changes: tuple[Change, ...]) -> str:
    return str(changes[0].after["metadata"]["name"]) if len(changes) == 1 and changes[0].after else ""

"""Reads answered from the state of so many revisions ago, by the means of the server behind: a list at
exactly that revision (F-03).

A revision that has left the history there is answered as the server answers it, 410.
"""

from __future__ import annotations

from urllib.parse import urlencode

from msgspec.structs import replace

from ..api import status
from ..api.outcome import Response
from .ask import Ask, collection
from .authentication import failed
from .objects import encoded, rows, table, thing
from .upstream import UpstreamServer

OTHER_TIMES = frozenset({"resourceVersion", "resourceVersionMatch"})


async def listing(ask: Ask, upstream: UpstreamServer) -> Ask:
    """Return a list of the past in place of one of the present; a page of a list that has begun stays as it
    is.
    """
    query = ask.arrived.query
    if any(name == "continue" and value for name, value in query):
        return ask
    kept = [pair for pair in query if pair[0] not in OTHER_TIMES]
    exact = await _exactly(ask, upstream)
    target = f"{ask.arrived.path}?{urlencode([*kept, *exact])}"
    return replace(ask, arrived=replace(ask.arrived, target=target))


async def getting(ask: Ask, upstream: UpstreamServer) -> Response:
    """Answer a get by what a list of the past has under its name. Raises NoAnswerError."""
    name = ("fieldSelector", f"metadata.name={ask.info.name}")
    query = urlencode([name, *await _exactly(ask, upstream)])
    code, found = await upstream.read(ask, f"{collection(ask.info)}?{query}")
    if code != 200:
        return Response(code=code, body=encoded(found))
    listed = table(found)
    for item in filter(None, map(thing, rows(listed.get("items")))):
        kind = str(listed.get("kind", "")).removesuffix("List")
        return Response(
            code=200, body=encoded({"apiVersion": listed.get("apiVersion"), "kind": kind, **item})
        )
    return failed(ask, _absent(ask))


async def _exactly(ask: Ask, upstream: UpstreamServer) -> list[tuple[str, str]]:
    then = max(1, await upstream.revision(ask) - ask.revisions_ago)
    return [("resourceVersion", str(then)), ("resourceVersionMatch", "Exact")]


def _absent(ask: Ask) -> status.StatusError:
    info = ask.info
    full = f"{info.resource}.{info.group}" if info.group else info.resource
    details = status.about(info.name, info.group, info.resource)
    return status.failure(404, "NotFound", f'{full} "{info.name}" not found', details)

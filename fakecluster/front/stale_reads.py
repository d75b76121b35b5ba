"""Reads answered from the state of so many revisions ago, by the means of the server behind: a list at
exactly that revision (F-03).

A revision that has left the history there is answered as the server answers it, 410.
"""

from __future__ import annotations

from urllib.parse import urlencode

from msgspec.structs import replace

from ..api import status
from ..api.outcome import Response
from .authentication import failure_response
from .objects import encode, to_array, to_kubernetes_object, to_object
from .request import FrontRequest, collection
from .upstream import UpstreamServer

OTHER_TIMES = frozenset({"resourceVersion", "resourceVersionMatch"})


async def list_from_past(ask: FrontRequest, upstream: UpstreamServer) -> FrontRequest:
    """Return a list of the past in place of one of the present;
    a page of a list that has begun stays as it is.
    """
    query = ask.arrived.query
    # The token of a page holds its revision; another one beside it would be refused.
    if any(name == "continue" and value for name, value in query):
        return ask
    other_parameters = [pair for pair in query if pair[0] not in OTHER_TIMES]
    exact = await _exactly(ask, upstream)
    target = f"{ask.arrived.path}?{urlencode([*other_parameters, *exact])}"
    return replace(ask, arrived=replace(ask.arrived, target=target))


async def get_from_past(ask: FrontRequest, upstream: UpstreamServer) -> Response:
    """Answer a get by what a list of the past has under its name. Raises NoAnswerError."""
    # A get cannot ask for an exact revision; a list of one name can.
    name = ("fieldSelector", f"metadata.name={ask.info.name}")
    query = urlencode([name, *await _exactly(ask, upstream)])
    code, answered_list = await upstream.read(ask, f"{collection(ask.info)}?{query}")
    if code != 200:
        return Response(code=code, body=encode(answered_list))
    listed = to_object(answered_list)
    for item in filter(None, map(to_kubernetes_object, to_array(listed.get("items")))):
        kind = str(listed.get("kind", "")).removesuffix("List")
        return Response(code=200, body=encode({"apiVersion": listed.get("apiVersion"), "kind": kind, **item}))
    return failure_response(ask, _absent(ask))


async def _exactly(ask: FrontRequest, upstream: UpstreamServer) -> list[tuple[str, str]]:
    # Revision 0 means any state to a real server.
    past_revision = max(1, await upstream.revision(ask) - ask.revisions_ago)
    return [("resourceVersion", str(past_revision)), ("resourceVersionMatch", "Exact")]


def _absent(ask: FrontRequest) -> status.StatusError:
    info = ask.info
    full = f"{info.resource}.{info.group}" if info.group else info.resource
    details = status.about(info.name, info.group, info.resource)
    return status.failure(404, "NotFound", f'{full} "{info.name}" not found', details)

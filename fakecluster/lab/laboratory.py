"""Routes requests under `/_fakecluster/` to what the laboratory can do, and answers in JSON (F-14)."""

from __future__ import annotations

import asyncio

import orjson

from ..api.outcome import Request, Response, StreamedResponse
from ..base.json_types import Json
from ..server.quiescence import NotQuiet
from ..server.threads.errors import NotRunning
from . import clock, faults, journal, pods
from .cluster import Cluster
from .routing import Answer, LabError, LabRequest, Route, StreamedAnswer, Table
from .states import SavedStates

PREFIX = "/_fakecluster/"


class Laboratory:
    """Takes requests for one cluster."""

    prefix = PREFIX

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._states = SavedStates()
        self._table: Table = {
            ("GET", ""): Route(self.index),
            **clock.TABLE,
            **faults.TABLE,
            **journal.TABLE,
            **pods.TABLE,
            **self._states.table,
        }

    async def answer(self, request: Request) -> Response | StreamedResponse:
        """Answer a request; what it asks for happens in a thread, because it may wait for the loop itself."""
        try:
            route, parameters = self._route(request.method, request.path.removeprefix(PREFIX).strip("/"))
            lab_request = LabRequest(
                parameters=parameters, query=dict(request.query), body=_body(request.body)
            )
            # On a thread, as `advance` waits for the very loop that answers here.
            return _response(200, await asyncio.to_thread(route.answer, self._cluster, lab_request))
        except LabError as refusal:
            return _response(refusal.code, {"error": str(refusal)})
        except NotQuiet as error:
            return _response(504, {"error": str(error)})
        except NotRunning as error:
            return _response(503, {"error": str(error)})

    def index(self, cluster: Cluster, request: LabRequest) -> Json:
        """List what can be asked here."""
        del cluster, request
        return {
            f"{method} {PREFIX}{path}": (route.handler.__doc__ or "").splitlines()[0]
            for (method, path), route in self._table.items()
        }

    def stop(self) -> None:
        """Stop what was started on request, and offer nothing any more: what is offered knows the desk, and
        so the cluster.
        """
        self._states.stop()
        # The table refers to methods of this object, which knows the cluster: without it both are freed at
        # once.
        self._table = {}

    def _route(self, method: str, path: str) -> tuple[Route, dict[str, str]]:
        routes_by_verb = {
            verb: (route, parameters)
            for (verb, pattern), route in self._table.items()
            if (parameters := _match_path(pattern, path)) is not None
        }
        if method in routes_by_verb:
            return routes_by_verb[method]
        if routes_by_verb:
            raise LabError(405, f"{method} {PREFIX}{path}: expected {' or '.join(routes_by_verb)}")
        raise LabError(404, f"nothing is at {PREFIX}{path}: GET {PREFIX} lists what there is")


def _match_path(pattern: str, path: str) -> dict[str, str] | None:
    """Return what stands for the {open} parts of a pattern, None when the path does not have its shape."""
    pattern_segments, path_segments = pattern.split("/"), path.split("/")
    if len(pattern_segments) != len(path_segments):
        return None
    pairs = list(zip(pattern_segments, path_segments, strict=True))
    if any(not want.startswith("{") and want != got for want, got in pairs):
        return None
    return {want[1:-1]: got for want, got in pairs if want.startswith("{")}


def _body(body: bytes) -> Json:
    try:
        return orjson.loads(body) if body else None
    except orjson.JSONDecodeError as error:
        raise LabError(400, f"the body is no JSON: {error}") from error


def _response(code: int, answer: Answer) -> Response | StreamedResponse:
    if isinstance(answer, StreamedAnswer):
        return StreamedResponse(code=code, pieces=answer.pieces, content_type=answer.content_type)
    return Response(code=code, body=orjson.dumps(answer, option=orjson.OPT_INDENT_2) + b"\n")

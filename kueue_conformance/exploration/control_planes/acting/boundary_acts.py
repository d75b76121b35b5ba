"""Requests at the limits of the API, as dry runs, and whether the answers are those of its definitions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ....base.json_types import Json
from ....case.context import CaseContext
from ....wire.client import ApiError
from ..acts import Act, Verb
from ..boundary_requests import DEFAULTS, REQUESTS, BoundaryRequest
from ..state import Contradiction
from .act_outcome import NOTHING_TO_DO, CarryOut

_REFUSALS = (400, 403, 422)
_NAMESPACED = ("Workload", "LocalQueue")


class BoundaryActs:
    """Sends requests that nothing is stored of, and notes the answers that are wrong."""

    def __init__(self, context: CaseContext, namespace: str, *, has_webhooks: bool) -> None:
        self._context = context
        self._namespace = namespace
        self._has_webhooks = has_webhooks
        self.contradictions: list[Contradiction] = []
        """What was wrong since the newest rest."""
        self.acts: CarryOut = {Verb.REQUEST: self._request}

    def _request(self, act: Act) -> object:
        dialect = self._context.dialect
        # The limits are those of releases from 0.19 on, and webhooks keep a part of them.
        if not self._has_webhooks or not (dialect.is_release and dialect.holds("0.19", "")):
            return NOTHING_TO_DO
        request = REQUESTS[act.option("of")]
        refusal, stored = self._send(request)
        for expected, observed in _differences(request, refusal, stored):
            self.contradictions.append(
                Contradiction(
                    statement="boundaries",
                    name=f"{request.kind} with {dict(request.fields)}",
                    expected=f"{expected} ({request.row})",
                    observed=observed,
                )
            )
        return None

    def _send(self, request: BoundaryRequest) -> tuple[ApiError | None, Json]:
        """Return the refusal, or the object as it would be stored. Raises ApiError for other errors."""
        client, manifest = self._context.client, request.manifest
        resource = client.resource(request.kind)
        namespace = self._namespace if request.kind in _NAMESPACED else ""
        # The labels of a run would count among those that have a limit.
        body = {"apiVersion": resource.api_version, **manifest}
        try:
            return None, client.call("POST", resource.path(namespace), body, dryRun="All")
        except ApiError as error:
            # A webhook that cannot be reached says nothing of the request.
            if error.code not in _REFUSALS:
                raise
            return error, {}


def _differences(
    request: BoundaryRequest, refusal: ApiError | None, stored: Json
) -> Iterator[tuple[str, str]]:
    if request.is_refused and refusal is None:
        yield "it is refused", "it is accepted"
    elif refusal is not None and not request.is_refused:
        yield "it is accepted", f"it is refused: {refusal}"
    elif refusal is None:
        defaults: Mapping[str, Any] = DEFAULTS.get(request.kind, {})
        for field, value in defaults.items():
            observed = stored["spec"].get(field)
            if field not in request.manifest["spec"] and observed != value:
                yield f"{field} is {value!r} where nothing is said", f"it is {observed!r}"

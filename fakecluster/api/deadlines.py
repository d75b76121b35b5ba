"""The `timeout` of a request that is no watch (FK-014)."""

from __future__ import annotations

import orjson

from ..base.numbers import durations
from . import routes, status
from .outcome import Request, Response
from .routes import RequestInfo

MIN_REQUEST_SECONDS = 0.0005
"""Seconds that a request takes at least; a request that allows less is refused."""
TIMEOUT_MESSAGE = "Timeout: request did not complete within the allotted timeout"


def check(request: Request) -> Response | None:
    """Return the answer to a request that allows no time for one, for every user.

    Raises 400 for what is no duration.
    """
    info = routes.parse(request.method, request.path, request.query)
    return timeout_response() if 0 < parse_timeout(request, info) < MIN_REQUEST_SECONDS else None


def parse_timeout(request: Request, info: RequestInfo) -> float:
    """Return the seconds that a request allows, 0 when it does not say.

    Raises 400 for what is no duration.
    """
    text = request.option("timeout")
    if not text or info.verb == "watch":
        return 0.0
    try:
        return seconds(text)
    except durations.DurationError as error:
        raise status.bad_request(f"invalid timeout specified in the request URL - time: {error}") from error


def seconds(text: str) -> float:
    """Read a duration such as `1h2m0.5s`. Raises DurationError with the text of the failure."""
    return durations.nanoseconds(text) / durations.SECOND


def timeout_response() -> Response:
    """Return the 504 of a request that ran out of time: the only Status without apiVersion and kind."""
    body = {
        "metadata": {},
        "status": "Failure",
        "message": TIMEOUT_MESSAGE,
        "reason": "Timeout",
        "details": {},
        "code": 504,
    }
    return Response(code=504, body=orjson.dumps(body) + b"\n", content_type="text/plain; charset=utf-8")

"""The `timeout` of a request that is no watch (FK-014)."""

from __future__ import annotations

import re
from collections.abc import Mapping

import orjson

from ..schema.fields import go_quote
from . import routes, status
from .outcome import Request, Response
from .routes import RequestInfo

UNITS: Mapping[str, float] = {
    "ns": 1e-9,
    "us": 1e-6,
    "µs": 1e-6,
    "μs": 1e-6,
    "ms": 1e-3,
    "s": 1.0,
    "m": 60.0,
    "h": 3600.0,
}
PART = re.compile(r"([0-9]+\.?[0-9]*|\.[0-9]+)([^0-9.]*)")
FASTEST = 0.0005
"""Seconds that a request takes at least; whoever allows less is not waited for."""
LONGEST = 2**63 / 1e9
"""Seconds that a number of nanoseconds can tell."""
MESSAGE = "Timeout: request did not complete within the allotted timeout"


def check(request: Request) -> Response | None:
    """Return the answer to a request that allows no time for one, whoever asks. Raises 400 for what is no duration."""
    info = routes.parse(request.method, request.path, request.query)
    return late() if 0 < allowed(request, info) < FASTEST else None


def allowed(request: Request, info: RequestInfo) -> float:
    """Return the seconds that a request allows, 0 when it does not say. Raises 400 for what is no duration."""
    text = request.option("timeout")
    if not text or info.verb == "watch":
        return 0.0
    try:
        return seconds(text)
    except ValueError as error:
        raise status.bad_request(f"invalid timeout specified in the request URL - time: {error}") from error


def seconds(text: str) -> float:
    """Read a duration such as `1h2m0.5s`. Raises ValueError with the text of the failure."""
    sign, rest = (-1, text[1:]) if text.startswith("-") else (1, text.removeprefix("+"))
    if rest == "0":
        return 0.0
    total, at = 0.0, 0
    while at < len(rest) or not at:
        match = PART.match(rest, at)
        if match is None:
            raise ValueError(f"invalid duration {go_quote(text)}")
        total += float(match.group(1)) * _unit(match.group(2), text)
        if total > LONGEST:
            raise ValueError(f"invalid duration {go_quote(text)}")
        at = match.end()
    return sign * total


def _unit(unit: str, text: str) -> float:
    if not unit:
        raise ValueError(f"missing unit in duration {go_quote(text)}")
    if unit not in UNITS:
        raise ValueError(f"unknown unit {go_quote(unit)} in duration {go_quote(text)}")
    return UNITS[unit]


def late() -> Response:
    """Return the one Status that does not say that it is one."""
    body = {
        "metadata": {},
        "status": "Failure",
        "message": MESSAGE,
        "reason": "Timeout",
        "details": {},
        "code": 504,
    }
    return Response(code=504, body=orjson.dumps(body) + b"\n", content_type="text/plain; charset=utf-8")

"""Where a redirect leads, as Go's HTTP client goes there (FK-306)."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urljoin

from ..api.outcome import Call, CallResult

SAME_METHOD = frozenset({307, 308})
AS_GET = frozenset({301, 302, 303})


def redirected(call: Call, result: CallResult) -> Call | None:
    """Return the call that a redirect asks for; None when the answer is none, or does not say where to go."""
    location = next((value for name, value in result.headers if name == "location"), "")
    if result.code not in SAME_METHOD | AS_GET or not location:
        return None
    there = replace(call, url=urljoin(call.url, location))
    if result.code in SAME_METHOD:
        return there
    headers = {name: value for name, value in call.headers.items() if name.lower() != "content-type"}
    return replace(there, method="GET", headers=headers, body=b"")

"""Where a redirect leads, and when to ask once more, as client-go sees it (FK-306, FK-307)."""

from __future__ import annotations

from urllib.parse import urljoin, urlsplit

from msgspec.structs import replace

from ...api.outcome import Call, CallResult
from .answer import NoAnswerError

SAME_METHOD = frozenset({307, 308})
AS_GET = frozenset({301, 302, 303})
BUSY = 429
SERVER_ERRORS = 500
LONGEST_DELAY_DIGITS = 9


def next_call(call: Call, result: CallResult) -> Call | None:
    """Return the call that a redirect asks for; None when the answer is none, or does not say where to go.

    Raises NoAnswerError for a place that cannot be read.
    """
    location = next((value for name, value in result.headers if name == "location"), "")
    if result.code not in SAME_METHOD | AS_GET or not location:
        return None
    url = _join(call.url, location)
    # The address of the Service holds for its own host only.
    same_host = urlsplit(url).netloc == urlsplit(call.url).netloc
    redirected_call = replace(call, url=url, address=call.address if same_host else None)
    if result.code in SAME_METHOD:
        return redirected_call
    # Go drops the body with the method, and what describes it.
    headers = {name: value for name, value in call.headers.items() if name.lower() != "content-type"}
    return replace(redirected_call, method="GET", headers=headers, body=b"")


def retry_delay(result: CallResult) -> float | None:
    """Return the seconds after which a busy server wants to be asked once more; None when it does not say."""
    if result.code != BUSY and result.code < SERVER_ERRORS:
        return None
    retry_after = next((value for name, value in result.headers if name == "retry-after"), "")
    readable = retry_after.isascii() and retry_after.isdecimal() and len(retry_after) <= LONGEST_DELAY_DIGITS
    return float(retry_after) if readable else None


def _join(base: str, location: str) -> str:
    try:
        url = urljoin(base, location)
        urlsplit(url)
    except ValueError as error:
        why = "missing ']' in host" if "[" in location else "invalid character in host name"
        raise NoAnswerError(
            f'failed to parse Location header "{location}": parse "{location}": {why}'
        ) from error
    return url

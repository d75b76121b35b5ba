"""What operators look at: metrics, /statusz and the
profiles that this process does not have (VIS-316, VC-23).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from ...runtime.metrics import CONTENT_TYPE, Metric
from ...runtime.serving.exchange import Response
from .negotiation import Accept
from .request_context import Endpoint, RequestContext
from .status import NO_SNIFFING, TEXT, TextError, not_acceptable

PROFILES: Final = (
    "allocs",
    "block",
    "goroutine",
    "heap",
    "mutex",
    "profile",
    "symbol",
    "threadcreate",
    "trace",
)
REQUESTS: Final = Metric(
    "apiserver_request_total",
    "counter",
    ("verb", "group", "version", "resource", "subresource", "code"),
    help="Requests that were answered, by what they asked for and the code of the answer.",
)
_PLAIN: Final = "text/plain"


def debugging_endpoints(
    exposition: Callable[[], str], release: str
) -> tuple[dict[str, Endpoint], dict[str, Endpoint]]:
    """Return the endpoints that the list of root paths names,
    and those that it does not; `exposition` writes the metrics.
    """
    metrics = partial(_metrics, exposition)
    listed: dict[str, Endpoint] = {
        "/metrics": metrics,
        "/metrics/slis": metrics,
        "/statusz": partial(_statusz, release),
    }
    unlisted: dict[str, Endpoint] = {
        "/debug/pprof": _to_profiles,
        "/debug/pprof/": _profile,
        "/debug/flags/v": _flag,
    }
    return listed, unlisted


async def _metrics(exposition: Callable[[], str], request: RequestContext) -> Response:
    del request
    return Response(code=200, headers=(("Content-Type", CONTENT_TYPE),), body=exposition().encode())


async def _statusz(release: str, request: RequestContext) -> Response:
    if not _reads_text(request.accept):
        raise not_acceptable(f"only the following media types are accepted: {_PLAIN}")
    body = f"\nkueue-visibility-server statusz\n\nBinary version: {release}\n"
    return Response(code=200, headers=(TEXT,), body=body.encode())


def _reads_text(accept: Accept) -> bool:
    meant = {("text", "plain"), ("text", "*"), ("*", "*")}
    return not accept.header or any((clause.type, clause.subtype) in meant for clause in accept.clauses)


async def _to_profiles(request: RequestContext) -> Response:
    del request
    return Response(
        code=302, headers=(("Location", "/debug/pprof/"), ("Content-Type", "text/html; charset=utf-8"))
    )


async def _profile(request: RequestContext) -> Response:
    """Profiles are Go's: each known one is served empty, so that a client finds the path and no samples."""
    name = request.url.path.removeprefix("/debug/pprof/")
    if not name:
        body = "".join(f'<a href="{profile}">{profile}</a>\n' for profile in PROFILES)
        return Response(
            code=200, headers=(("Content-Type", "text/html; charset=utf-8"), NO_SNIFFING), body=body.encode()
        )
    if name not in PROFILES:
        raise TextError(404, "Unknown profile\n")
    return Response(code=200, headers=(("Content-Type", "application/octet-stream"), NO_SNIFFING))


async def _flag(request: RequestContext) -> Response:
    del request
    return Response(code=406, headers=(("Content-Type", _PLAIN),), body=b"unsupported http method\n")

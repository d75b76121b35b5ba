"""Whether the server is well: /healthz, /livez and /readyz, and a path for
each check (VIS-313…315, VC-18).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from ...api.quoting import go_quote
from ...runtime.serving.exchange import Response
from .request_context import Endpoint, RequestContext
from .status import NO_SNIFFING, TEXT, TextError

Checks = Mapping[str, Callable[[], bool]]
"""What is really looked at, by the name of the check; every other check is passed."""
_HOOKS: Final = (
    "poststarthook/start-apiserver-admission-initializer",
    "poststarthook/generic-apiserver-start-informers",
    "poststarthook/priority-and-fairness-config-consumer",
    "poststarthook/priority-and-fairness-filter",
    "poststarthook/storage-object-count-tracker-hook",
)
_ALIVE: Final = ("ping", "log", "loopback-serving-certificate", *_HOOKS)
CHECKS: Final[Mapping[str, tuple[str, ...]]] = {
    "healthz": _ALIVE,
    "livez": _ALIVE,
    "readyz": ("ping", "log", *_HOOKS[:2], "informer-sync", *_HOOKS[2:], "shutdown"),
}
"""The checks of each path, in their order (VIS-315)."""


def health_endpoints(checks: Checks) -> dict[str, Endpoint]:
    """Return the endpoints by path; the three of VIS-313 need no authorization, the others do."""
    endpoints: dict[str, Endpoint] = {}
    for name, members in CHECKS.items():
        endpoints[f"/{name}"] = partial(_all_of, name, members, checks)
        for member in members:
            endpoints[f"/{name}/{member}"] = partial(_one, member, checks)
    return endpoints


def _passes(name: str, checks: Checks) -> bool:
    return name not in checks or checks[name]()


async def _one(name: str, checks: Checks, request: RequestContext) -> Response:
    del request
    if not _passes(name, checks):
        raise TextError(500, f"internal server error: {name} check failed\n")
    return Response(code=200, headers=(TEXT,), body=b"ok")


async def _all_of(name: str, members: tuple[str, ...], checks: Checks, request: RequestContext) -> Response:
    excluded = {check for check in request.url.all_of("exclude") if check}
    passed = {check for check in members if check in excluded or _passes(check, checks)}
    lines = [_line(check, check in excluded, check in passed) for check in members]
    unknown = sorted(excluded - set(members))
    if unknown:
        quoted = ",".join(map(go_quote, unknown))
        lines.append(f"warn: some health checks cannot be excluded: no matches for {quoted}")
    if len(passed) < len(members):
        raise TextError(500, "\n".join([*lines, f"{name} check failed\n"]))
    verbose = request.url.first("verbose") is not None
    body = "\n".join([*lines, f"{name} check passed\n"]) if verbose else "ok"
    return Response(code=200, headers=(TEXT, NO_SNIFFING), body=body.encode())


def _line(name: str, excluded: bool, passed: bool) -> str:
    if excluded:
        return f"[+]{name} excluded: ok"
    return f"[+]{name} ok" if passed else f"[-]{name} failed: reason withheld"

"""Conventions of API clients: findings about any controller, whatever its purpose (apiserver/F-07)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from ...base.bounds import Bound
from ...history.story import Request
from ...scenarios.outcome import Level
from ..story import Finding, Judge, SafetyRule, Story

# A reflector lists once more each time that its watch is cut; faults of a scenario cut several.
_LISTS = Bound("lists", most=5)
"""Lists of one resource beyond those that a watch follows; with more a client polls."""
_EVENTS = Bound("events", most=20)
"""Events in one case; more are a habit."""
_NAMELESS = (
    "",
    "python-requests",
    "python-urllib3",
    "OpenAPI-Generator",
    "Go-http-client",
    "aiohttp",
    "Python",
    "axios",
    "node-fetch",
)
"""User agents of libraries, which do not name the controller."""


def _first_of_each(fits: Callable[[Request], bool], text: Callable[[Request], str]) -> Judge:
    """Return the judge that tells the first request of each resource that fits, with how many there were."""

    def judge(story: Story) -> Iterator[Finding]:
        hits: dict[str, list[Request]] = {}
        for request in story.requests:
            # A refused request has no effect that could be a habit.
            if request.code < 300 and fits(request):
                hits.setdefault(request.target, []).append(request)
        yield from (
            (requests[0], f"{text(requests[0])}, {len(requests)} time(s)") for requests in hits.values()
        )

    return judge


def _starts_without_version(request: Request) -> bool:
    """Tell whether a watch begins neither where a list ended
    nor with all that is there, as streaming lists do.
    """
    return (
        request.verb == "watch"
        and not request.query.get("resourceVersion")
        # Streaming lists (client-go's WatchList) begin without a version on purpose.
        and request.query.get("sendInitialEvents") != "true"
    )


def _polls(story: Story) -> Iterator[Finding]:
    requests = [
        request for request in story.requests if request.code < 300 and request.verb in ("list", "watch")
    ]
    lists = Counter(
        (request.resource, request.namespace)
        for request in requests
        # The later pages of a list are the same list.
        if request.verb == "list" and "continue" not in request.query
    )
    watches = Counter(
        (request.resource, request.namespace) for request in requests if request.verb == "watch"
    )
    last = {(request.resource, request.namespace): request for request in requests if request.verb == "list"}
    for key, times in lists.items():
        if not _LISTS.holds(times - watches[key]):
            words = f"{_LISTS.describe(times)}, {watches[key]} of them followed by a watch"
            yield last[key], f"{words}; expected {_LISTS} without one"


def _events(story: Story) -> Iterator[Finding]:
    requests = [
        request
        for request in story.requests
        if (request.verb, request.resource) == ("create", "events") and request.code < 300
    ]
    if not _EVENTS.holds(len(requests)):
        yield requests[-1], f"{_EVENTS.describe(len(requests))} in one case, expected {_EVENTS}"


def _nameless(story: Story) -> Iterator[Finding]:
    nameless = next(
        (request for request in story.requests if request.agent.partition("/")[0] in _NAMELESS), None
    )
    if nameless:
        yield nameless, f"User-Agent {nameless.agent!r}"


CLIENT_CONVENTIONS = (
    SafetyRule(
        "CC-080",
        f"does not emit an event each time it reconciles an object: {_EVENTS} in a case",
        _events,
        level=Level.MAY,
    ),
    SafetyRule(
        "F-07.1",
        "watches from the resourceVersion of its list",
        _first_of_each(
            _starts_without_version, lambda request: f"watch of {request.resource} without resourceVersion"
        ),
        level=Level.SHOULD,
    ),
    SafetyRule(
        "F-07.2",
        f"watches instead of listing again and again: {_LISTS} without a watch",
        _polls,
        level=Level.SHOULD,
    ),
    SafetyRule(
        "F-07.3",
        "lists in pages, or from the watch cache",
        _first_of_each(
            # A list with neither needs the newest state of the whole collection at once;
            # resourceVersion=0 is answered from the cache of the server.
            lambda request: (
                request.verb == "list" and not {"limit", "resourceVersion"} & request.query.keys()
            ),
            lambda request: f"list of {request.resource} without limit or resourceVersion",
        ),
        level=Level.MAY,
    ),
    SafetyRule(
        "F-07.4",
        "requests bookmarks with its watches",
        _first_of_each(
            lambda request: request.verb == "watch" and request.query.get("allowWatchBookmarks") != "true",
            lambda request: f"watch of {request.resource} without allowWatchBookmarks",
        ),
        level=Level.MAY,
    ),
    SafetyRule("F-07.5", "names itself in its User-Agent", _nameless, level=Level.MAY),
    SafetyRule(
        "F-07.6",
        "names a field manager where it writes",
        _first_of_each(
            lambda request: (
                request.verb in ("create", "update", "patch")
                and bool(request.kind)
                and not request.query.get("fieldManager")
            ),
            lambda request: f"{request.verb} of {request.target} without fieldManager",
        ),
        level=Level.MAY,
    ),
)

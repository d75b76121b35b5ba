"""Conventions of API clients: findings about any controller, whatever its purpose (apiserver/F-07)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from ...history.story import Request
from ...scenarios.outcome import Level
from ..story import Finding, Judge, SafetyRule, Story

_POLLS = 5
"""Lists of one resource beyond those that a watch follows, from which on a client polls."""
_EVENTS = 20
"""The number of Events in one case that counts as a habit."""
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

    def found(story: Story) -> Iterator[Finding]:
        hits: dict[str, list[Request]] = {}
        for one in story.requests:
            if one.code < 300 and fits(one):
                hits.setdefault(one.target, []).append(one)
        yield from ((each[0], f"{text(each[0])}, {len(each)} time(s)") for each in hits.values())

    return found


def _starts_anywhere(one: Request) -> bool:
    """Tell whether a watch begins neither where a list ended
    nor with all that is there, as streaming lists do.
    """
    return (
        one.verb == "watch"
        and not one.query.get("resourceVersion")
        and one.query.get("sendInitialEvents") != "true"
    )


def _polls(story: Story) -> Iterator[Finding]:
    asked = [one for one in story.requests if one.code < 300 and one.verb in ("list", "watch")]
    lists = Counter(
        (one.resource, one.namespace) for one in asked if one.verb == "list" and "continue" not in one.query
    )
    watches = Counter((one.resource, one.namespace) for one in asked if one.verb == "watch")
    last = {(one.resource, one.namespace): one for one in asked if one.verb == "list"}
    for key, times in lists.items():
        if times - watches[key] > _POLLS:
            yield last[key], f"listed {times} times, watched {watches[key]} time(s)"


def _events(story: Story) -> Iterator[Finding]:
    made = [
        one for one in story.requests if (one.verb, one.resource) == ("create", "events") and one.code < 300
    ]
    if len(made) > _EVENTS:
        yield made[-1], f"{len(made)} events in one case"


def _nameless(story: Story) -> Iterator[Finding]:
    found = next((one for one in story.requests if one.agent.partition("/")[0] in _NAMELESS), None)
    if found:
        yield found, f"User-Agent {found.agent!r}"


CLIENT_CONVENTIONS = (
    SafetyRule("CC-080", "does not emit an event with every look at an object", _events, level=Level.MAY),
    SafetyRule(
        "F-07.1",
        "watches from where its list ended",
        _first_of_each(_starts_anywhere, lambda one: f"watch of {one.resource} without resourceVersion"),
        level=Level.SHOULD,
    ),
    SafetyRule("F-07.2", "watches instead of listing again and again", _polls, level=Level.SHOULD),
    SafetyRule(
        "F-07.3",
        "lists in pages, or what the server has at hand",
        _first_of_each(
            lambda one: one.verb == "list" and not {"limit", "resourceVersion"} & one.query.keys(),
            lambda one: f"list of {one.resource} without limit or resourceVersion",
        ),
        level=Level.MAY,
    ),
    SafetyRule(
        "F-07.4",
        "asks watches for bookmarks",
        _first_of_each(
            lambda one: one.verb == "watch" and one.query.get("allowWatchBookmarks") != "true",
            lambda one: f"watch of {one.resource} without allowWatchBookmarks",
        ),
        level=Level.MAY,
    ),
    SafetyRule("F-07.5", "says who it is in its User-Agent", _nameless, level=Level.MAY),
    SafetyRule(
        "F-07.6",
        "names a field manager where it writes",
        _first_of_each(
            lambda one: (
                one.verb in ("create", "update", "patch")
                and bool(one.kind)
                and not one.query.get("fieldManager")
            ),
            lambda one: f"{one.verb} of {one.target} without fieldManager",
        ),
        level=Level.MAY,
    ),
)

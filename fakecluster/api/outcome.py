"""What comes in and what goes out of the core: a Request, and a Response, a Watch or a Call (design.md §5).

The core does no I/O. Whoever needs the network is returned as a `Call`, which the server performs and feeds back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..store import Event

Json = Any
NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    """Who asks."""

    name: str
    groups: tuple[str, ...] = ()
    uid: str = ""
    extra: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: NOTHING)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One HTTP request, read completely. Header names are lower case; the query keeps order and repetitions."""

    method: str
    path: str
    query: tuple[tuple[str, str], ...] = ()
    headers: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    body: bytes = b""
    user: User
    audit_id: str

    def option(self, name: str) -> str | None:
        """Return the first value of a query parameter."""
        return next((value for key, value in self.query if key == name), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """A complete answer. The server adds the headers that every answer carries (FK-009)."""

    code: int
    body: bytes
    content_type: str = "application/json"
    headers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """A stream: `initial` frames at once, then `frame(event)` for each event after revision `since`.

    `frame` returns None for an event that the watcher does not see; frames are complete lines or length-prefixed messages.
    `bookmark(revision)` makes the frame of a bookmark. `deadline` is the moment the server closes the stream.
    """

    since: int
    initial: tuple[bytes, ...] = ()
    frame: Callable[[Event], bytes | None]
    bookmark: Callable[[int], bytes] | None = None
    deadline: float | None = None
    content_type: str = "application/json"
    headers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A request to somebody else that must be answered before this one can go on."""

    method: str
    url: str
    headers: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    body: bytes = b""
    timeout: float
    ca: bytes | None = None
    resume: Callable[[CallResult], Outcome]


@dataclass(frozen=True, slots=True, kw_only=True)
class CallResult:
    """What came of a Call: an answer, or the text of why there is none."""

    code: int = 0
    body: bytes = b""
    error: str = ""


Outcome = Response | Watch | Call

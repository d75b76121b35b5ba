"""What comes in and what goes out of the core: a Request, and a Response, a Watch or a Proxy (design.md §5).

The core does no I/O. Other servers are asked by a `Call`, which the server performs (`api.steps`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from ..base.json_types import Json

if TYPE_CHECKING:
    from ..store import Event
    from .service_address import Address

EMPTY: Mapping[str, Any] = MappingProxyType({})


class User(Struct, frozen=True, kw_only=True):
    """The authenticated user of a request."""

    name: str
    groups: tuple[str, ...] = ()
    uid: str = ""
    extra: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: EMPTY)


class Request(Struct, frozen=True, kw_only=True):
    """One HTTP request, read completely.

    Header names are lower case; the query keeps order and repetitions.
    """

    method: str
    path: str
    query: tuple[tuple[str, str], ...] = ()
    headers: Mapping[str, str] = field(default_factory=lambda: EMPTY)
    body: bytes = b""
    user: User
    audit_id: str
    warnings: tuple[str, ...] = ()
    """What was noticed before the request came here."""
    all_headers: tuple[tuple[str, str], ...] = ()
    """Every header in order, where one may repeat."""
    shares_loop: bool = False
    """Whether others wait while the request is worked on, so that its long computations are done apart."""

    def option(self, name: str) -> str | None:
        """Return the first value of a query parameter."""
        for key, value in self.query:
            if key == name:
                return value
        return None


class StreamedResponse(Struct, frozen=True, kw_only=True):
    """A complete answer that is made while it is written: a piece is taken, on another thread, when the
    client has read those before it.
    """

    code: int
    pieces: Iterator[bytes]
    content_type: str


class Response(Struct, frozen=True, kw_only=True):
    """A complete answer. The server adds the headers that every answer carries (FK-009)."""

    code: int
    body: bytes
    content_type: str = "application/json"
    headers: tuple[tuple[str, str], ...] = ()
    tag: Hashable = None
    """Answers of one cluster with the same tag have the same body; None when that is not known."""


def _ignore_count(frames: int) -> None:
    del frames


class Watch(Struct, frozen=True, kw_only=True):
    """A stream: `initial` frames at once, then `frame(event)` for each event after revision `since`.

    `frame` returns None for an event that the watcher does not see; frames are complete lines or
    length-prefixed messages. `bookmark(revision)` makes the frame of a bookmark. `deadline` is the moment the
    server closes the stream.
    """

    since: int
    resource: tuple[str, str] | None = None
    """(group, plural) as which what it sees is stored; None when that cannot be told."""
    initial: Iterable[bytes] = ()
    """Is gone through once, as far as the client reads."""
    opening: Callable[[], Iterable[bytes]] | None = None
    """Makes the initial frames where a webhook converts them first. Raises NeedsSteps, as `frame` may."""
    frame: Callable[[Event], bytes | None]
    view: Hashable = None
    """Streams with equal views get the same frames for the same events; None when that cannot be told."""
    count: Callable[[int], None] = _ignore_count
    """Is told how many frames were sent."""
    bookmark: Callable[[int], bytes] | None = None
    error: Callable[[Json], bytes] | None = None
    """Makes the frame that ends the stream with a Status."""
    deadline: float | None = None
    served: Callable[[], bool] | None = None
    """Whether what is watched is still there; None for what always is (FK-149)."""
    content_type: str = "application/json"
    headers: tuple[tuple[str, str], ...] = ()
    websocket: bool = False
    """Whether the client asked for a WebSocket, whose messages the frames are then."""

    @property
    def code(self) -> int:
        """The status of its answer."""
        return 101 if self.websocket else 200


class WebSocketMessages(Struct, frozen=True, kw_only=True):
    """A WebSocket that is opened with a subprotocol, is sent binary messages, and closed."""

    protocol: str
    messages: tuple[bytes, ...]
    code: int = 101


class Call(Struct, frozen=True, kw_only=True):
    """A request to another server. `timeout` is in seconds of real time, whatever clock the cluster has."""

    method: str
    url: str
    headers: Mapping[str, str] = field(default_factory=lambda: EMPTY)
    body: bytes = b""
    timeout: float
    ca: bytes | None = None
    """The authorities of the server's certificate, PEM; None stands for the authorities of this machine."""
    address: Address | None = None
    """Where to connect when that is not the host of the URL, as for a Service."""
    unreachable: str = ""
    """Why there is nowhere to connect to; such a call is answered with this."""
    follow: bool = False
    """Whether redirects are followed, and a server that asks for it is asked once more."""
    longest: int = 0
    """Bytes of an answer beyond which it is an error of the call; 0 stands for those of any answer."""


class CallResult(Struct, frozen=True, kw_only=True):
    """What came of a Call: an answer, or the sentence of why there is none, which names the URL."""

    code: int = 0
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    error: str = ""
    seconds: float = 0.0
    """How long it took, in real time."""


class Proxy(Struct, frozen=True, kw_only=True):
    """A request that another server answers; the answer is relayed as it comes.

    `answer_headers`, `refused` and `failed` make of what came back what the client sees.
    """

    method: str
    target: str
    headers: tuple[tuple[str, str], ...]
    body: bytes = b""
    address: Address
    name: str
    """The name that the server's certificate must be good for."""
    inside: str = ""
    """`namespace/name` of the Service when a coroutine of this process answers for it."""
    ca: bytes | None = None
    """The authorities of the certificate, PEM; None when it is not verified."""
    answer_headers: Callable[[tuple[tuple[str, str], ...]], tuple[tuple[str, str], ...]]
    refused: Callable[[int], Response | None] = lambda code: None  # noqa: ARG005
    """Returns what is answered instead of an answer with this status."""
    failed: Callable[[str], Response]
    """Returns what is answered when there is no answer, for this reason."""
    answered: Callable[[int], None] = lambda code: None  # noqa: ARG005
    """Told the status when it is known."""


Outcome = Response | Watch | WebSocketMessages | Proxy

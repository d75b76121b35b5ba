"""Clients that write, list, get and watch, and note what they have seen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

from msgspec.structs import replace

from fakecluster.histories import Get, List, Selector, Span, Watch, WatchEvent, Write

from .servers import NAMESPACE, RESOURCE
from .wire import Answer, LostAnswer

NAMES = tuple(f"map-{letter}" for letter in "abcdef")
LABEL, VALUES = "team", ("x", "y")
COLLECTION = f"/api/v1/namespaces/{{namespace}}/{RESOURCE}"
GONE, NOT_FOUND = 410, 404
INITIAL_END = "k8s.io/initial-events-end"


class Notes:
    """What all clients of one run have seen, and its counter of moments."""

    def __init__(self, namespace: str = NAMESPACE) -> None:
        self.namespace = namespace
        self.writes: list[Write] = []
        self.lists: list[List] = []
        self.gets: list[Get] = []
        self.watches: list[Watch] = []
        self.removals: list[tuple[str, Span, int]] = []
        """Uid of what was removed, when, and the precondition."""
        self._moment = 0

    @property
    def path(self) -> str:
        return COLLECTION.format(namespace=self.namespace)

    def removals_of(self, witnessed_writes: Iterable[Write]) -> Iterator[Write]:
        """Yield the removals that clients asked for, with the revision that others saw."""
        removed = {write.object["metadata"]["uid"]: write for write in witnessed_writes if write.is_removal}
        for uid, span, precondition in self.removals:
            if uid in removed:
                yield replace(removed[uid], span=span, precondition=precondition)

    def moment(self) -> int:
        """Return the next number."""
        self._moment += 1
        return self._moment


class Client:
    """A client with at most one request under way; `step` begins it, or reads its answer."""

    def __init__(self, name: str, notes: Notes, draw: Random) -> None:
        self.name, self.notes, self.draw = name, notes, draw
        self._answer: Answer | None = None
        self._begin = 0
        self.latest = 0
        """The newest revision that it has seen."""

    @property
    def is_busy(self) -> bool:
        return self._answer is not None

    def send(self, server, method, path, query=None, body=None) -> None:
        self._begin = self.notes.moment()
        self._answer = Answer(server.address.send(method, path, query or {}, body))

    def receive(self, server) -> tuple[int, dict] | None:
        """Return code and body of the answer; None where it is lost."""
        answer, self._answer = self._answer, None
        server.turn()
        for _ in range(5):
            answer.read(server.wait_seconds)
            if answer.is_over:
                break
            server.turn()
        answer.close()
        try:
            return answer.json()
        except LostAnswer:
            return None

    def forget(self) -> None:
        """Drop the request under way: its server is another one now."""
        if self._answer is not None:
            self._answer.close()
            self._answer = None

    def span(self) -> Span:
        return Span(self.name, self._begin, self.notes.moment())

    def saw(self, item) -> int:
        revision = int(item["metadata"]["resourceVersion"])
        self.latest = max(self.latest, revision)
        return revision


class Writer(Client):
    """Creates, replaces, patches and deletes ConfigMaps, with and without a precondition."""

    def __init__(self, name, notes, draw) -> None:
        super().__init__(name, notes, draw)
        self._known: dict[str, dict] = {}
        self._precondition = 0
        self._method = ""

    def begin(self, server) -> None:
        draw, path = self.draw, self.notes.path
        name = draw.choice(NAMES)
        labels = {LABEL: draw.choice(VALUES)} if draw.random() < 0.8 else {}
        body = {"metadata": {"name": name, "labels": labels}, "data": {"n": str(draw.randrange(10**6))}}
        self._method = draw.choices(("POST", "PUT", "PATCH", "DELETE"), (3, 3, 3, 2))[0]
        self._precondition = 0
        last_state = self._known.get(name)
        if last_state and self._method != "POST" and draw.random() < 0.5:
            self._precondition = int(last_state["metadata"]["resourceVersion"])
        if self._method == "POST":
            self.send(server, "POST", path, body=body)
            return
        if self._method == "DELETE":
            text = str(self._precondition)
            body = {"preconditions": {"resourceVersion": text}} if self._precondition else None
        elif self._precondition:
            body["metadata"]["resourceVersion"] = str(self._precondition)
        if self._method == "PATCH" and not labels:
            body["metadata"]["labels"] = {LABEL: None}
        self.send(server, self._method, f"{path}/{name}", body=body)

    def finish(self, server) -> None:
        answer = self.receive(server)
        if answer is None or answer[0] >= 300:
            return
        _, item = answer
        if self._method == "DELETE":
            # Answered by a Status: at which revision it was removed, others see.
            self._known.pop(item["details"]["name"], None)
            self.notes.removals.append((item["details"]["uid"], self.span(), self._precondition))
            return
        revision = self.saw(item)
        self._known[item["metadata"]["name"]] = item
        self.notes.writes.append(
            Write(span=self.span(), revision=revision, object=item, precondition=self._precondition)
        )


class Reader(Client):
    """Lists, in pages or whole, and gets, at every kind of revision."""

    def __init__(self, name, notes, draw) -> None:
        super().__init__(name, notes, draw)
        self._read: dict = {}
        self._pages: list[dict] = []

    def begin(self, server) -> None:
        if self._pages:
            self._next_page(server)
            return
        draw = self.draw
        requested, match = None, ""
        if self.latest and draw.random() < 0.5:
            requested = draw.choice((0, self.latest))
            match = draw.choice(("", "NotOlderThan", "Exact")) if requested else ""
        if draw.random() < 0.3:
            self._read = {"name": draw.choice(NAMES), "requested": requested}
            query = {"resourceVersion": str(requested)} if requested is not None else {}
            self.send(server, "GET", f"{self.notes.path}/{self._read['name']}", query)
            return
        selector = draw_selector(draw)
        limit = draw.choice((0, 0, 1, 2))
        if limit and requested and not match:
            # The one combination in which a limit makes an exact read of it.
            match = "NotOlderThan"
        query = query_of(selector)
        if requested is not None:
            query["resourceVersion"] = str(requested)
        if match:
            query["resourceVersionMatch"] = match
        if limit:
            query["limit"] = str(limit)
        self._read = {"selector": selector, "requested": requested, "match": match, "query": query}
        self.send(server, "GET", self.notes.path, query)
        self._read["begin"] = self._begin

    def _next_page(self, server) -> None:
        query = {key: value for key, value in self._read["query"].items() if not key.startswith("resource")}
        query["continue"] = self._pages[-1]["metadata"]["continue"]
        self.send(server, "GET", self.notes.path, query)

    def finish(self, server) -> None:
        answer = self.receive(server)
        if "name" in self._read:
            self._finish_get(answer)
        elif answer is None or answer[0] != 200:
            self._pages = []
        else:
            self._pages.append(answer[1])
            if not answer[1]["metadata"].get("continue"):
                self._note_list()

    def forget(self) -> None:
        super().forget()
        self._pages = []

    def _finish_get(self, answer) -> None:
        if answer is None or answer[0] not in (200, NOT_FOUND):
            return
        code, item = answer
        if code == 200:
            self.saw(item)
        key = (self.notes.namespace, self._read["name"])
        stored = item if code == 200 else None
        self.notes.gets.append(
            Get(span=self.span(), key=key, object=stored, requested=self._read["requested"])
        )

    def _note_list(self) -> None:
        pages, self._pages = self._pages, []
        revisions = [self.saw(page) for page in pages]
        read = self._read
        items = [with_kind(item) for page in pages for item in page["items"]]
        span = Span(self.name, read["begin"], self.notes.moment())
        self.notes.lists.append(
            List(
                span=span,
                revision=revisions[0],
                items=items,
                selector=read["selector"],
                requested=read["requested"],
                match=read["match"],
                page_revisions=revisions,
            )
        )


class Watcher(Client):
    """Lists and watches, or has the watch begin with the state; goes on after a cut, and lists again after
    410.
    """

    def __init__(self, name, notes, draw, selector: Selector | None = None) -> None:
        super().__init__(name, notes, draw)
        self.selector = draw_selector(draw) if selector is None else selector
        self.streams_initially = draw.random() < 0.4
        self._stream: Answer | None = None
        self._since: int | None = None
        """From where it goes on; None where it needs a list."""
        self._start = 0
        self._events: list[WatchEvent] = []
        self._initial: list[dict] | None = None
        self._is_listing = False

    def begin(self, server) -> None:
        if self._stream is not None:
            self.drain(server)
        elif self._since is None and not self.streams_initially:
            self._is_listing = True
            self.send(server, "GET", self.notes.path, query_of(self.selector))
        else:
            self._open(server)

    def watch_from(self, server, revision: int) -> None:
        """Watch from a revision on."""
        self._since = revision
        self._open(server)

    def _open(self, server) -> None:
        query = query_of(self.selector) | {"watch": "1", "allowWatchBookmarks": "true"}
        if self._since is None:
            query |= {"sendInitialEvents": "true", "resourceVersionMatch": "NotOlderThan"}
            self._initial = []
            self._begin = self.notes.moment()
        else:
            query["resourceVersion"] = str(self._since)
            self._initial = None
            self._start = self._since
        self._events = []
        self._stream = Answer(server.address.send("GET", self.notes.path, query))

    def finish(self, server) -> None:
        """Note the list from which the watch is to go on."""
        answer = self.receive(server)
        self._is_listing = False
        if answer is None or answer[0] != 200:
            return
        self._since = self.saw(answer[1])
        items = [with_kind(item) for item in answer[1]["items"]]
        self.notes.lists.append(
            List(span=self.span(), revision=self._since, items=items, selector=self.selector)
        )

    def drain(self, server, until: int = 0) -> None:
        """Take the events that have come; wait for those up to a revision where the server needs time."""
        server.turn()
        for _ in range(200):
            stream = self._stream
            if stream is None:
                return
            stream.read(0.0 if not until else min(server.wait_seconds, 0.05))
            for line in stream.take_lines() if stream.code == 200 else []:
                if not self._take(line):
                    return
            if stream.is_over or stream.code >= 400:
                self.cut(expired=stream.code == GONE)
                return
            if until <= self.latest or not server.wait_seconds:
                return

    def _take(self, line) -> bool:
        """Take an event; return whether the stream goes on."""
        if line["type"] == "ERROR":
            self.cut(expired=line["object"].get("code") == GONE)
            return False
        item = line["object"]
        revision = self.saw(item)
        if self._initial is None:
            self._events.append(WatchEvent(line["type"], item))
            self._since = revision
        elif line["type"] == "ADDED":
            self._initial.append(item)
        elif INITIAL_END in item["metadata"].get("annotations", {}):
            ordered = sorted(self._initial, key=lambda initial: initial["metadata"]["name"])
            self.notes.lists.append(
                List(span=self.span(), revision=revision, items=ordered, selector=self.selector)
            )
            self._initial, self._since, self._start = None, revision, revision
        return True

    def cut(self, *, expired: bool = False, complete_until: int = 0) -> None:
        """End the stream, and note what came of it."""
        if self._stream is None:
            return
        self._stream.close()
        self._stream = None
        if self._initial is None:
            self.notes.watches.append(
                Watch(
                    client=self.name,
                    since=self._start,
                    events=tuple(self._events),
                    selector=self.selector,
                    complete_until=complete_until,
                )
            )
        if expired:
            self._since = None
        self._initial = None

    def forget(self) -> None:
        super().forget()
        self.cut()

    @property
    def is_open(self) -> bool:
        """Whether a stream goes on behind its initial events."""
        return self._stream is not None and self._initial is None


def draw_selector(draw: Random) -> Selector:
    """Draw whom a client looks at: everything, the objects with a label, or that of a name."""
    kind = draw.choice(("all", "label", "label", "name"))
    if kind == "label":
        return Selector({LABEL: draw.choice(VALUES)})
    return Selector(name=draw.choice(NAMES)) if kind == "name" else Selector()


def query_of(selector: Selector) -> dict[str, str]:
    query = {}
    if selector.labels:
        query["labelSelector"] = ",".join(f"{label}={value}" for label, value in selector.labels.items())
    if selector.name:
        query["fieldSelector"] = f"metadata.name={selector.name}"
    return query


def with_kind(item: dict) -> dict:
    """Return an item of a list as a get shows it: a list leaves out the kind of its items."""
    return {"kind": "ConfigMap", "apiVersion": "v1", **item}

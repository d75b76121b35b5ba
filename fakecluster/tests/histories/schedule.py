"""One schedule: a seed decides which client takes the next step, and what goes wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from fakecluster.faults import Answer, Drop, EndWatch, Hold, NoBookmarks, Pages
from fakecluster.histories import History, Selector, Write

from .clients import LABEL, VALUES, Client, Notes, Reader, Watcher, Writer, with_kind

STEPS = 120
DISTURBANCES_IN_STEPS = 0.06
WRITE_VERBS = ("create", "update", "patch", "delete")


class Schedule:
    """The clients of one run, and their server."""

    def __init__(self, server, seed: int, notes: Notes, steps: int = STEPS) -> None:
        self.server, self.notes, self.steps = server, notes, steps
        self.draw = Random(seed)
        self.clients: list[Client] = [
            *(Writer(f"writer {number}", notes, self.draw) for number in (1, 2, 3)),
            *(Reader(f"reader {number}", notes, self.draw) for number in (1, 2)),
            *(Watcher(f"watcher {number}", notes, self.draw) for number in (1, 2, 3, 4)),
        ]
        self.observer = Watcher("the observer", notes, self.draw, Selector())
        self.is_disturbed = True
        self.counts: dict[str, int] = {}

    @property
    def watchers(self) -> list[Watcher]:
        return [client for client in self.clients if isinstance(client, Watcher)]

    def play(self) -> History:
        """Take the steps, and return what was seen."""
        initial = self._state()
        if not self.server.is_ours:
            # There is no journal, and the answer to a removal has no revision.
            self.observer.watch_from(self.server, initial["revision"])
        for _ in range(self.steps):
            if self.is_disturbed and self.draw.random() < DISTURBANCES_IN_STEPS:
                self._disturb()
            else:
                self._step()
        self._come_to_rest()
        witnessed_writes = [*self.server.writes(), *self._list_observed_removals()]
        return History(
            start=initial["revision"],
            initial=initial["items"],
            writes=[*witnessed_writes, *self.notes.writes, *self.notes.removals_of(witnessed_writes)],
            lists=self.notes.lists,
            gets=self.notes.gets,
            watches=self.notes.watches,
        )

    def _step(self) -> None:
        client = self.draw.choice(self.clients)
        if client.is_busy:
            client.finish(self.server)
        else:
            client.begin(self.server)

    def _disturb(self) -> None:
        disturbances = {**ANYWHERE, **(OURS if self.server.is_ours else {})}
        name = self.draw.choice(list(disturbances))
        self.counts[name] = self.counts.get(name, 0) + 1
        disturbances[name](self)

    def _state(self) -> dict:
        reader = Client("the state at the start", self.notes, self.draw)
        reader.send(self.server, "GET", self.notes.path)
        _, listed = reader.receive(self.server)
        return {"revision": reader.saw(listed), "items": [with_kind(item) for item in listed["items"]]}

    def _come_to_rest(self) -> None:
        """Read every answer, and let every watcher see everything."""
        if self.server.is_ours:
            self.server.cluster.faults.clear()
            # What was held comes.
            self.server.cluster.advance(60)
        for client in self.clients:
            if client.is_busy:
                client.finish(self.server)
        for _ in range(4):
            for watcher in self.watchers:
                if not watcher.is_open and not watcher.is_busy:
                    watcher.begin(self.server)
                if watcher.is_busy:
                    watcher.finish(self.server)
                watcher.drain(self.server)
        ends = self._write_markers()
        for watcher in (self.observer, *self.watchers):
            end = ends[watcher.selector.labels.get(LABEL, "")]
            if watcher.selector.name and not self.server.is_ours:
                end = 0
            watcher.drain(self.server, end)
            watcher.cut(complete_until=end if watcher.is_open else 0)

    def _list_observed_removals(self) -> list[Write]:
        return [
            Write(span=None, revision=event.revision, object=event.object, is_removal=True)
            for watch in self.notes.watches
            if watch.client == self.observer.name
            for event in watch.events
            if event.type == "DELETED"
        ]

    def _write_markers(self) -> Mapping[str, int]:
        """Write an object for each selector, behind everything else; return their revisions by label."""
        writer = Writer("the last writer", self.notes, self.draw)
        ends = {}
        for value in VALUES:
            body = {"metadata": {"name": f"last-{value}", "labels": {LABEL: value}}}
            writer._method, writer._precondition = "POST", 0
            writer.send(self.server, "POST", self.notes.path, body=body)
            writer.finish(self.server)
            ends[value] = ends[""] = writer.latest
        return ends


def cut_client(schedule: Schedule) -> None:
    """A watcher's connection ends."""
    schedule.draw.choice(schedule.watchers).cut()


def relist(schedule: Schedule) -> None:
    """A watcher starts again from a list."""
    schedule.draw.choice(schedule.watchers).cut(expired=True)


def end_watches(schedule: Schedule) -> None:
    """The server ends all watches, with 410 or without a word."""
    schedule.server.cluster.end_watches(schedule.draw.choice((0, 410)))


def add_fault(schedule: Schedule) -> None:
    """The next request or event of a kind meets a fault."""
    draw = schedule.draw
    effect, verb = draw.choice(
        (
            (EndWatch(410), "watch"),
            (EndWatch(), "watch"),
            (Hold(5), "watch"),
            (NoBookmarks(), "watch"),
            (Pages(1), "list"),
            (Drop(after_commit=True), draw.choice(WRITE_VERBS)),
            (Drop(), draw.choice(WRITE_VERBS)),
            (Answer(500, after_commit=True), draw.choice(WRITE_VERBS)),
            (Answer(429), "list"),
        )
    )
    schedule.server.cluster.faults.add(effect, verb=verb, resource="configmaps", times=1, precaution=True)


def pass_time(schedule: Schedule) -> None:
    """Bookmarks come, and what was held."""
    schedule.server.cluster.advance(schedule.draw.choice((1, 6, 61)))


def compact(schedule: Schedule) -> None:
    """The server forgets its history."""
    schedule.server.compact()


def restart(schedule: Schedule) -> None:
    """Every connection is cut."""
    schedule.server.restart()


def fork(schedule: Schedule) -> None:
    """The clients go on with a fork of the cluster; what was under way is lost to them."""
    # Read first: an answer that came before the fork belongs to both.
    for client in schedule.clients:
        if client.is_busy:
            client.finish(schedule.server)
        client.forget()
    old, schedule.server = schedule.server, schedule.server.fork()
    old.stop()


ANYWHERE: Mapping[str, Callable[[Schedule], None]] = {"cut": cut_client, "relist": relist}
OURS: Mapping[str, Callable[[Schedule], None]] = {
    "end-watches": end_watches,
    "fault": add_fault,
    "time": pass_time,
    "compaction": compact,
    "restart": restart,
    "fork": fork,
}

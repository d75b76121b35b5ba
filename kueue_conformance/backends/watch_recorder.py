"""The story of an existing cluster: watches of Kueue's kinds, shared by all cases, and the subject's requests
from the front.

The subject's writes are known from their answers; other authors are guessed from managed fields. A case sees
its objects, from its beginning on (harness/H-36).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, pairwise

from ..base.errors import EnvironmentProblem
from ..base.slowdown import MOST_TIMES, measure_slowdown
from ..history.story import PLAYERS, UNKNOWN, Change, Owns, Request
from ..wire.follower import Follower
from ..wire.reader import Reader
from ..wire.resource import RESOURCES
from ..wire.transport import Transport
from .interception.front import SubjectFront
from .read_revisions import ReadRevisions
from .watch_delays import DelayedWatch, Deliver, random_delays

# The harness's own writes say nothing about how fast the others react.
_OURS = (*PLAYERS, "job-stand-in")
_LAG_SECONDS = 2.0
"""Seconds to wait for a watch to catch up, on a machine without other work; one that is later was cut off."""
_REACTION_SECONDS = 0.9
"""Seconds, shorter than Kueue's shortest delay."""
WATCHED = ("Workload", "Job", "ClusterQueue", "LocalQueue", "AdmissionCheck", "Event")
PROVISIONED = ("ProvisioningRequest", "PodTemplate")
"""Kinds that are watched as well where ProvisioningRequests are served when the story begins."""


class WatchLog:
    """All changes of the watched kinds since `start`."""

    def __init__(self, reader: Reader, delay_seed: int | None = None) -> None:
        self.changes: list[Change] = []
        self.news = threading.Condition()
        self._stop = threading.Event()
        self._reader = reader
        self._delay_seed = delay_seed
        self._followers = [self._follower(kind) for kind in WATCHED]
        self._heard_of: dict[str, int] = {}
        """By kind, the revision up to which all changes are known."""
        self._read = ReadRevisions()
        self._started = False

    def start(self) -> None:
        """Start the watches; existing objects are known, and are no changes. Raises EnvironmentProblem."""
        # What `begin` lists is the state before the story, not a change in it.
        if self._started:
            return
        for follower in self._followers:
            # All lists before the first watch: what is told until `_started` is no change.
            follower.begin()
        self._followers += self._of_requests()
        # From the list, so that `catch_up` does not wait for revisions that were there before.
        self._heard_of = {follower.kind: follower.revision for follower in self._followers}
        self._started = True
        for follower in self._followers:
            # A thread for each kind: the API has no watch over several.
            threading.Thread(target=follower.follow, daemon=True, name="story").start()

    def _follower(self, kind: str) -> Follower:
        deliver: Deliver = self._record
        if self._delay_seed is not None:
            deliver = DelayedWatch(random_delays(self._delay_seed, kind), self._record, self._stop)

        def hear(change: Change) -> None:
            # What exists before the start is the state of the story, not a change in it.
            if self._started:
                deliver(change)

        return Follower(self._reader, RESOURCES[kind], hear, self._stop)

    def _of_requests(self) -> list[Follower]:
        """Return followers of ProvisioningRequests and their templates; none where they cannot be read."""
        followers = [self._follower(kind) for kind in PROVISIONED]
        try:
            for follower in followers:
                follower.begin()
        except EnvironmentProblem:
            return []
        return followers

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds that are followed."""
        return frozenset(follower.kind for follower in self._followers)

    def stop(self) -> None:
        """Let the watches end with their next event."""
        self._stop.set()

    def witness(self, send: Transport) -> Transport:
        """Return a transport whose answers `catch_up` waits for."""
        return self._read.witness(send)

    def complete(self) -> None:
        """Wait until the watches have reached every object that the server has now.

        Raises EnvironmentProblem.
        """
        for kind in self.kinds:
            objects, _ = self._reader.list(RESOURCES[kind].path())
            self._read.note(kind, objects)
        self.catch_up()

    def newest_revision(self) -> int:
        """Return the server's newest revision: a watch may be late. Raises EnvironmentProblem."""
        # Any list has it; one object keeps the answer small.
        document = self._reader.get(f"{RESOURCES['Workload'].path()}?limit=1")
        return int(document["metadata"]["resourceVersion"]) if document else 0

    def catch_up(self) -> None:
        """Wait until the watches have reached every revision that the harness has read: a watch may be later
        than an answer.
        """
        if self._started:
            with self.news:
                if not self.news.wait_for(self._is_up_to_date, _LAG_SECONDS):
                    more_times = min(measure_slowdown(), MOST_TIMES) - 1
                    self.news.wait_for(self._is_up_to_date, _LAG_SECONDS * more_times)

    def _is_up_to_date(self) -> bool:
        return self._read.are_reached(self._heard_of)

    def _record(self, change: Change) -> None:
        with self.news:
            self._heard_of[change.kind] = max(change.revision, self._heard_of[change.kind])
            self.changes.append(replace(change, at=time.time(), actor=change.actor or UNKNOWN))
            self.news.notify_all()


class WatchRecorder:
    """The recorder of one case; it begins when it is made."""

    def __init__(self, log: WatchLog, owns: Owns, front: SubjectFront) -> None:
        self._log = log
        self._owns = owns
        self._front = front
        self._first = len(front.requests())
        self._begin = self._seen = len(log.changes)

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds whose every change is in the story."""
        return self._log.kinds

    def follow(self, group: str, resource: str, kind: str) -> None:
        """Do nothing: watches are opened once, before any case. Of another kind the present is read."""
        del group, resource, kind

    @property
    def knows_users(self) -> bool:
        """Whether the subject's requests pass through a front, which tells them from all others."""
        return self._front.is_started

    def changes(self) -> Sequence[Change]:
        """Return the changes so far, in order of their revisions:
        each kind has a watch of its own, and may be late.
        """
        # First the watches, then the front: an author can be known only for a change that is
        # there.
        self._log.catch_up()
        self._front.settle()
        # Revisions of one etcd are in order across kinds (a fact of Kubernetes' storage that its
        # API does not promise).
        own = sorted(self._own(self._begin), key=lambda change: change.revision)
        return _with_bounded_times([self._front.attribute(change) for change in own])

    def arrivals(self, since: int) -> Sequence[Change]:
        """Return the changes from the `since`-th on, in the order in which the watches delivered them."""
        self._log.catch_up()
        return self._own(self._begin)[since:]

    def complete(self) -> None:
        """Wait until the watches have reached every object of the server. Raises EnvironmentProblem."""
        self._log.complete()

    def newest_revision(self) -> int:
        """Return the server's newest revision. Raises EnvironmentProblem."""
        return self._log.newest_revision()

    def requests(self) -> Sequence[Request]:
        """Return the subject's requests so far, in order of their answers."""
        return self._front.requests()[self._first :]

    def attempts(self) -> Sequence[Request]:
        """Return the requests that write known kinds."""
        return [request for request in self.requests() if request.writes and request.kind]

    def refused_writes(self) -> Sequence[Request]:
        """Return (): a watch shows no requests."""
        return ()

    def await_change(self, seconds: float) -> bool:
        """Wait at most `seconds` for a new change; returns whether one came."""
        deadline = time.monotonic() + seconds
        with self._log.news:
            while not self._news():
                remaining_seconds = deadline - time.monotonic()
                if remaining_seconds <= 0:
                    return False
                self._log.news.wait(remaining_seconds)
        return True

    def slowest(self) -> float:
        """Return the longest time in seconds from a change to the first write by another client than the
        harness; longer pauses are delays.
        """
        own = self._own(self._begin)
        gaps = [
            later.at - earlier.at for earlier, later in pairwise(own) if not later.actor.startswith(_OURS)
        ]
        return max((gap for gap in gaps if gap <= _REACTION_SECONDS), default=0.0)

    def _news(self) -> bool:
        # Changes of other cases count as looked at, so that they do not wake this one twice.
        since, self._seen = self._seen, len(self._log.changes)
        return bool(self._own(since))

    def _own(self, since: int) -> list[Change]:
        return [
            change
            for change in self._log.changes[since:]
            if self._owns(change.kind, change.namespace, change.name)
        ]


def _with_bounded_times(changes: Sequence[Change]) -> Sequence[Change]:
    """Return changes in order of their revisions, none later than what was written after it.

    The time of a change is that of its arrival: where its watch was late, a later revision of another kind
    arrived before it.
    """
    times = [*accumulate((change.at for change in reversed(changes)), min)][::-1]
    return [
        change if change.at == time else replace(change, at=time)
        for change, time in zip(changes, times, strict=True)
    ]

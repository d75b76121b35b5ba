"""The story of somebody's cluster: watches of the kinds that it is about, shared by all cases, and what the subject's front tells.

What the subject wrote is known by the answers that it got; other authors are guessed from managed fields. A case sees of it what is its
own, from its beginning on (harness/H-36).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from ..history import Change, Owns, Request
from ..wire.client import RESOURCES
from ..wire.following import Follower
from ..wire.reading import Reader
from .between.front import SubjectFront

_OURS = ("kueue-conformance", "outside-system", "check-player", "job-stand-in")
_REACTION = 0.9
"""Shorter than the shortest delay that Kueue knows."""
WATCHED = ("Workload", "Job", "ClusterQueue", "LocalQueue", "AdmissionCheck", "Event")


class WatchLog:
    """Everything that became of the watched kinds since `start`."""

    def __init__(self, reader: Reader) -> None:
        self.changes: list[Change] = []
        self.news = threading.Condition()
        self._stop = threading.Event()
        self._followers = [Follower(reader, RESOURCES[kind], self._heard, self._stop) for kind in WATCHED]
        self._started = False

    def start(self) -> None:
        """Watch from now on; what is there already is known, and is no change. Raises EnvironmentProblem."""
        if self._started:
            return
        for one in self._followers:
            one.begin()
        self._started = True
        for one in self._followers:
            threading.Thread(target=one.follow, daemon=True, name="story").start()

    def stop(self) -> None:
        """Let the watches end with their next event."""
        self._stop.set()

    def _heard(self, change: Change) -> None:
        if self._started:
            with self.news:
                self.changes.append(replace(change, at=time.time(), actor=change.actor or "unknown"))
                self.news.notify_all()


class OwnStory:
    """What belongs to one case; a recorder. It begins when it is made."""

    def __init__(self, log: WatchLog, owns: Owns, front: SubjectFront) -> None:
        self._log = log
        self._owns = owns
        self._front = front
        self._first = len(front.requests())
        self._begin = self._seen = len(log.changes)

    @property
    def knows_users(self) -> bool:
        """Whether the subject comes through a front, which tells its requests from all others."""
        return self._front.started

    def changes(self) -> Sequence[Change]:
        """Return what happened so far, in order."""
        return [self._front.attributed(one) for one in self._own(self._begin)]

    def requests(self) -> Sequence[Request]:
        """Return the subject's requests so far, in order of their answers."""
        return self._front.requests()[self._first :]

    def attempts(self) -> Sequence[Request]:
        """Return those that write kinds we know."""
        return [one for one in self.requests() if one.writes and one.kind]

    def changed(self, seconds: float) -> bool:
        """Wait at most so long for a change that was not waited for before; tells whether one came."""
        deadline = time.monotonic() + seconds
        with self._log.news:
            while not self._news():
                left = deadline - time.monotonic()
                if left <= 0:
                    return False
                self._log.news.wait(left)
        return True

    def slowest(self) -> float:
        """Return how long it took at most until somebody else than the harness wrote after a change; what takes longer waits for a time."""
        own = self._own(self._begin)
        gaps = [later.at - one.at for one, later in pairwise(own) if not later.actor.startswith(_OURS)]
        return max((gap for gap in gaps if gap <= _REACTION), default=0.0)

    def _news(self) -> bool:
        since, self._seen = self._seen, len(self._log.changes)
        return bool(self._own(since))

    def _own(self, since: int) -> list[Change]:
        return [one for one in self._log.changes[since:] if self._owns(one.kind, one.namespace, one.name)]

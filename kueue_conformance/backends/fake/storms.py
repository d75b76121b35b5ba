"""Clients that do not stop on a virtual clock: requests that are repeated at one moment of its time, and
writes that go round in a circle with what answers them.

Time stands still until nothing goes on, so that without a limit such a client is met by the time-out of the
case alone, which says nothing of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from fakecluster.journal.entry import Entry
from fakecluster.journal.record import Journal

# A retry without back-off sends the same request; many sorts of requests are a busy controller,
# no storm.
_STORM_REQUESTS, _STORM_WRITES, _PER_SORT = 100, 200, 3
"""A storm: so many equal requests about one object at one moment of virtual time, or so many writes of one
client to one object within a second of it. In both cases more where there are many sorts of them: a
controller of many Workloads may read its check, or count in its queue's status, for every one of them.
"""
_SECOND, _LAST_WRITES = 1.0, 6


def describe_repetition(entries: Iterable[Entry]) -> str:
    """Describe the request that is repeated without a pause among those of one moment; empty without one."""
    sent = Counter(
        f"{entry.user} {entry.verb} {entry.resource} {entry.namespace} {entry.name}" for entry in entries
    )
    request, times = (sent.most_common(1) or [("", 0)])[0]
    if times <= max(_STORM_REQUESTS, _PER_SORT * len(sent)):
        return ""
    return (
        f"nothing comes to rest: {request} was sent {times} times, and no time has passed on the cluster's clock; "
        "a client repeats the same request without a pause"
    )


class WriteLimit:
    """Counts the writes that changed an object, by client and object, within a second of virtual time."""

    def __init__(self, journal: Journal, clock: Callable[[], float]) -> None:
        self._journal = journal
        self._clock = clock
        self._began = clock()
        self._counted = journal.last
        self._writes: Counter[tuple[str, str]] = Counter()

    def excess(self) -> str:
        """Describe what is written without time going on; empty while there is no such thing."""
        if self._clock() - self._began >= _SECOND:
            self._began = self._clock()
            self._writes.clear()
        entries = self._journal.since(self._counted)
        self._counted = self._journal.last
        self._writes.update((_client(entry), _object(entry)) for entry in entries if _is_counted(entry))
        ((client, written), times), *_ = self._writes.most_common(1) or [(("", ""), 0)]
        if times <= max(_STORM_WRITES, _PER_SORT * len(self._writes)):
            return ""
        return (
            f"nothing comes to rest: {client} wrote {written} {times} times within a second of the cluster's clock, and goes on; "
            f"last writes: {self._last_writes()}"
        )

    def _last_writes(self) -> str:
        entries = [entry for entry in self._journal.since(0) if _is_counted(entry)][-_LAST_WRITES:]
        return ", ".join(f"{_client(entry)} {entry.verb} {_object(entry)}" for entry in entries)


def _is_counted(entry: Entry) -> bool:
    # Each Event is an object of its own: they would pass for objects that a busy controller works on.
    return entry.wrote and entry.resource != "events"


def _client(entry: Entry) -> str:
    return entry.user_agent.partition("/")[0] or entry.user


def _object(entry: Entry) -> str:
    return (
        f"{entry.target} {entry.namespace}/{entry.name}"
        if entry.namespace
        else f"{entry.target} {entry.name}"
    )

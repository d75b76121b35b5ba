"""What an operator asked for in a run, act by act (pure)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

from msgspec import Struct

from ..journal.entry import Entry

WRITES = ("create", "update", "patch", "delete", "deletecollection")
READS = ("get", "list", "watch")
HOUSEKEEPING = ("leases", "events")
"""Resources that a program writes to about itself: nothing of its work depends on them."""


class Target(Struct, frozen=True, kw_only=True):
    """A write as it can be recognized in another run: what is asked for, and the how manieth of its kind it
    is.
    """

    verb: str
    resource: str
    namespace: str
    name: str
    nth: int


class Request(Struct, frozen=True, kw_only=True):
    """A request of the operator, and the act in or after which it came (0 before the first)."""

    seq: int
    """Its number in the journal."""
    act: int
    verb: str
    resource: str
    namespace: str
    name: str
    code: int
    revision: int = 0
    """The revision that it wrote; 0 where nothing was written."""
    target: Target | None = None
    """Of a write."""

    def __str__(self) -> str:
        full_name = "/".join(filter(None, (self.namespace, self.name)))
        revision = f" -> revision {self.revision}" if self.revision else ""
        return f"{self.verb} {self.resource} {full_name}".rstrip() + f"  {self.code}{revision}"


class Trace(Struct, frozen=True, kw_only=True):
    """The requests of an operator in order, and which resources others wrote in each act."""

    requests: Sequence[Request]
    changed_in_act: Sequence[frozenset[str]]

    @property
    def writes(self) -> Sequence[Request]:
        """The requests that ask for a change."""
        return [request for request in self.requests if request.target is not None]

    @property
    def resources_with_events(self) -> frozenset[str]:
        """The resources of which the operator gets events."""
        return frozenset(request.resource for request in self.requests if request.verb == "watch")

    @property
    def act_count(self) -> int:
        """How many acts there are."""
        return len(self.changed_in_act)


def is_of_operator(entry: Entry, users: str) -> bool:
    """Whether a request is the operator's; `users` is a pattern."""
    return fnmatchcase(entry.user, users)


def is_write(entry: Entry) -> bool:
    """Whether a request asks for a change of something that is more than the program's own housekeeping."""
    return entry.verb in WRITES and entry.resource not in HOUSEKEEPING and not entry.dry_run


def trace_of(entries: Iterable[Entry], act_ends: Sequence[int], users: str) -> Trace:
    """Return the trace of a run; `act_ends` has the journal's number at the beginning of each act, and its
    last.
    """
    counts: Counter[tuple[str, str, str, str]] = Counter()
    requests: list[Request] = []
    changed: list[set[str]] = [set() for _ in act_ends[1:]]
    for entry in entries:
        act = sum(entry.seq > end for end in act_ends[:-1])
        if is_of_operator(entry, users):
            if entry.verb in (*WRITES, *READS) and entry.resource:
                requests.append(_request(entry, act, counts))
        elif entry.wrote and act:
            changed[act - 1].add(entry.resource)
    return Trace(requests=tuple(requests), changed_in_act=tuple(map(frozenset, changed)))


def _request(entry: Entry, act: int, counts: Counter[tuple[str, str, str, str]]) -> Request:
    target = None
    if is_write(entry):
        # A create names its object in the body only: faults see the path.
        key = (entry.verb, entry.target, entry.namespace, "" if entry.verb == "create" else entry.name)
        counts[key] += 1
        target = Target(verb=key[0], resource=key[1], namespace=key[2], name=key[3], nth=counts[key])
    return Request(
        seq=entry.seq,
        act=act,
        verb=entry.verb,
        resource=entry.target,
        namespace=entry.namespace,
        name=entry.name,
        code=entry.code,
        revision=entry.changes[-1].revision if entry.changes else 0,
        target=target,
    )

"""Faults injected into the requests and watches of the subject alone (harness/N-01, apiserver/F-03)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from fakecluster.faults import (
    Answer,
    Delay,
    Drop,
    Effect,
    EndWatch,
    Faults,
    Hold,
    NoBookmarks,
    Pages,
    Repeat,
    Stale,
    Subject,
)
from fakecluster.journal import Journal

from ...wire.resource import RESOURCES
from ..faults import FaultHit
from .identity import EVERY_REPLICA

# The interface that a fake server and a front before a real one share.
T = TypeVar("T")


class Interceptor(Protocol):
    """Records requests by user, and injects faults."""

    faults: Faults

    @property
    def journal(self) -> Journal:
        """Every request with its user and the change that it made."""

    def call(self, action: Callable[[], T]) -> T:
        """Call a function on the server's event loop, where fault rules are read, and wait for its result."""

    def end_watches(self, code: int = 0, **match: Any) -> None:
        """End the open watches that a match fits."""


# A day is longer than any run.
_FOR_EVER = 24 * 3600.0
_COUNTED = "[!el]*"
"""Pattern for every resource but `events` and `leases`, which come at any time; fault rules know no other
form of exclusion.
"""


class SubjectFaults:
    """The fault rules of one case for one actor, the subject by default; `clear` removes them."""

    def __init__(self, middle: Interceptor, actor: str = EVERY_REPLICA) -> None:
        self._middle = middle
        self._actor = actor
        self._rules: dict[str, Effect] = {}
        self._holding = False

    def refuse(
        self,
        code: int,
        *,
        verb: str = "",
        kind: str = "",
        name: str = "",
        times: int = 0,
        skip: int = 0,
        after: bool = False,
        retry_after: int = 0,
    ) -> None:
        """Answer with a failure; `after` the request took effect when that is said."""
        answer = Answer(code, retry_after=retry_after, after_commit=after)
        self._add(answer, verb=verb, kind=kind, name=name, times=times, skip=skip)

    def cut(
        self, *, verb: str = "", kind: str = "", times: int = 0, skip: int = 0, after: bool = False
    ) -> None:
        """Cut the connection in place of an answer."""
        self._add(Drop(after_commit=after), verb=verb, kind=kind, times=times, skip=skip)

    def cut_after(self, requests: int) -> None:
        """Answer so many requests and cut all later ones."""
        self._add(Drop(), skip=requests)

    def cut_off(self, user: str) -> None:
        """Cut every request of a user until the server ends."""
        # A subject that was killed asks nothing more: the rule need not hit. It comes before the end
        # of the watches, since one that ends first could be opened again.
        self._middle.call(lambda: self._middle.faults.add(Drop(), actor=user, precaution=True))
        self._middle.end_watches(actor=user)

    def delay(self, seconds: float, *, verb: str = "", kind: str = "", times: int = 0) -> None:
        """Answer later."""
        self._add(Delay(seconds), verb=verb, kind=kind, times=times)

    def serve_stale(self, revisions: int, *, kind: str = "", times: int = 0) -> None:
        """Answer reads from an older state."""
        self._add(Stale(revisions), kind=kind, times=times)

    def end_watches(self, code: int = 0, *, kind: str = "") -> None:
        """End the open watches now."""
        self._middle.end_watches(code, actor=self._actor, resource=_resource(kind))

    def give_short_pages(self, items: int) -> None:
        """Return at most so many objects in a page."""
        self._add(Pages(items), verb="list")

    def freeze_watches(self, *, kind: str = "", times: int = 0) -> None:
        """Stop sending events and keep the connections open."""
        # A frozen watch keeps its events; `clear` has to end it, or they arrive in the next case.
        self._holding = True
        self._add(Hold(_FOR_EVER), verb="watch", kind=kind, times=times)

    def repeat_events(self, *, kind: str = "") -> None:
        """Send every event twice."""
        self._add(Repeat(), verb="watch", kind=kind)

    def withhold_bookmarks(self) -> None:
        """Send no bookmark."""
        self._add(NoBookmarks(), verb="watch")

    def refuse_events(self, code: int, *, kind: str = "", times: int = 1, skip: int = 0) -> None:
        """End a watch with an ERROR event in place of the next event, or of a later one."""
        self._add(EndWatch(code), verb="watch", kind=kind, times=times, skip=skip)

    @property
    def hits(self) -> Sequence[FaultHit]:
        """The requests and watches that a fault of this case has affected, in order of time."""
        # Only hits of this case's rules: another case may disturb another actor on the same
        # server.
        own = self._middle.call(lambda: [hit for hit in self._middle.faults.hits if hit.rule in self._rules])
        return [
            FaultHit(
                at=hit.time, request=_request_text(hit.subject), effect=_effect_text(self._rules[hit.rule])
            )
            for hit in own
        ]

    def clear(self) -> None:
        """Remove all faults; frozen watches end, so that no event arrives late."""
        self._middle.call(self._remove)
        self._rules.clear()
        if self._holding:
            self._holding = False
            self.end_watches()

    def _remove(self) -> None:
        for rule in self._rules:
            self._middle.faults.remove(rule)

    def _add(self, effect: Effect, *, kind: str = "", **conditions: Any) -> None:
        match = {"actor": self._actor, "resource": _resource(kind), **conditions}
        # The rules are read on the loop of the server, so they are changed there.
        rule = self._middle.call(lambda: self._middle.faults.add(effect, **match))
        self._rules[rule.id] = effect


_EFFECTS: Mapping[type[Effect], str] = {
    Drop: "a cut connection",
    Delay: "a late answer",
    Stale: "an old state",
    Pages: "a short page",
    Hold: "a frozen watch",
    Repeat: "an event twice",
    EndWatch: "an ended watch",
    NoBookmarks: "no bookmark",
}


def _effect_text(effect: Effect) -> str:
    """Return what a request or watch got in place of its answer or event."""
    return f"HTTP {effect.code}" if isinstance(effect, Answer) else _EFFECTS[type(effect)]


def _request_text(subject: Subject) -> str:
    """Return what was asked, such as `update workloads/status team-a/train`."""
    resource, _ = subject.resources
    name = "/".join(filter(None, [subject.namespace, subject.name]))
    return " ".join(filter(None, [subject.verb, resource, name]))


def _resource(kind: str) -> str:
    """Return the pattern of a kind, `Workload` with its subresources or `Workload/status`, or of a resource
    such as `trainings.example.com`; empty fits all that counts.
    """
    name, _, sub = kind.partition("/")
    if not name:
        return _COUNTED
    resource = RESOURCES.get(name)
    # The form of `kubectl`: plural.group, and the plural alone for the core group.
    full = name if resource is None else f"{resource.plural}.{resource.group}".rstrip(".")
    return f"{full}/{sub}" if sub else f"{full}*"

"""Counts over the subject in a case: its requests, its writes,
the pauses between its tries (apiserver/F-01, harness/N-14).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise

from ...base.bounds import Bound
from ...base.json_types import Json
from ...case.context import CaseContext
from ...history.fact import Fact
from ...history.story import SUBJECT, Request
from ..workloads.workload import Workload

# A leader renews its Lease and Events are flushed at any time, whatever a scenario does.
_OWN_AFFAIRS = frozenset({"leases", "events"})
"""Resources that a controller writes for itself: leases and events."""
_PAUSE_FRACTION = 0.9
"""The part of a pause that counts as all of it: servers and clients round."""


@dataclass(slots=True)
class RequestWindow:
    """What the subject asked for while a block ran; `everything` has its own affairs as well."""

    seconds: float = 0.0
    requests: Sequence[Request] = field(default_factory=tuple)
    everything: Sequence[Request] = field(default_factory=tuple)

    @property
    def writes(self) -> Sequence[Request]:
        """The write requests."""
        return [request for request in self.requests if request.writes]

    def has_no_writes(self) -> Fact:
        """Nothing was written."""
        return Fact(not self.writes, f"no write in {self.seconds:g} s of rest", _requests_text(self.writes))

    def has_at_most_requests(self, each_second: float) -> Fact:
        """No more requests came than so many a second, whatever they were about."""
        rate, bound = len(self.everything) / self.seconds, Bound("requests a second", most=each_second)
        return Fact(
            bound.holds(rate), str(bound), f"{bound.describe(rate)}: {_requests_text(self.everything)}"
        )

    def has_at_most_tries(self, workload: Workload, times: int) -> Fact:
        """A Workload whose write is always refused was not written more often than that; writes of others may
        succeed meanwhile.
        """
        tries = [request for request in self.writes if _is_of(request, workload)]
        bound = Bound("attempts", most=times)
        return Fact(
            bound.holds(len(tries)),
            f"{bound} to write {workload} in {self.seconds:g} s, which is always refused",
            bound.describe(len(tries)),
        )


class SubjectRequests:
    """Counts over the story of the case."""

    def __init__(self, context: CaseContext) -> None:
        self._context = context

    @property
    def requests(self) -> Sequence[Request]:
        """Everything that the subject has asked the API server for in this case."""
        return self._context.cluster.recorder.requests()

    @contextmanager
    def observe_requests(self) -> Iterator[RequestWindow]:
        """Look at what the subject asks for in this block."""
        window, first, began = RequestWindow(), len(self.requests), self._context.cluster.now()
        yield window
        window.seconds = max(self._context.cluster.now() - began, 0.001)
        window.everything = self.requests[first:]
        window.requests = [request for request in window.everything if request.resource not in _OWN_AFFAIRS]

    def has_given_verdicts(self, workload: Workload, times: int) -> Fact:
        """The subject has written a verdict so often, the same one again included; progress told while
        Pending does not count.
        """
        verdict_writes = [
            change
            for change in workload.history.by(SUBJECT)
            if _verdicts_of(change.before) != _verdicts_of(change.after)
        ]
        return Fact(
            len(verdict_writes) == times,
            f"the subject gives {times} verdict(s) on {workload}",
            f"{len(verdict_writes)} write(s) of one",
        )

    def has_tried_to_write(self, workload: Workload) -> Fact:
        """The subject has tried to write the Workload, with whatever success."""
        tries = [request for request in self.requests if request.writes and _is_of(request, workload)]
        return Fact(bool(tries), f"the subject tries to write {workload}", _requests_text(tries))

    def has_paused_after(self, code: int, seconds: float) -> Fact:
        """After a refusal with this code the subject left the object
        alone for so long, unless others changed it meanwhile.
        """
        gaps = [
            second.at - first.at
            for tries in _by_object(self.requests)
            for first, second in pairwise(tries)
            if first.code == code and not self._has_changed_between(first, second)
        ]
        shortest, bound = min(gaps, default=seconds), Bound("s", least=_PAUSE_FRACTION * seconds)
        return Fact(
            bound.holds(shortest),
            f"{bound} between a {code} and the next try, of the {seconds:g} s that the server asked for",
            f"tried again after {shortest:.2f} s",
        )

    def _has_changed_between(self, first: Request, second: Request) -> bool:
        story = self._context.history.of(first.kind, first.name, first.namespace)
        return any(first.at <= change.at <= second.at and change.actor != SUBJECT for change in story)

    def has_one_writer(self) -> Fact:
        """Only one replica has written Kueue's objects."""
        users = sorted({request.user for request in self.requests if request.writes and request.kind})
        return Fact(len(users) == 1, "one replica writes", f"written by {', '.join(users) or 'no replica'}")


def _is_of(request: Request, workload: Workload) -> bool:
    """Tell whether a request is about a Workload."""
    return (request.kind, request.namespace, request.name) == ("Workload", workload.namespace, workload.name)


def _by_object(requests: Iterable[Request]) -> Iterable[Sequence[Request]]:
    requests_by_object: dict[tuple[str, str, str], list[Request]] = {}
    for request in requests:
        if request.writes and request.kind:
            requests_by_object.setdefault((request.kind, request.namespace, request.name), []).append(request)
    return requests_by_object.values()


def _requests_text(requests: Sequence[Request], limit: int = 5) -> str:
    shown = ", ".join(map(str, requests[:limit]))
    return f"{len(requests)} request(s): {shown}{' …' if len(requests) > limit else ''}"


def _verdicts_of(workload: Json) -> Sequence[Json]:
    entries = ((workload or {}).get("status") or {}).get("admissionChecks", [])
    return [entry for entry in entries if entry["state"] != "Pending"]

"""Faults between the subject and the API server, by the words of scenarios (harness/N-01, H-58).

Only the subject's requests and watches are disturbed; all of it is over at the end of a case.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, cast

from ...backends.cluster import lacking
from ...backends.faults import Faults
from ...backends.features import AUTOSCALER_FAULTS, FAULTS, KUEUE_FAULTS
from ...case.context import CaseContext
from ...history.fact import Fact, Premise, forbid_act
from ...history.story import Request
from ..autoscaling.capacity_request import CapacityRequest
from ..workloads.workload import Workload
from .tries import Disturbed, describe_tries, expect_tries, unrepeated_conflict


class _RecordedFaults:
    """Passes every call on to the backend, and records it in the context."""

    def __init__(self, faults: Faults, context: CaseContext) -> None:
        self._faults = faults
        self._context = context

    def __getattr__(self, name: str) -> Any:
        word = getattr(self._faults, name)
        return partial(self._do, name, word) if callable(word) else word

    def _do(self, fault: str, word: Callable[..., Any], /, *values: Any, **options: Any) -> Any:
        forbid_act()
        self._context.disturbed.append(
            {"at": self._context.cluster.now(), "fault": fault, "values": list(values), **options}
        )
        return word(*values, **options)


VERDICT = "Workload/status"
"""The resource that a verdict is written to."""
_WRITING = ("create", "update", "patch")
_A_PAGE = 2
"""Objects on a page that is short."""


class Disturbance:
    """Sentences about faults, carried out by the backend:
    those of the subject, of Kueue, or of the autoscaler.
    """

    def __init__(self, context: CaseContext, *, of: Disturbed = "subject") -> None:
        cluster = context.cluster
        faults, feature = {
            "subject": (cluster.faults, FAULTS),
            "Kueue": (cluster.kueue_faults, KUEUE_FAULTS),
            "autoscaler": (cluster.autoscaler_faults, AUTOSCALER_FAULTS),
        }[of]
        if faults is None:
            raise lacking(feature)
        self._context = context
        self._disturbed = of
        self._faults = cast("Faults", _RecordedFaults(faults, context))
        self._ends_watches = False
        """A watch is to end in place of an event."""

    # Requests

    def refuse_verdicts(self, code: int, *, times: int = 0, retry_after: int = 0) -> None:
        """Refuse the next writes of verdicts."""
        self._faults.refuse(code, kind=VERDICT, times=times, retry_after=retry_after)

    def refuse_verdicts_on(self, workload: Workload, code: int) -> None:
        """Refuse every write of a verdict on one Workload."""
        self._faults.refuse(code, kind=VERDICT, name=workload.name)

    def refuse_everything(self, code: int, *, times: int = 0, retry_after: int = 0) -> None:
        """Refuse every request of the subject."""
        self._faults.refuse(code, times=times, retry_after=retry_after)

    def give_short_pages(self) -> None:
        """Give a list in pages that are shorter than was asked for."""
        self._faults.give_short_pages(_A_PAGE)

    def fail_after_verdicts(self, code: int, *, times: int = 1) -> None:
        """Store the next verdicts, and answer with an error."""
        self._faults.refuse(code, kind=VERDICT, times=times, after=True)

    def lose_answers_to_verdicts(self, *, times: int = 1) -> None:
        """Store the next verdicts, and cut the connection in place of an answer."""
        self._faults.cut(kind=VERDICT, times=times, after=True)

    def cut_connections(self, *, times: int = 0) -> None:
        """Cut the connection at every request of the subject."""
        self._faults.cut(times=times)

    def cut_connections_after(self, requests: int) -> None:
        """Answer so many more requests and cut whatever comes then; Leases and Events do not count."""
        self._faults.cut_after(requests)

    def slow_down(self, *, budget: str = "slow") -> None:
        """Delay every answer."""
        self._faults.delay(self._context.budgets.seconds(budget))

    def slow_verdicts_down(self, *, budget: str = "slow", times: int = 0) -> None:
        """Delay verdicts; they are stored after the delay."""
        self._faults.delay(self._context.budgets.seconds(budget), kind=VERDICT, times=times)

    def hold_up_and_refuse_a_verdict(self, code: int, *, budget: str = "slow") -> None:
        """Delay the next verdict, and refuse it then: the subject tries again only after what happens
        meanwhile.
        """
        self.slow_verdicts_down(budget=budget, times=1)
        self.refuse_verdicts(code, times=1)

    def serve_stale(self, revisions: int, *, times: int = 0) -> None:
        """Answer reads of Workloads from an older state."""
        self._faults.serve_stale(revisions, kind="Workload", times=times)

    def refuse_writes(self, kind: str, code: int, *, times: int = 0) -> None:
        """Refuse the next creations, updates and patches of a kind, or of `Workload/status`."""
        for verb in _WRITING:
            self._faults.refuse(code, verb=verb, kind=kind, times=times)

    def refuse_writes_on(self, kind: str, name: str, code: int) -> None:
        """Refuse every creation, update and patch of one object."""
        for verb in _WRITING:
            self._faults.refuse(code, verb=verb, kind=kind, name=name)

    def refuse_answers_to(self, request: CapacityRequest, code: int) -> None:
        """Refuse every answer that is applied to one ProvisioningRequest; it may be accepted."""
        self._faults.refuse(code, verb="patch", kind="ProvisioningRequest/status", name=request.name)

    def end(self) -> None:
        """Disturb nothing any more."""
        self._faults.clear()

    def refuse_deletions(self, kind: str, code: int, *, times: int = 0) -> None:
        """Refuse the next deletions of objects of a kind."""
        self._faults.refuse(code, verb="delete", kind=kind, times=times)

    def disturb_writes(self, kind: str, how: int | str, *, times: int) -> None:
        """Refuse the next writes of a kind by a code,
        or take one and have it `failed after it` or `cut after it`.
        """
        if isinstance(how, int):
            self.refuse_writes(kind, how, times=times)
        else:
            {"failed after it": self.fail_after_writes, "cut after it": self.lose_answers_to_writes}[how](
                kind
            )

    def disturb_deletions(self, kind: str, how: int | str, *, times: int) -> None:
        """Refuse the next deletions of a kind by a code, or carry one out and have it `failed after it` or
        `cut after it`.
        """
        if isinstance(how, int):
            self.refuse_deletions(kind, how, times=times)
        elif how == "failed after it":
            self._faults.refuse(500, verb="delete", kind=kind, times=1, after=True)
        else:
            self._faults.cut(verb="delete", kind=kind, times=1, after=True)

    def fail_after_writes(self, kind: str, code: int = 500) -> None:
        """Carry out the next creation, update and patch of a kind, and answer with an error."""
        for verb in _WRITING:
            self._faults.refuse(code, verb=verb, kind=kind, times=1, after=True)

    def lose_answers_to_writes(self, kind: str) -> None:
        """Carry out the next creation, update and patch of a kind,
        and cut the connection in place of an answer.
        """
        for verb in _WRITING:
            self._faults.cut(verb=verb, kind=kind, times=1, after=True)

    # Watches

    def lose_events_of(self, kind: str, code: int) -> None:
        """End a watch of a kind in place of its next event,
        by an ERROR event with this code or without a word.
        """
        self._ends_watches = True
        self._faults.refuse_events(code, kind=kind, times=1)

    def end_watches(self, code: int = 0) -> None:
        """End every open watch now: by an ERROR event with this code, or without a word."""
        self._faults.end_watches(code)

    def end_watches_with_the_next_event(self, code: int, *, times: int = 1) -> None:
        """End a watch of Workloads by an ERROR event in place of the next event."""
        self._ends_watches = True
        self._faults.refuse_events(code, kind="Workload", times=times)

    def lose_events(self, ending: str, *, times: int = 1) -> None:
        """End watches of Workloads in place of the next events:
        `expired`, `cut`, or `cut, and too old by then`.
        """
        if ending.endswith("too old by then"):
            self.end_watches_with_the_next_event(0)
            self._faults.refuse_events(410, kind="Workload", times=1, skip=1)
        else:
            self.end_watches_with_the_next_event(410 if ending == "expired" else 0, times=times)

    def freeze_watches(self) -> None:
        """Send no event any more, and leave the connections open."""
        self._faults.freeze_watches()

    def freeze_the_open_watch(self) -> None:
        """Send no event any more on the watches of Workloads that are open now; those opened later work."""
        self._faults.freeze_watches(kind="Workload", times=1)

    def repeat_events(self) -> None:
        """Send every event twice."""
        self._faults.repeat_events()

    def withhold_bookmarks(self) -> None:
        """Send no bookmark."""
        self._faults.withhold_bookmarks()

    # The server

    def restart_server(self) -> None:
        """Stop the API server and start it again."""
        self._context.cluster.restart_server(self._context.budgets.seconds("outage"))

    def skew(self, seconds: float) -> None:
        """Set the server's clock ahead of the subject's, or behind it for a negative number."""
        self._context.cluster.skew(seconds)
        self._context.skew = seconds

    # All of it

    def remove_all(self) -> None:
        """Remove all faults; frozen watches end."""
        self._faults.clear()

    @property
    def strikes(self) -> int:
        """The number of faults that the subject has met so far."""
        return len(self._faults.hits)

    def have_struck(self, times: int = 1) -> Fact:
        """The subject has met a fault so often, so that the scenario shows something.

        A fault that nothing met is a premise: what the subject does after a fault is not known then. A write
        that the API server itself refused with 409 and that the subject did not send again shows it, too. A
        subject that only lists has no watch that could end.
        """
        hits = self._faults.hits
        if self._ends_watches and not hits and self._only_lists():
            return Fact(
                True, expect_tries(self._disturbed, times), "it has no watch that could end: it lists"
            )
        conflict = None if hits or self._ends_watches else self._unrepeated_conflict()
        statement = Fact if hits or conflict else Premise
        return statement(
            len(hits) >= times,
            expect_tries(self._disturbed, times),
            describe_tries(self._disturbed, hits, self._context.cluster.now(), conflict),
        )

    def _only_lists(self) -> bool:
        """Tell whether the subject has listed something, and has never opened a watch."""
        verbs = {request.verb for request in self._context.cluster.recorder.requests()}
        return self._disturbed == "subject" and "list" in verbs and "watch" not in verbs

    def _unrepeated_conflict(self) -> Request | None:
        """Return the newest write of the subject where two writes met and it has sent none since."""
        if self._disturbed != "subject":
            return None
        return unrepeated_conflict(
            [
                attempt
                for attempt in self._context.cluster.recorder.attempts()
                if self._context.client.owns(attempt.kind, attempt.namespace, attempt.name)
            ]
        )

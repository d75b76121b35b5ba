"""The story of a ProvisioningRequest: its attempts, when its conditions were told, and who wrote them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import dropwhile

from ...base.bounds import Bound
from ...base.json_types import Json
from ...base.numbers import moment
from ...history.fact import Fact
from ...history.story import PLAYERS, Change
from .attempts import Attempt, follows, gaps_between
from .pending_pod import events_about
from .request_status import ACCEPTED, KIND, PROVISIONED, RequestStatus

_LOOP_SECONDS = 3
"""Seconds that an attempt may be late in real time: one loop of an autoscaler."""


class RequestHistory(RequestStatus):
    """A request with all that was written to it since it was created."""

    def is_untouched(self) -> Fact:
        """It has no condition, and never had one."""
        wrote = [change for change in self._changes() if (change.after or {}).get("status")]
        return self._fact(
            bool(self.object) and not self.conditions and not wrote, "has no condition, and never had one"
        )

    def transition_times(self, condition: str, status: str = "") -> list[float]:
        """Return the distinct times of a condition in order, as seconds after the first."""
        times = self._condition_times(condition, status)
        return [at - times[0] for at in times]

    def _condition_times(self, condition: str, status: str) -> list[float]:
        times: list[float] = []
        for change in self._changes():
            for entry in ((change.after or {}).get("status") or {}).get("conditions") or ():
                at = moment(entry["lastTransitionTime"])
                # A condition that is written again with its old time is told once.
                if entry["type"] == condition and status in ("", entry["status"]) and at not in times:
                    times.append(at)
        return times

    def attempts(self) -> list[float]:
        """Return the times of its attempts, as seconds after the first."""
        return self.transition_times(PROVISIONED)

    def was_tried_after(self, *gaps: float) -> Fact:
        """It had exactly these attempts, each after the previous one by so many seconds.

        In real time up to a loop later; and where a conflict lost an answer the next delay counts from the
        answer before it (finding X4).
        """
        virtual = self._context.budgets.virtual
        tries = [Attempt(at) for at in self.attempts()] if virtual else self._tries()
        holds = follows(tries, gaps, 0 if virtual else _LOOP_SECONDS)
        return Fact(holds, f"{self} was tried again after {list(gaps)} s", f"after {gaps_between(tries)} s")

    def _tries(self) -> list[Attempt]:
        """Return its attempts from the first one whose answer was stored; an attempt is Accepted up to a
        second before its answer.
        """
        answers = self._condition_times(PROVISIONED, "")
        # Accepted without an answer: the write of the answer met a conflict (finding X4).
        lost = [
            at
            for at in self._condition_times(ACCEPTED, "")
            if not any(0 <= answer - at <= 1 for answer in answers)
        ]
        attempts = sorted(
            [*(Attempt(at) for at in answers), *(Attempt(at, answered=False) for at in lost)],
            key=lambda attempt: attempt.at,
        )
        return list(dropwhile(lambda attempt: not attempt.answered, attempts))

    def was_tried(self, times: int) -> Fact:
        """It had so many attempts."""
        attempts = self.attempts()
        return Fact(len(attempts) == times, f"{self} was tried {times} time(s)", f"tried after {attempts} s")

    def was_tried_since(self, moment: float, times: int) -> Fact:
        """It had so many attempts since a moment, in seconds since the epoch."""
        times_since = [time for time in self._condition_times(PROVISIONED, "") if time >= int(moment)]
        return Fact(
            len(times_since) == times,
            f"{self} was tried {times} time(s) since then",
            f"{len(times_since)} time(s)",
        )

    def has_transition_times(self, condition: str, *seconds: float) -> Fact:
        """Exactly these times were told for a condition,
        in seconds after the first; up to a loop later in real time.
        """
        observed_times = self.transition_times(condition)
        slack = 0 if self._context.budgets.virtual else 3
        holds = len(observed_times) == len(seconds) and all(
            0 <= observed - due <= slack for observed, due in zip(observed_times, seconds, strict=True)
        )
        return Fact(
            holds, f"{self}: {condition} was written after {list(seconds)} s", f"after {observed_times} s"
        )

    def had_conditions_in_order(self, *types: str) -> Fact:
        """It got conditions of these types one write after another, in this order."""
        order: list[str] = []
        for change in self._changes():
            there = [
                entry["type"] for entry in ((change.after or {}).get("status") or {}).get("conditions") or ()
            ]
            new = [kind for kind in there if kind not in order]
            # Two conditions that come by one write have no order, and are shown as one.
            order += ["+".join(new)] if new else []
        return Fact(order == list(types), f"{self} got {list(types)}, each by a write", f"{order}")

    def seconds_until(self, condition: str, since: str = "") -> float:
        """Return how many seconds after its creation, or after the time of another condition, a condition
        took its status.
        """
        conditions = self.conditions
        began = moment(conditions[since]["lastTransitionTime"]) if since else self.creation_time
        return moment(conditions[condition]["lastTransitionTime"]) - began

    def had_condition_after(
        self, condition: str, seconds: float, *, since: str = "", within: float = 0.0
    ) -> Fact:
        """A condition took its status so many seconds after the creation or after another condition, or up to
        so many later.
        """
        if condition not in self.conditions or (since and since not in self.conditions):
            return self._fact(holds=False, expected=f"{condition} after {seconds:g} s")
        observed_seconds = self.seconds_until(condition, since)
        slack = within if self._context.budgets.virtual else within + 3
        bound = Bound("s", seconds, seconds + slack)
        return Fact(
            bound.holds(observed_seconds),
            f"{self}: {condition} {bound} after {since or 'its creation'}",
            f"after {bound.describe(observed_seconds)}",
        )

    def was_written(self, times: int) -> Fact:
        """Its status was changed so often by the autoscaler."""
        # A creation is the user's, a removal no write to the status.
        status_changes = [
            change
            for change in self._changes()
            if not change.actor.startswith(PLAYERS) and change.after and change.before
        ]
        return Fact(
            len(status_changes) == times,
            f"{self} was written {times} time(s)",
            f"{len(status_changes)} time(s)",
        )

    def field_managers(self, condition: str) -> set[tuple[str, str]]:
        """Return the field managers of a condition, with their operations."""
        # managedFields name an item of a list-map by its key.
        path = f'k:{{"type":"{condition}"}}'
        entries = self.object.get("metadata", {}).get("managedFields", [])
        return {
            (entry["manager"], entry["operation"])
            for entry in entries
            if path in entry.get("fieldsV1", {}).get("f:status", {}).get("f:conditions", {})
        }

    def is_written_by(self, condition: str, operation: str) -> Fact:
        """A condition belongs to the autoscaler by an `Update` or by an `Apply`."""
        managers = self.field_managers(condition)
        holds = operation in {how for _, how in managers}
        return Fact(holds, f"{self}: {condition} is written by {operation}", f"{sorted(managers)}")

    @property
    def events(self) -> Sequence[Json]:
        """The events about it."""
        return [
            event
            for event in events_about(self._context, self.namespace, self.name)
            if event["involvedObject"]["kind"] == KIND
        ]

    def has_no_events(self) -> Fact:
        """It has no events."""
        return Fact(not self.events, f"no event about {self}", f"{self.events}")

    def has_placeholder_event(self, reason: str, text: str) -> Fact:
        """An event about one of the pods that stand for it has this reason and exactly this text."""
        names = f"{self.name}-"
        events = self._context.client.list("Event", self.namespace)
        messages = [
            (event.get("reason"), event["message"])
            for event in events
            if event["involvedObject"]["kind"] == "Pod" and event["involvedObject"]["name"].startswith(names)
        ]
        return Fact(
            (reason, text) in messages,
            f"a pod of {self} has the event {reason} {text!r}",
            f"{sorted(set(messages))}",
        )

    def _changes(self) -> Iterator[Change]:
        return (
            change
            for change in self._context.history
            if change.kind == KIND and (change.namespace, change.name) == (self.namespace, self.name)
        )

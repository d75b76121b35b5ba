"""The story of a ProvisioningRequest: its attempts, when its conditions were told, and who wrote them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import dropwhile

from ...base.json_types import Json
from ...base.numbers import moment
from ...history.fact import Fact
from ...history.story import PLAYERS, Change
from .pending_pod import events_about
from .request_status import ACCEPTED, KIND, PROVISIONED, RequestStatus
from .tries import Try, follows, gaps_between

_LOOP_SECONDS = 3
"""Seconds that an attempt may be late in real time: one loop of an autoscaler."""


class RequestHistory(RequestStatus):
    """A request with all that was written to it since it was created."""

    def is_untouched(self) -> Fact:
        """It has no condition, and never had one."""
        wrote = [one for one in self._changes() if (one.after or {}).get("status")]
        return self._fact(
            bool(self.object) and not self.conditions and not wrote, "has no condition, and never had one"
        )

    def transition_times(self, condition: str, status: str = "") -> list[float]:
        """Return the distinct times of a condition in order, as seconds after the first."""
        told = self._told(condition, status)
        return [at - told[0] for at in told]

    def _told(self, condition: str, status: str) -> list[float]:
        told: list[float] = []
        for change in self._changes():
            for one in ((change.after or {}).get("status") or {}).get("conditions") or ():
                at = moment(one["lastTransitionTime"])
                # A condition that is written again with its old time is told once.
                if one["type"] == condition and status in ("", one["status"]) and at not in told:
                    told.append(at)
        return told

    def attempts(self) -> list[float]:
        """Return the times of its attempts, as seconds after the first."""
        return self.transition_times(PROVISIONED)

    def was_tried_after(self, *gaps: float) -> Fact:
        """It had exactly these attempts, each after the previous one by so many seconds.

        In real time up to a loop later; and where a conflict lost an answer the next delay counts from the
        answer before it (finding X4).
        """
        virtual = self._context.budgets.virtual
        tries = [Try(at) for at in self.attempts()] if virtual else self._tries()
        held = follows(tries, gaps, 0 if virtual else _LOOP_SECONDS)
        return Fact(held, f"{self} was tried again after {list(gaps)} s", f"after {gaps_between(tries)} s")

    def _tries(self) -> list[Try]:
        """Return its attempts from the first one whose answer was stored; an attempt is Accepted up to a
        second before its answer.
        """
        answers = self._told(PROVISIONED, "")
        # Accepted without an answer: the write of the answer met a conflict (finding X4).
        lost = [at for at in self._told(ACCEPTED, "") if not any(0 <= one - at <= 1 for one in answers)]
        found = sorted(
            [*(Try(at) for at in answers), *(Try(at, answered=False) for at in lost)], key=lambda one: one.at
        )
        return list(dropwhile(lambda one: not one.answered, found))

    def was_tried(self, times: int) -> Fact:
        """It had so many attempts."""
        seen = self.attempts()
        return Fact(len(seen) == times, f"{self} was tried {times} time(s)", f"tried after {seen} s")

    def was_tried_since(self, moment: float, times: int) -> Fact:
        """It had so many attempts since a moment, in seconds since the epoch."""
        seen = [one for one in self._told(PROVISIONED, "") if one >= int(moment)]
        return Fact(
            len(seen) == times, f"{self} was tried {times} time(s) since then", f"{len(seen)} time(s)"
        )

    def has_transition_times(self, condition: str, *seconds: float) -> Fact:
        """Exactly these times were told for a condition,
        in seconds after the first; up to a loop later in real time.
        """
        seen = self.transition_times(condition)
        slack = 0 if self._context.budgets.virtual else 3
        held = len(seen) == len(seconds) and all(
            0 <= one - due <= slack for one, due in zip(seen, seconds, strict=True)
        )
        return Fact(held, f"{self}: {condition} was told after {list(seconds)} s", f"after {seen} s")

    def had_conditions_in_order(self, *types: str) -> Fact:
        """It got conditions of these types one write after another, in this order."""
        order: list[str] = []
        for change in self._changes():
            there = [
                one["type"] for one in ((change.after or {}).get("status") or {}).get("conditions") or ()
            ]
            new = [one for one in there if one not in order]
            # Two conditions that come by one write have no order, and are shown as one.
            order += ["+".join(new)] if new else []
        return Fact(order == list(types), f"{self} got {list(types)}, each by a write", f"{order}")

    def seconds_until(self, condition: str, since: str = "") -> float:
        """Return how many seconds after its creation, or after the time of another condition, a condition
        took its status.
        """
        said = self.conditions
        began = moment(said[since]["lastTransitionTime"]) if since else self.creation_time
        return moment(said[condition]["lastTransitionTime"]) - began

    def had_condition_after(
        self, condition: str, seconds: float, *, since: str = "", within: float = 0.0
    ) -> Fact:
        """A condition took its status so many seconds after the creation or after another condition, or up to
        so many later.
        """
        if condition not in self.conditions or (since and since not in self.conditions):
            return self._fact(holds=False, expected=f"{condition} after {seconds:g} s")
        seen = self.seconds_until(condition, since)
        slack = within if self._context.budgets.virtual else within + 3
        return Fact(
            seconds <= seen <= seconds + slack,
            f"{self}: {condition} {seconds:g} to {seconds + slack:g} s after {since or 'its creation'}",
            f"after {seen:g} s",
        )

    def was_written(self, times: int) -> Fact:
        """Its status was changed so often by the autoscaler."""
        # A creation is the user's, a removal no write to the status.
        seen = [
            one for one in self._changes() if not one.actor.startswith(PLAYERS) and one.after and one.before
        ]
        return Fact(len(seen) == times, f"{self} was written {times} time(s)", f"{len(seen)} time(s)")

    def field_managers(self, condition: str) -> set[tuple[str, str]]:
        """Return the field managers of a condition, with their operations."""
        # managedFields name an item of a list-map by its key.
        path = f'k:{{"type":"{condition}"}}'
        entries = self.object.get("metadata", {}).get("managedFields", [])
        return {
            (one["manager"], one["operation"])
            for one in entries
            if path in one.get("fieldsV1", {}).get("f:status", {}).get("f:conditions", {})
        }

    def is_written_by(self, condition: str, operation: str) -> Fact:
        """A condition belongs to the autoscaler by an `Update` or by an `Apply`."""
        seen = self.field_managers(condition)
        held = operation in {how for _, how in seen}
        return Fact(held, f"{self}: {condition} is written by {operation}", f"{sorted(seen)}")

    @property
    def events(self) -> Sequence[Json]:
        """The events about it."""
        return [
            one
            for one in events_about(self._context, self.namespace, self.name)
            if one["involvedObject"]["kind"] == KIND
        ]

    def has_no_events(self) -> Fact:
        """It has no events."""
        return Fact(not self.events, f"no event about {self}", f"{self.events}")

    def has_placeholder_event(self, reason: str, text: str) -> Fact:
        """An event about one of the pods that stand for it has this reason and exactly this text."""
        names = f"{self.name}-"
        found = self._context.client.list("Event", self.namespace)
        seen = [
            (one.get("reason"), one["message"])
            for one in found
            if one["involvedObject"]["kind"] == "Pod" and one["involvedObject"]["name"].startswith(names)
        ]
        return Fact(
            (reason, text) in seen, f"a pod of {self} is told {reason} {text!r}", f"{sorted(set(seen))}"
        )

    def _changes(self) -> Iterator[Change]:
        return (
            one
            for one in self._context.history
            if one.kind == KIND and (one.namespace, one.name) == (self.namespace, self.name)
        )

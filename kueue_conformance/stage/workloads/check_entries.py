"""The entries of a Workload's checks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...base.bounds import Bound
from ...base.json_types import Json
from ...base.numbers import moment
from ...base.objects import CheckState
from ...history.fact import Fact, record_value
from ..checks.check import Check
from .reader import WorkloadReader

_LATELY = Bound("s", most=900)


class CheckEntryFacts(WorkloadReader):
    """Facts about status.admissionChecks."""

    def lists_checks(self, *checks: Check) -> Fact:
        """Exactly these checks are listed."""
        view, names = self._read(), sorted(check.name for check in checks)
        return self._fact(view, sorted(view.checks) == names, f"the checks {names} are listed, and no others")

    def lists_any_of(self, *checks: Check) -> Fact:
        """At least one of these checks is listed."""
        view, names = self._read(), {check.name for check in checks}
        return self._fact(view, bool(names & view.checks.keys()), f"one of {sorted(names)} is listed")

    def lists_checks_in_order(self) -> Fact:
        """The entries are sorted by name."""
        view = self._read()
        holds = list(view.checks) == sorted(view.checks)
        return self._fact(view, holds, "the checks are listed in order of their names")

    def has_states(self, state: str, *checks: Check) -> Fact:
        """Each of these checks (all listed ones when none is named) has the state."""
        view = self._read()
        named = [check.name for check in checks] or list(view.checks)
        holds = bool(named) and all(view.checks.get(name, {}).get("state") == state for name in named)
        return self._fact(view, holds, f"checks {named} are {state}")

    def has_one_ready(self, *checks: Check) -> Fact:
        """Exactly one of these checks is Ready, and the rest are Pending."""
        view = self._read()
        states = sorted(view.checks.get(check.name, {}).get("state", "none") for check in checks)
        expected = [*["Pending"] * (len(checks) - 1), "Ready"]
        return self._fact(view, states == expected, f"one of {[check.name for check in checks]} is Ready")

    def has_no_verdicts(self) -> Fact:
        """No check has a verdict: every listed one is Pending, or none is listed (AC-482)."""
        view = self._read()
        return self._fact(
            view, all(entry.get("state") == "Pending" for entry in view.checks.values()), "no verdict is left"
        )

    def has_retried(self, check: Check, times: int) -> Fact:
        """The check's entry counts so many retries."""
        count = self.entry_of(check).get("retryCount", 0)
        return Fact(count == times, f"retryCount of {check.name} is {times}", f"retryCount {count}")

    def entry_of(self, check: Check) -> CheckState:
        """Return the entry of one check, empty when it is not listed."""
        entry = self._read().checks.get(check.name, CheckState())
        return record_value(f"the entry of {check.name} of {self}", entry)

    def has_entry_message(self, check: Check, message: str) -> Fact:
        """The check's entry has this message."""
        observed = self.entry_of(check).get("message", "")
        return Fact(
            observed == message, f"the entry of {check.name} says {message!r}", f"it says {observed!r}"
        )

    def has_readable_message(self, check: Check, longest: int) -> Fact:
        """The check's entry has a message of at most so many bytes, which a human can read whole (CC-036)."""
        size, length = len(self.entry_of(check).get("message", "").encode()), Bound("bytes", 1, longest)
        return Fact(
            length.holds(size),
            f"the entry of {check.name} has a message of {length}",
            length.describe(size),
        )

    def has_recent_entry(self, check: Check) -> Fact:
        """The time of the check's entry is the present, give or take the time that a scenario lasts."""
        transition_time = self.entry_of(check).get("lastTransitionTime", "1970-01-01T00:00:00Z")
        away = abs(moment(transition_time) - self._context.cluster.now())
        return Fact(
            _LATELY.holds(away),
            f"lastTransitionTime of the entry of {check.name} is {_LATELY} away from the present",
            f"it is {transition_time}, {_LATELY.describe(away)} away",
        )

    def has_entry_time_between(self, check: Check, first: float, last: float) -> Fact:
        """The time of the check's entry is between two moments,
        in seconds since the epoch; both count, to the second.
        """
        transition_time = self.entry_of(check).get("lastTransitionTime", "1970-01-01T00:00:00Z")
        return Fact(
            int(first) <= moment(transition_time) <= last,
            f"the entry of {check.name} changed between {first:.0f} and {last:.0f}",
            f"lastTransitionTime {transition_time}, which is {moment(transition_time):.0f}",
        )

    def has_updates(self, check: Check, updates: Sequence[Json]) -> Fact:
        """The check's entry asks for exactly these changes of pods (CC-037)."""
        observed = self.entry_of(check).get("podSetUpdates") or []
        return Fact(
            list(observed) == list(updates),
            f"the entry of {check.name} has podSetUpdates {list(updates)}",
            f"it has {observed}",
        )

    def was_ready_without_updates(self, check: Check, updates: Sequence[Json]) -> Fact:
        """At some time the check was Ready and did not ask for these changes of pods."""
        entries = [new.checks.get(check.name, {}) for _, new in self._views()]
        holds = any(
            entry.get("state") == "Ready" and entry.get("podSetUpdates") != list(updates) for entry in entries
        )
        return self._past(holds, f"the entry of {check.name} was Ready without {list(updates)}")

    def had_updates_with(self, check: Check, state: str) -> Fact:
        """At some time the check's entry had this state, and asked for changes of pods."""
        entries = [new.checks.get(check.name, {}) for _, new in self._views()]
        holds = any(entry.get("state") == state and entry.get("podSetUpdates") for entry in entries)
        return self._past(holds, f"the entry of {check.name} was {state} with podSetUpdates")

    def had_verdict(self, check: Check, *states: str) -> Fact:
        """At some time the check's entry had one of these states."""
        holds = any(new.checks.get(check.name, {}).get("state") in states for _, new in self._views())
        return self._past(holds, f"the entry of {check.name} was {' or '.join(states)}")

    def has_delay(self, check: Check, seconds: int | None) -> Fact:
        """The check's entry has this requeueAfterSeconds; None: it has none."""
        observed = self.entry_of(check).get("requeueAfterSeconds")
        return Fact(
            observed == seconds,
            f"the entry of {check.name} has requeueAfterSeconds {seconds}",
            f"it has {observed}",
        )

    def had_entry_message(self, check: Check, message: str) -> Fact:
        """At some time the check's entry had this message."""
        holds = any(new.checks.get(check.name, {}).get("message") == message for _, new in self._views())
        return self._past(holds, f"the entry of {check.name} said {message!r}")

    def had_entry_message_containing(self, check: Check, message: str) -> Fact:
        """At some time the check's entry had a message with this in it."""
        holds = any(message in new.checks.get(check.name, {}).get("message", "") for _, new in self._views())
        return self._past(holds, f"the entry of {check.name} mentioned {message!r}")

    def has_entry(self, check: Check, entry: Mapping[str, Any]) -> Fact:
        """The check's entry is exactly this one."""
        observed = self.entry_of(check)
        return Fact(
            observed == entry, f"the entry of {check.name} is {dict(entry)}", f"it is {dict(observed)}"
        )

    def has_fresh_entry(self, check: Check) -> Fact:
        """The time of the check's entry is the present, give or take what the API can tell apart."""
        transition_time = self.entry_of(check).get("lastTransitionTime", "1970-01-01T00:00:00Z")
        holds = abs(moment(transition_time) - self._context.cluster.now()) < self._context.budgets.seconds(
            "react"
        )
        return Fact(
            holds, f"the entry of {check.name} changed just now", f"lastTransitionTime {transition_time}"
        )

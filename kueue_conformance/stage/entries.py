"""The entries of a Workload's checks: which are listed, and what they say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..fact import Fact
from .check import Check
from .reading import Reading


class Entries(Reading):
    """Facts about status.admissionChecks."""

    def lists_checks(self, *checks: Check) -> Fact:
        """Exactly these checks are listed."""
        view, names = self._read(), sorted(check.name for check in checks)
        return self._fact(view, sorted(view.checks) == names, f"the checks {names} are listed, and no others")

    def lists_any(self, *checks: Check) -> Fact:
        """At least one of these checks is listed."""
        view, names = self._read(), {check.name for check in checks}
        return self._fact(view, bool(names & view.checks.keys()), f"one of {sorted(names)} is listed")

    def lists_checks_in_order(self) -> Fact:
        """The entries are sorted by name."""
        view = self._read()
        held = list(view.checks) == sorted(view.checks)
        return self._fact(view, held, "the checks are listed in order of their names")

    def has_states(self, state: str, *checks: Check) -> Fact:
        """Each of these checks (all listed ones when none is named) has the state."""
        view = self._read()
        named = [check.name for check in checks] or list(view.checks)
        held = bool(named) and all(view.checks.get(name, {}).get("state") == state for name in named)
        return self._fact(view, held, f"checks {named} are {state}")

    def has_no_verdicts(self) -> Fact:
        """No check has a verdict left: every listed one is Pending, or none is listed (AC-482)."""
        view = self._read()
        return self._fact(
            view, all(one["state"] == "Pending" for one in view.checks.values()), "no verdict is left"
        )

    def has_retried(self, check: Check, times: int) -> Fact:
        """The check's entry counts so many retries."""
        count = self.check_entry(check).get("retryCount", 0)
        return Fact(count == times, f"retryCount of {check.name} is {times}", f"retryCount {count}")

    def check_entry(self, check: Check) -> Mapping[str, Any]:
        """Return the entry of one check, empty when it is not listed."""
        entry: Mapping[str, Any] = self._read().checks.get(check.name, {})
        return entry

    def entry_says(self, check: Check, message: str) -> Fact:
        """The check's entry has this message."""
        told = self.check_entry(check).get("message", "")
        return Fact(told == message, f"the entry of {check.name} says {message!r}", f"it says {told!r}")

    def entry_said(self, check: Check, message: str) -> Fact:
        """At some time the check's entry had this message."""
        held = any(new.checks.get(check.name, {}).get("message") == message for _, new in self._views())
        return self._past(held, f"the entry of {check.name} said {message!r}")

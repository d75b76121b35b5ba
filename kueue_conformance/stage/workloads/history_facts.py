"""Facts about a Workload's past, from its story."""

from __future__ import annotations

from itertools import groupby

from ...base.bounds import Bound
from ...history.fact import Fact, record_value
from ..checks.check import Check
from .reader import WorkloadReader
from .view import view_of


class HistoryFacts(WorkloadReader):
    """Facts that hold once they held."""

    def was_ever(self, condition: str) -> Fact:
        """At some time of the story the condition was True."""
        return self._past(
            any(new.is_true(condition) for _, new in self._views()), f"{condition} was True at some time"
        )

    def was_admitted_on(self, flavor: str) -> Fact:
        """At some time it was Admitted with some resource assigned to the flavor."""
        holds = any(new.is_true("Admitted") and flavor in new.flavors() for _, new in self._views())
        return self._past(holds, f"it was Admitted on flavor {flavor}")

    def was_released(self) -> Fact:
        """At some time quota that had been reserved was given back."""
        holds = any(
            old.is_true("QuotaReserved") and not new.is_true("QuotaReserved") for old, new in self._views()
        )
        return self._past(holds, "reserved quota was given back")

    def was_evicted_by_a_check(self) -> Fact:
        """At some time Evicted was True because of a check (D-05)."""
        return self.was_evicted_for(self._context.dialect.fact("evicted-by-check-reason"))

    def was_evicted_for(self, *reasons: str) -> Fact:
        """At some time Evicted was True for one of these reasons."""
        conditions = [new.condition("Evicted") for _, new in self._views()]
        holds = any(entry.get("status") == "True" and entry.get("reason") in reasons for entry in conditions)
        return self._past(holds, f"Evicted=True for {' or '.join(reasons)}")

    def was_rejected_by_a_check(self) -> Fact:
        """It was evicted or finished for the dialect's reason of Rejected (D-08, D-10)."""
        reasons = self._context.dialect.fact("rejected-reasons")
        observed = [
            new.condition(name).get("reason") for _, new in self._views() for name in ("Evicted", "Finished")
        ]
        return self._past(
            any(reason in reasons for reason in observed), f"deactivated for {' or '.join(reasons)}"
        )

    def had_condition(self, condition: str, status: str, *reasons: str) -> Fact:
        """At some time the condition had this status for one of these reasons."""
        conditions = [new.condition(condition) for _, new in self._views()]
        holds = any(entry.get("status") == status and entry.get("reason") in reasons for entry in conditions)
        return self._past(holds, f"{condition} was {status} for {' or '.join(reasons)}")

    def had_message(self, condition: str, reason: str, message: str) -> Fact:
        """At some time the condition had this reason, or any for an empty one, and exactly this message."""
        conditions = [new.condition(condition) for _, new in self._views()]
        holds = any(
            entry.get("message") == message and reason in ("", entry.get("reason")) for entry in conditions
        )
        return self._past(holds, f"{condition} was {reason}: {message!r}")

    def had_reason_changes(self, condition: str, times: int) -> Fact:
        """The reason of a condition was replaced by another so often, or more."""
        reasons = [new.condition(condition).get("reason") for _, new in self._views()]
        count = sum(1 for _ in groupby(reason for reason in reasons if reason)) - 1
        bound = Bound("times", least=times)
        return Fact(
            bound.holds(count), f"{self}: {condition} changed its reason {bound}", bound.describe(count)
        )

    def was_admitted_in_one_write(self) -> Fact:
        """Quota was reserved and the Workload admitted by the same write."""
        first = next((new for _, new in self._views() if new.is_true("QuotaReserved")), None)
        return self._past(
            first is not None and first.is_true("Admitted"), "reserved and admitted by one write"
        )

    def had_states(self, check: Check, *states: str) -> Fact:
        """The check's entry had these states, in this order and no others."""
        all_states = [new.checks.get(check.name, {}).get("state") for _, new in self._views()]
        observed = [name for name, _ in groupby(name for name in all_states if name)]
        return self._past(
            observed == list(states),
            f"the entry of {check.name} went through {', '.join(states)}, it went through {observed}",
        )

    def was_reserved(self, times: int) -> Fact:
        """Quota was reserved so often until now."""
        count = self.reservation_count()
        return Fact(count == times, f"{self}: quota was reserved {times} time(s)", f"{count} time(s)")

    def was_recreated(self) -> Fact:
        """Two Workloads had the name, one after the other."""
        uids = {new.object["metadata"]["uid"] for _, new in self._views() if new.object}
        bound = Bound("Workloads", least=2)
        return Fact(bound.holds(len(uids)), f"{self}: {bound} had its name", bound.describe(len(uids)))

    def reservation_count(self) -> int:
        """Return how often quota was reserved so far."""
        return record_value(f"reservations of {self}", self._began("QuotaReserved"))

    def was_evicted_times(self, times: int) -> Fact:
        """Evicted became True so often until now."""
        count = self._began("Evicted")
        return Fact(count == times, f"{self}: it was evicted {times} time(s)", f"{count} time(s)")

    def was_admitted_times(self, times: int) -> Fact:
        """Admitted became True so often until now."""
        count = self._began("Admitted")
        return Fact(count == times, f"{self}: it was admitted {times} time(s)", f"{count} time(s)")

    def seconds_admitted(self) -> float:
        """Return for how long it was Admitted so far, by the times of its changes."""
        total, since = 0.0, None
        for change in self.history:
            admitted = view_of(change.after).is_true("Admitted")
            if admitted and since is None:
                since = change.at
            elif not admitted and since is not None:
                total, since = total + change.at - since, None
        return total if since is None else total + self._context.cluster.now() - since

    def _began(self, condition: str) -> int:
        return sum(new.is_true(condition) and not old.is_true(condition) for old, new in self._views())

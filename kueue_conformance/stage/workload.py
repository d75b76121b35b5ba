"""A Workload, bare or made for a Job: what it was asked for, what can be seen of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from ..bench import Bench
from ..fact import Fact
from ..history import History
from .check import Check

if TYPE_CHECKING:
    from .queue import Queue

Json: TypeAlias = Any


class Workload:
    """Predicates give a `Fact`; they read the object anew each time. KEP words where the KEP has one (admission.md §2.1)."""

    def __init__(self, bench: Bench, namespace: str, name: str = "", *, job: str = "") -> None:
        self._bench = bench
        self.namespace = namespace
        self.job = job
        self._name = name

    @property
    def name(self) -> str:
        """The Workload's name; that of a Job's Workload is known once Kueue has made it."""
        if not self._name:
            owned = [one for one in self._bench.client.list("Workload", self.namespace) if self._is_ours(one)]
            self._name = owned[0]["metadata"]["name"] if owned else ""
        return self._name

    def _is_ours(self, found: Json) -> bool:
        owners = found["metadata"].get("ownerReferences", [])
        return any(owner["kind"] == "Job" and owner["name"] == self.job for owner in owners)

    @property
    def object(self) -> Json:
        """The Workload as it is now; empty when it does not exist."""
        return (self._bench.client.find("Workload", self.name, self.namespace) if self.name else None) or {}

    @property
    def history(self) -> History:
        """The Workload's story."""
        return self._bench.history.of("Workload", self.name, self.namespace)

    # What it is

    def is_suspended(self) -> Fact:
        """Suspended: no quota is reserved and no admission is set."""
        held = not self._is("QuotaReserved") and not self._status().get("admission")
        return self._fact(held, "Suspended (QuotaReserved is not True, no admission)")

    def is_prechecked(self) -> Fact:
        """Prechecked: quota is reserved, and the Workload is not admitted."""
        reserved = self._is("QuotaReserved") and bool(self._status().get("admission"))
        return self._fact(
            reserved and not self._is("Admitted"), "Prechecked (QuotaReserved=True, not Admitted)"
        )

    def is_admitted(self) -> Fact:
        """Admitted, and not on its way out."""
        return self._fact(self._is("Admitted") and self._is("QuotaReserved"), "Admitted")

    def is_evicted(self) -> Fact:
        """Evicted=True."""
        return self._fact(self._is("Evicted"), "Evicted=True")

    def is_rejected(self) -> Fact:
        """Rejected: no quota, and never tried again without a human action (D-08)."""
        active = self.object.get("spec", {}).get("active", True)
        out = {"deactivated": not active, "finished": self._is("Finished")}[
            self._bench.dialect.fact("reject")
        ]
        return self._fact(out and not self._is("QuotaReserved"), "Rejected (given up and without quota)")

    def is_finished(self) -> Fact:
        """Finished=True."""
        return self._fact(self._is("Finished"), "Finished=True")

    def has_reason(self, condition: str, *reasons: str) -> Fact:
        """The condition is True or False for one of these reasons."""
        reason = self._condition(condition).get("reason", "")
        return self._fact(reason in reasons, f"{condition} with reason {' or '.join(reasons)}")

    def says(self, condition: str, text: str) -> Fact:
        """The condition's message contains a text."""
        return self._fact(
            text in self._condition(condition).get("message", ""), f"{condition} with the message {text!r}"
        )

    def lists_checks(self, *checks: Check) -> Fact:
        """Exactly these checks are listed."""
        names = sorted(check.name for check in checks)
        return self._fact(sorted(self._checks()) == names, f"the checks {names} are listed, and no others")

    def lists_any(self, *checks: Check) -> Fact:
        """At least one of these checks is listed."""
        names = {check.name for check in checks}
        return self._fact(names & self._checks().keys(), f"one of {sorted(names)} is listed")

    def lists_checks_in_order(self) -> Fact:
        """The entries are sorted by name."""
        names = list(self._checks())
        return self._fact(names == sorted(names), "the checks are listed in order of their names", f"{names}")

    def has_states(self, state: str, *checks: Check) -> Fact:
        """Each of these checks (all listed ones when none is named) has the state."""
        entries = self._checks()
        named = [check.name for check in checks] or list(entries)
        held = bool(named) and all(entries.get(name, {}).get("state") == state for name in named)
        return self._fact(held, f"checks {named} are {state}")

    def has_no_verdicts(self) -> Fact:
        """No check has a verdict left: every listed one is Pending, or none is listed (AC-482)."""
        return self._fact(
            all(one["state"] == "Pending" for one in self._checks().values()), "no verdict is left"
        )

    def check_entry(self, check: Check) -> Mapping[str, Any]:
        """Return the entry of one check, empty when it is not listed."""
        entry: Mapping[str, Any] = self._checks().get(check.name, {})
        return entry

    def uses_flavor(self, name: str) -> Fact:
        """Some resource is assigned to the flavor."""
        assignments = (self._status().get("admission") or {}).get("podSetAssignments", [])
        used = sorted({flavor for one in assignments for flavor in one.get("flavors", {}).values()})
        return self._fact(name in used, f"flavor {name} is assigned", f"assigned flavors {used}")

    def was_ever(self, condition: str) -> Fact:
        """At some time of the story the condition was True."""
        held = any(_is_true(one.after, condition) for one in self.history)
        return self._fact(held, f"{condition} was True at some time")

    def was_released(self) -> Fact:
        """At some time quota that had been reserved was given back."""
        held = any(
            _is_true(one.before, "QuotaReserved") and not _is_true(one.after, "QuotaReserved")
            for one in self.history
        )
        return self._fact(held, "reserved quota was given back")

    def was_evicted_by_a_check(self) -> Fact:
        """At some time Evicted was True because of a check (D-05)."""
        return self.was_evicted_for(self._bench.dialect.fact("evicted-by-check-reason"))

    def was_given_up_by_a_check(self) -> Fact:
        """It was evicted or finished for a reason that the dialect has for Rejected (D-08, D-10)."""
        reasons = self._bench.dialect.fact("rejected-reasons")
        told = [
            _condition_of(one.after, name).get("reason")
            for one in self.history
            for name in ("Evicted", "Finished")
        ]
        return self._fact(any(reason in reasons for reason in told), f"given up for {' or '.join(reasons)}")

    def was_told(self, condition: str, status: str, reason: str) -> Fact:
        """At some time the condition had this status for this reason."""
        told = [_condition_of(one.after, condition) for one in self.history]
        held = any((one.get("status"), one.get("reason")) == (status, reason) for one in told)
        return self._fact(held, f"{condition} was {status} for {reason}")

    def reservations(self) -> int:
        """Return how often quota was reserved so far."""
        return sum(
            _is_true(one.after, "QuotaReserved") and not _is_true(one.before, "QuotaReserved")
            for one in self.history
        )

    def has_retried(self, check: Check, times: int) -> Fact:
        """The check's entry counts so many retries."""
        count = self.check_entry(check).get("retryCount", 0)
        return self._fact(count == times, f"retryCount of {check.name} is {times}", f"retryCount {count}")

    def was_evicted_for(self, *reasons: str) -> Fact:
        """At some time Evicted was True for one of these reasons."""
        seen = [_condition_of(one.after, "Evicted") for one in self.history]
        held = any(one.get("status") == "True" and one.get("reason") in reasons for one in seen)
        return self._fact(held, f"Evicted=True for {' or '.join(reasons)}")

    def was_admitted_in_one_write(self) -> Fact:
        """Quota was reserved and the Workload admitted by the same write."""
        first = next((one for one in self.history if _is_true(one.after, "QuotaReserved")), None)
        return self._fact(
            first is not None and _is_true(first.after, "Admitted"), "reserved and admitted by one write"
        )

    # What is done to it

    def deactivate(self) -> None:
        """Set spec.active to false, as a user does."""
        self._bench.client.merge("Workload", self.name, {"spec": {"active": False}}, namespace=self.namespace)

    def reactivate(self) -> None:
        """Set spec.active to true, as a user does."""
        self._bench.client.merge("Workload", self.name, {"spec": {"active": True}}, namespace=self.namespace)

    def ungate(self) -> None:
        """Take the admission gate away, where the user put it: on the Job, or on the bare Workload."""
        kind, name = ("Job", self.job) if self.job else ("Workload", self.name)
        gate = {"metadata": {"annotations": {"kueue.x-k8s.io/admission-gated-by": None}}}
        self._bench.client.merge(kind, name, gate, namespace=self.namespace)

    def moves_to(self, queue: Queue) -> None:
        """Set spec.queueName to another LocalQueue, as a user does."""
        self._bench.client.merge(
            "Workload", self.name, {"spec": {"queueName": queue.name}}, namespace=self.namespace
        )

    def touch(self) -> None:
        """Change a label that means nothing, so that whoever watches looks again."""
        label = {"kueue-conformance.dev/touched": str(self.history.last_revision)}
        self._bench.client.merge(
            "Workload", self.name, {"metadata": {"labels": label}}, namespace=self.namespace
        )

    def delete(self) -> None:
        """Delete the Job, or the bare Workload."""
        self._bench.client.delete("Job" if self.job else "Workload", self.job or self.name, self.namespace)

    def finish(self) -> None:
        """Have it end well: the Job succeeds, or Finished=True on a bare Workload."""
        from .endings import finish

        finish(self._bench, self)

    def state(self) -> tuple[Any, Any]:
        """Return spec and status as they are now, to compare them later."""
        return self.object.get("spec"), self._status()

    # How it is read

    def _status(self) -> Json:
        return self.object.get("status") or {}

    def _condition(self, name: str) -> Json:
        return next((one for one in self._status().get("conditions", []) if one["type"] == name), {})

    def _is(self, condition: str) -> bool:
        return bool(self._condition(condition).get("status") == "True")

    def _checks(self) -> dict[str, Json]:
        return {one["name"]: one for one in self._status().get("admissionChecks", [])}

    def _fact(self, holds: Any, expected: str, observed: str = "") -> Fact:
        return Fact(
            bool(holds), f"Workload {self.name or f'of Job {self.job}'}: {expected}", observed or self.seen()
        )

    def seen(self) -> str:
        """Return the state in one line."""
        status = self._status()
        conditions = [
            f"{one['type']}={one['status']} ({one['reason']})" for one in status.get("conditions", [])
        ]
        checks = [f"{name}: {one['state']}" for name, one in self._checks().items()]
        active = [] if self.object.get("spec", {}).get("active", True) else ["spec.active=false"]
        admission = (
            [f"admission in {status['admission']['clusterQueue']}"]
            if status.get("admission")
            else ["no admission"]
        )
        return (
            "; ".join([*conditions, *checks, *active, *admission])
            if self.object
            else "there is no such Workload"
        )


def _condition_of(thing: Json | None, name: str) -> Json:
    found: Sequence[Json] = ((thing or {}).get("status") or {}).get("conditions") or ()
    return next((one for one in found if one["type"] == name), {})


def _is_true(thing: Json | None, condition: str) -> bool:
    return bool(_condition_of(thing, condition).get("status") == "True")

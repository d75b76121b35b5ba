"""A Workload, bare or made for a Job: what it was asked for, what can be seen of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol, TypeAlias

from ..bench import Bench
from ..fact import Fact
from ..history import History
from .answer import Answer, refused, tried
from .check import Check, timestamp
from .endings import finish, finish_job
from .view import View, seen

Json: TypeAlias = Any


class LocalQueue(Protocol):
    """Where a Workload can be moved to."""

    name: str


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
        view = self._read()
        return self._fact(
            view, not view.is_true("QuotaReserved") and not view.admission, "Suspended (no quota reserved)"
        )

    def is_prechecked(self) -> Fact:
        """Prechecked: quota is reserved, and the Workload is not admitted."""
        view = self._read()
        reserved = view.is_true("QuotaReserved") and bool(view.admission)
        return self._fact(
            view, reserved and not view.is_true("Admitted"), "Prechecked (QuotaReserved=True, not Admitted)"
        )

    def is_admitted(self) -> Fact:
        """Admitted, with quota."""
        view = self._read()
        return self._fact(view, view.is_true("Admitted") and view.is_true("QuotaReserved"), "Admitted")

    def is_evicted(self) -> Fact:
        """Evicted=True."""
        view = self._read()
        return self._fact(view, view.is_true("Evicted"), "Evicted=True")

    def is_rejected(self) -> Fact:
        """Rejected: no quota, and never tried again without a human action (D-08)."""
        view = self._read()
        out = {"deactivated": not view.active, "finished": view.is_true("Finished")}[
            self._bench.dialect.fact("reject")
        ]
        return self._fact(
            view, out and not view.is_true("QuotaReserved"), "Rejected (given up and without quota)"
        )

    def is_inactive(self) -> Fact:
        """spec.active is false."""
        view = self._read()
        return self._fact(view, not view.active, "spec.active is false")

    def is_active_and_suspended(self) -> Fact:
        """spec.active is not false, and no quota is reserved."""
        view = self._read()
        held = view.active and not view.is_true("QuotaReserved") and not view.admission
        return self._fact(view, held, "active, and Suspended")

    def exists(self) -> Fact:
        """The Workload object is there."""
        view = self._read()
        return self._fact(view, bool(view.object), "it exists")

    def waits_for_requeue(self) -> Fact:
        """status.requeueState is set."""
        view = self._read()
        return self._fact(
            view, "requeueState" in view.status, "requeueState is set", f"{view.status.get('requeueState')}"
        )

    def is_finished(self) -> Fact:
        """Finished=True."""
        view = self._read()
        return self._fact(view, view.is_true("Finished"), "Finished=True")

    def has_reason(self, condition: str, *reasons: str) -> Fact:
        """The condition is True or False for one of these reasons."""
        view = self._read()
        held = view.condition(condition).get("reason", "") in reasons
        return self._fact(view, held, f"{condition} with reason {' or '.join(reasons)}")

    def says(self, condition: str, text: str) -> Fact:
        """The condition's message contains a text."""
        view = self._read()
        message = view.condition(condition).get("message", "")
        return self._fact(view, text in message, f"{condition} with the message {text!r}", repr(message))

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

    def uses_flavor(self, name: str) -> Fact:
        """Some resource is assigned to the flavor."""
        view = self._read()
        return self._fact(
            view, name in view.flavors(), f"flavor {name} is assigned", f"assigned flavors {view.flavors()}"
        )

    # What it was

    def was_ever(self, condition: str) -> Fact:
        """At some time of the story the condition was True."""
        return self._past(
            any(new.is_true(condition) for _, new in self._views()), f"{condition} was True at some time"
        )

    def was_released(self) -> Fact:
        """At some time quota that had been reserved was given back."""
        held = any(
            old.is_true("QuotaReserved") and not new.is_true("QuotaReserved") for old, new in self._views()
        )
        return self._past(held, "reserved quota was given back")

    def was_evicted_by_a_check(self) -> Fact:
        """At some time Evicted was True because of a check (D-05)."""
        return self.was_evicted_for(self._bench.dialect.fact("evicted-by-check-reason"))

    def was_evicted_for(self, *reasons: str) -> Fact:
        """At some time Evicted was True for one of these reasons."""
        told = [new.condition("Evicted") for _, new in self._views()]
        held = any(one.get("status") == "True" and one.get("reason") in reasons for one in told)
        return self._past(held, f"Evicted=True for {' or '.join(reasons)}")

    def was_given_up_by_a_check(self) -> Fact:
        """It was evicted or finished for a reason that the dialect has for Rejected (D-08, D-10)."""
        reasons = self._bench.dialect.fact("rejected-reasons")
        told = [
            new.condition(name).get("reason") for _, new in self._views() for name in ("Evicted", "Finished")
        ]
        return self._past(any(reason in reasons for reason in told), f"given up for {' or '.join(reasons)}")

    def was_told(self, condition: str, status: str, reason: str) -> Fact:
        """At some time the condition had this status for this reason."""
        told = [new.condition(condition) for _, new in self._views()]
        held = any((one.get("status"), one.get("reason")) == (status, reason) for one in told)
        return self._past(held, f"{condition} was {status} for {reason}")

    def entry_said(self, check: Check, message: str) -> Fact:
        """At some time the check's entry had this message."""
        held = any(new.checks.get(check.name, {}).get("message") == message for _, new in self._views())
        return self._past(held, f"the entry of {check.name} said {message!r}")

    def was_admitted_in_one_write(self) -> Fact:
        """Quota was reserved and the Workload admitted by the same write."""
        first = next((new for _, new in self._views() if new.is_true("QuotaReserved")), None)
        return self._past(
            first is not None and first.is_true("Admitted"), "reserved and admitted by one write"
        )

    def was_reserved(self, times: int) -> Fact:
        """Quota was reserved so often until now."""
        count = self.reservations()
        return Fact(count == times, f"{self}: quota was reserved {times} time(s)", f"{count} time(s)")

    def reservations(self) -> int:
        """Return how often quota was reserved so far."""
        return sum(
            new.is_true("QuotaReserved") and not old.is_true("QuotaReserved") for old, new in self._views()
        )

    # What is done to it

    def is_judged(self, verdicts: Mapping[Check, str], **more: Any) -> None:
        """Give several verdicts in one write, as if their controllers had answered at the same moment."""
        first, *_ = verdicts
        first.answer_together(self, {check.name: state for check, state in verdicts.items()}, **more)

    def deactivate(self) -> None:
        """Set spec.active to false, as a user does."""
        self._bench.client.merge("Workload", self.name, {"spec": {"active": False}}, namespace=self.namespace)

    def reactivate(self) -> None:
        """Set spec.active to true, as a user does."""
        self._bench.client.merge("Workload", self.name, {"spec": {"active": True}}, namespace=self.namespace)

    def ungate(self) -> None:
        """Take the admission gate away from the Workload."""
        gate = {"metadata": {"annotations": {"kueue.x-k8s.io/admission-gated-by": None}}}
        self._bench.client.merge("Workload", self.name, gate, namespace=self.namespace)

    def moves_to(self, queue: LocalQueue) -> None:
        """Set spec.queueName to another LocalQueue, as a user does."""
        self._bench.client.merge(
            "Workload", self.name, {"spec": {"queueName": queue.name}}, namespace=self.namespace
        )

    def refusal_of_move(self, queue: LocalQueue) -> Answer:
        """Try to move it to another LocalQueue, which must be refused, and return the answer."""
        return refused(lambda: self.moves_to(queue))

    def changes(self, **sections: Any) -> Answer:
        """Change fields of metadata, spec or status, as anybody may try to; return what the server says against it."""
        sub, client = ("status" if "status" in sections else ""), self._bench.client
        return tried(lambda: client.merge("Workload", self.name, sections, namespace=self.namespace, sub=sub))

    def claims(self, condition: str) -> Answer:
        """Put a condition into the status without anything else; return what the server says against it."""
        claim = {
            "type": condition, "status": "True", "reason": "Testing", "message": "claimed by a scenario",
            "lastTransitionTime": timestamp(self._bench.cluster.now()),
        }  # fmt: skip
        return self.changes(status={"conditions": [claim]})

    def in_version(self, version: str) -> Json:
        """Return the object as it is read in a version of the API."""
        return self._bench.client.speaking(version).get("Workload", self.name, self.namespace)

    def touch(self) -> None:
        """Change a label that means nothing, so that whoever watches looks again."""
        label = {"kueue-conformance.dev/touched": str(self.history.last_revision)}
        self._bench.client.merge(
            "Workload", self.name, {"metadata": {"labels": label}}, namespace=self.namespace
        )

    def delete(self) -> None:
        """Delete the Job, or the bare Workload."""
        self._bench.client.delete("Job" if self.job else "Workload", self.job or self.name, self.namespace)

    def is_left_by_a_job(self) -> None:
        """Label a bare Workload as one that was made for a Job; nobody owns it, so that the Job is gone (AC-297)."""
        label = {"kueue.x-k8s.io/job-uid": "00000000-0000-4000-8000-000000000000"}
        self._bench.client.merge(
            "Workload", self.name, {"metadata": {"labels": label}}, namespace=self.namespace
        )

    def finish(self) -> None:
        """Have it end well: the Job succeeds, or Finished=True on a bare Workload."""
        if self.job:
            finish_job(self._bench, self.namespace, self.job)
        else:
            finish(self._bench, self.namespace, self.name)

    def state(self) -> tuple[Any, Any]:
        """Return spec and status as they are now, to compare them later."""
        found = self.object
        return found.get("spec"), found.get("status")

    # How it is read

    def _read(self) -> View:
        return View(self.object)

    def _views(self) -> Iterator[tuple[View, View]]:
        return ((seen(one.before), seen(one.after)) for one in self.history)

    def _fact(self, view: View, holds: bool, expected: str, observed: str = "") -> Fact:
        return Fact(holds, f"{self}: {expected}", observed or str(view))

    def _past(self, holds: bool, expected: str) -> Fact:
        return Fact(holds, f"{self}: {expected}", f"now {self._read()}" if not holds else "it was so")

    def __str__(self) -> str:
        return f"Workload {self.name}" if self.name else f"the Workload of Job {self.job}"

"""An AdmissionCheck whose controller is the scenario."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Protocol

from ...base.json_types import Json
from ...base.objects import CheckState
from ...case.context import CaseContext, within
from ...history.fact import Fact
from ...wire.client import Client
from ..answer import Answer, expect_refusal, try_request
from ..making import manifests
from .check_facts import NOTE, CheckFacts

PLAYER = "check-player"


def timestamp(seconds: float) -> str:
    """Return a time as the API writes it."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class Workload(Protocol):
    """A Workload, as far as a check needs it."""

    namespace: str

    @property
    def name(self) -> str:
        """Its name."""

    def lists_any_of(self, *checks: Check) -> Fact:
        """At least one of these checks is listed."""

    def has_entry_message(self, check: Check, message: str) -> Fact:
        """The check's entry has this message."""


class Check(CheckFacts):
    """An AdmissionCheck, and the writes of its controller: Active, and verdicts on Workloads."""

    def __init__(self, context: CaseContext, name: str) -> None:
        super().__init__(context, name)
        self._answered = 0
        # A name of its own, so that the story tells the controller's writes from the user's.
        self._player: Client = context.client.with_agent(PLAYER)

    def set_active(self, active: bool = True, reason: str = "") -> Check:
        """Set the Active condition as the check's controller does."""
        status = "True" if active else "False"
        condition = {
            "type": "Active",
            "status": status,
            "reason": reason or ("Ready" if active else "NotReady"),
            "message": "the check can be used" if active else "the check cannot be used",
            "lastTransitionTime": timestamp(self._context.cluster.now()),
        }
        self._player.merge("AdmissionCheck", self.name, {"status": {"conditions": [condition]}}, sub="status")
        return self

    def answer(
        self,
        workload: Workload,
        state: str,
        *,
        message: str = "",
        delay: int | None = None,
        updates: Sequence[Json] | None = None,
        found_at: float | None = None,
    ) -> None:
        """Give a verdict on a Workload as a careful controller does:
        PUT on status, time changed with the state (CC-035).

        `found_at` is when the verdict was found, where that is not now.
        """
        optional_fields: dict[str, Any] = {
            **({"requeueAfterSeconds": delay} if delay is not None else {}),
            **({"podSetUpdates": list(updates)} if updates is not None else {}),
        }
        self.answer_together(
            workload, {self.name: state}, message=message, found_at=found_at, **optional_fields
        )

    def answer_again(self, workload: Workload) -> None:
        """Answer Ready with a new message."""
        self._answered += 1
        self.answer(workload, "Ready", message=f"answer {self._answered}")

    def has_stored_verdict(self, workload: Workload) -> Fact:
        """The newest of those verdicts is stored."""
        return workload.has_entry_message(self, f"answer {self._answered}")

    def request_preemption(self, workload: Workload, reason: str = "PreemptionRequired") -> None:
        """Stay Pending, and ask Kueue to issue the preemptions (AC-444)."""
        self.answer_with_reason(workload, "Pending", reason)

    def answer_with_reason(self, workload: Workload, state: str, reason: str) -> None:
        """Give a verdict with a reason, as the KEP has one beside the state (AC-460)."""
        self.answer_together(workload, {self.name: state}, reason=reason)

    def try_to_answer(self, workload: Workload, state: str, **fields: Any) -> Answer:
        """Try to write a verdict as `answers` does; return the server's answer."""
        return try_request(lambda: self.answer(workload, state, **fields))

    def answer_together(
        self,
        workload: Workload,
        states: Mapping[str, str],
        *,
        message: str = "",
        found_at: float | None = None,
        delays: Mapping[str, int] | None = None,
        **fields: Any,
    ) -> None:
        """Give the verdicts of several checks, by name, in one write; `delays` are seconds by check."""
        time = timestamp(self._context.cluster.now() if found_at is None else found_at)
        delay_fields = {name: {"requeueAfterSeconds": delay} for name, delay in (delays or {}).items()}

        def with_verdicts(current: Json) -> Json:
            status = current.get("status", {})
            entries: Mapping[str, Any] = {
                name: {"state": state, "message": message, **fields, **delay_fields.get(name, {})}
                for name, state in states.items()
            }
            # Only entries that are listed are answered: a controller creates none (CC-025).
            checks = [
                _entry(entry, entries.get(entry["name"]), time) for entry in status.get("admissionChecks", [])
            ]
            # A write without entries would be one that changes nothing.
            return {**current, "status": {**status, "admissionChecks": checks}} if checks else current

        self._player.update(
            "Workload", workload.name, with_verdicts, namespace=workload.namespace, sub="status"
        )

    def answer_if_listed(self, workload: Workload, state: str) -> None:
        """Give a verdict unless Kueue has dropped the entry, as a careful controller does (CC-025)."""
        if workload.lists_any_of(self):
            self.answer(workload, state)

    def set_active_status(self, status: str) -> None:
        """Set the status of the Active condition to any value."""
        condition = {"type": "Active", "status": status, "reason": "Testing", "message": "set by a scenario"}
        time = timestamp(self._context.cluster.now())
        change = {"status": {"conditions": [{**condition, "lastTransitionTime": time}]}}
        self._player.merge("AdmissionCheck", self.name, change, sub="status")

    def overwrite_verdict(self, workload: Workload, state: str) -> None:
        """Put a state in place of the check's verdict,
        as a client that writes an older copy of the Workload does (AC-372).
        """
        other = Check(self._context, self.name)
        # Under the name of Kueue: the story must not take it for a write of the check's
        # controller.
        other._player = self._context.client.with_agent("kueue-admission")
        other.answer(workload, state)

    def try_to_change(self, **spec: Any) -> Answer:
        """Change fields of the spec; return the server's answer."""
        return try_request(lambda: self._player.merge("AdmissionCheck", self.name, {"spec": spec}))

    def set_parameters(self, parameters: Json) -> None:
        """Change the reference to the parameters; None takes it away."""
        self._player.merge("AdmissionCheck", self.name, {"spec": {"parameters": parameters}})

    @property
    def spec(self) -> Json:
        """The stored spec."""
        return self._context.client.get("AdmissionCheck", self.name)["spec"]

    def try_to_change_entry(self, workload: Workload, change: Json) -> Answer:
        """Write an entry with some fields changed (None:
        left out), which must be refused, and return the answer.
        """

        def with_change(current: Json) -> Json:
            entries = [
                {**entry, **change}
                for entry in current["status"]["admissionChecks"]
                if entry["name"] == self.name
            ]
            entries_without_null = [
                {key: value for key, value in entry.items() if value is not None} for entry in entries
            ]
            return {**current, "status": {**current["status"], "admissionChecks": entries_without_null}}

        where = {"namespace": workload.namespace, "sub": "status"}
        return expect_refusal(lambda: self._player.update("Workload", workload.name, with_change, **where))

    def add_foreign_fields(self) -> None:
        """Add a label, a finalizer and a condition of another client."""
        note = {"labels": {NOTE: "seen"}, "finalizers": [NOTE]}
        self._player.merge("AdmissionCheck", self.name, {"metadata": note})
        # No controller removes this finalizer, and the clean-up would wait for ever.
        self._context.client.afterwards(self.remove_foreign_finalizer)
        condition = {
            "type": "Audited",
            "status": "True",
            "reason": "Seen",
            "message": "seen by an auditor",
            "lastTransitionTime": timestamp(self._context.cluster.now()),
        }

        def with_condition(current: Json) -> Json:
            status = current.get("status") or {}
            others = [held for held in status.get("conditions", []) if held["type"] != condition["type"]]
            return {**current, "status": {**status, "conditions": [*others, condition]}}

        self._player.update("AdmissionCheck", self.name, with_condition, sub="status")

    def remove_foreign_finalizer(self) -> None:
        """Remove the finalizer of that other client."""

        def without_finalizer(current: Json) -> Json:
            finalizers = [
                finalizer for finalizer in current["metadata"].get("finalizers", []) if finalizer != NOTE
            ]
            return {**current, "metadata": {**current["metadata"], "finalizers": finalizers}}

        if self._context.client.find("AdmissionCheck", self.name):
            self._player.update("AdmissionCheck", self.name, without_finalizer)

    def remove_finalizers(self) -> None:
        """Remove every finalizer."""
        bare = {"metadata": {"finalizers": None}}
        self._context.client.merge("AdmissionCheck", self.name, bare)

    def touch(self) -> None:
        """Change an unused label, so that every watcher gets an event."""
        revision = self._context.client.get("AdmissionCheck", self.name)["metadata"]["resourceVersion"]
        # Another value each time: a write without a change makes no event.
        label = {"kueue-conformance.dev/touched": revision}
        self._player.merge("AdmissionCheck", self.name, {"metadata": {"labels": label}})

    def recreate(self, controller: str) -> Check:
        """Delete the AdmissionCheck, and make one of the same name for another controller."""
        self.delete()
        # Kueue's finalizer holds the name until no queue uses the check.
        within("cleanup", self.is_gone)
        self._context.client.create(manifests.admission_check(self.name, controller))
        return self

    def delete(self) -> None:
        """Delete the AdmissionCheck; it is gone when Kueue removes its finalizer."""
        self._context.client.delete("AdmissionCheck", self.name)

    def is_gone(self) -> Fact:
        """The AdmissionCheck no longer exists, so that its name is free."""
        check = self._context.client.find("AdmissionCheck", self.name)
        observed = (
            "gone" if check is None else f"there, with finalizers {check['metadata'].get('finalizers', [])}"
        )
        return Fact(check is None, f"AdmissionCheck {self.name} is gone", observed)


def _entry(current: CheckState, verdict: CheckState | None, time: str) -> CheckState:
    if verdict is None:
        return current
    # retryCount is Kueue's: a controller that drops it sets it back (CC-033).
    entry: CheckState = {"name": current["name"], **verdict}
    if "retryCount" in current:
        entry.setdefault("retryCount", current["retryCount"])
    # The time moves with the state and not with the message (CC-035).
    moved = current["state"] != verdict["state"]
    entry["lastTransitionTime"] = time if moved else current["lastTransitionTime"]
    return entry

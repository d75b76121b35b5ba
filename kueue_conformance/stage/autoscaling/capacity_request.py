"""A ProvisioningRequest of a scenario, and an autoscaler's answers in its status (provisioning.md A3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import dropwhile
from typing import Any, TypeAlias

from ...case_context import CaseContext
from ...fact import Fact
from ...history import PLAYERS, Change
from ...numbers import moment
from ..answer import Answer, tried
from ..checks.check import timestamp
from .pending_pod import events_about
from .tries import Try, follows, gaps_between

Json: TypeAlias = Any
KIND = "ProvisioningRequest"
_LOOP_SECONDS = 3
"""Seconds that an attempt may be late in real time: one loop of an autoscaler."""
ACCEPTED, PROVISIONED, FAILED, EXPIRED = "Accepted", "Provisioned", "Failed", "BookingExpired"
ANSWERS: Mapping[str, tuple[str, str, str, str]] = {
    "accepted": (ACCEPTED, "True", "Accepted", "ProvisioningRequest is accepted by ClusterAutoscaler"),
    "found": (PROVISIONED, "True", "CapacityIsFound", "Capacity is found in the cluster"),
    "made": (PROVISIONED, "True", "CapacityIsProvisioned", "Capacity is found in the cluster"),
    "not found": (
        PROVISIONED,
        "False",
        "CapacityIsNotFound",
        "Capacity is not found, CA will try to find it later.",
    ),
    "never found": (FAILED, "True", "CapacityIsNotFound", "CA could not find requested capacity"),
    "too old": (FAILED, "True", "Expired", "ProvisioningRequest is expired"),
    "booking over": (
        EXPIRED,
        "True",
        "CapacityReservationTimeExpired",
        "Capacity reservation time is expired",
    ),
    "booking used": (
        EXPIRED,
        "True",
        "CapacityBookingConsumed",
        "Capacity booking consumed: all pods scheduled",
    ),
}
"""cluster-autoscaler's conditions by meaning: type, status, reason and message (PR-076…086)."""


class CapacityRequest:
    """One request, read anew by each property."""

    def __init__(self, context: CaseContext, namespace: str, name: str) -> None:
        self._context = context
        self.namespace = namespace
        self.name = name

    @property
    def object(self) -> Json:
        """The request as it is now, empty when it is gone."""
        return self._context.client.find(KIND, self.name, self.namespace) or {}

    @property
    def conditions(self) -> Mapping[str, Json]:
        """Its conditions by their types, in their order."""
        found = (self.object.get("status") or {}).get("conditions") or ()
        return {one["type"]: one for one in found}

    @property
    def created(self) -> float:
        """When it was made, in seconds since the epoch."""
        return moment(self.object["metadata"]["creationTimestamp"])

    # What it is

    def says(self, condition: str, status: str, reason: str = "") -> Fact:
        """A condition has this status, for this reason where one is named."""
        found = self.conditions.get(condition, {})
        held = found.get("status") == status and reason in ("", found.get("reason"))
        return self._fact(held, f"{condition}={status} {reason}")

    def tells(self, answer: str) -> Fact:
        """A condition has exactly the status, the reason and the text of one of `ANSWERS`."""
        condition, *words = ANSWERS[answer]
        found = self.conditions.get(condition, {})
        told = [found.get("status"), found.get("reason"), found.get("message")]
        return self._fact(told == words, f"{condition} {words}", f"{found}")

    def tells_failure(self, reason: str, message: str) -> Fact:
        """It has failed for exactly this reason with exactly this text."""
        found = self.conditions.get(FAILED, {})
        told = found.get("status"), found.get("reason"), found.get("message")
        return self._fact(told == ("True", reason, message), f"Failed {reason} {message!r}", f"{found}")

    def is_accepted(self) -> Fact:
        """It is Accepted."""
        return self.says(ACCEPTED, "True")

    def is_provisioned(self, reason: str = "") -> Fact:
        """It is Provisioned and not Failed."""
        said = self.conditions
        held = said.get(PROVISIONED, {}).get("status") == "True" and reason in (
            "",
            said[PROVISIONED]["reason"],
        )
        failed = said.get(FAILED, {}).get("status") == "True"
        return self._fact(held and not failed, f"Provisioned=True {reason}, and not Failed")

    def is_short(self) -> Fact:
        """Its capacity was not found; it will be tried again."""
        said = self.conditions
        held = said.get(PROVISIONED, {}).get("status") == "False"
        return self._fact(
            held and said.get(FAILED, {}).get("status") != "True", "Provisioned=False, and not Failed"
        )

    def is_available(self, *, available: bool = True) -> Fact:
        """Its capacity is there now, or is not, in the words of the proposal (PR-202)."""
        return self.says("CapacityAvailable", str(available))

    def is_failed(self, reason: str = "") -> Fact:
        """It is Failed."""
        return self.says(FAILED, "True", reason)

    def booking_is_over(self, reason: str = "") -> Fact:
        """Its booking has expired."""
        return self.says(EXPIRED, "True", reason)

    def is_booked(self) -> Fact:
        """It is Provisioned, and its capacity is booked."""
        said = {name: one["status"] for name, one in self.conditions.items()}
        held = said.get(PROVISIONED) == "True" and "True" not in (said.get(FAILED), said.get(EXPIRED))
        return self._fact(held, "Provisioned=True, neither Failed nor BookingExpired")

    def is_untouched(self) -> Fact:
        """It has no condition, and never had one."""
        wrote = [one for one in self._changes() if (one.after or {}).get("status")]
        return self._fact(
            bool(self.object) and not self.conditions and not wrote, "has no condition, and never had one"
        )

    def has_just(self, *types: str) -> Fact:
        """It has conditions of exactly these types, in this order."""
        seen = [*self.conditions]
        return self._fact(seen == list(types), f"has conditions {list(types)}", f"{seen}")

    def is_known_to_be_found(self) -> Fact:
        """It is told that its capacity was found, whether that is still kept or not."""
        return self.says(PROVISIONED, "True")

    def keeps(self, conditions: Mapping[str, Json]) -> Fact:
        """It has these conditions, exactly as they are given."""
        seen = {name: self.conditions.get(name) for name in conditions}
        return Fact(seen == dict(conditions), f"{self} keeps {[*conditions]} as they were", f"{seen}")

    def has_details(self, details: Mapping[str, str]) -> Fact:
        """Its status has exactly these details of the class."""
        seen = (self.object.get("status") or {}).get("provisioningClassDetails")
        return Fact(seen == dict(details), f"{self} has the details {dict(details)}", f"{seen}")

    def lacks(self, condition: str) -> Fact:
        """It has no condition of this type."""
        return self._fact(bool(self.object) and condition not in self.conditions, f"no {condition}")

    def is_gone(self) -> Fact:
        """It is deleted."""
        return self._fact(not self.object, "is gone")

    def exists(self) -> Fact:
        """It is there."""
        return self._fact(bool(self.object), "exists")

    def is_of_version(self, version: str) -> Fact:
        """Its resourceVersion is still this."""
        seen = str(self.object.get("metadata", {}).get("resourceVersion", ""))
        return Fact(seen == version, f"{self} has resourceVersion {version}", f"it has {seen}")

    def is_of_generation(self, condition: str, generation: int | None) -> Fact:
        """A condition says that it is about this generation of the request, or about none."""
        found = self.conditions.get(condition, {})
        held = bool(found) and found.get("observedGeneration") == generation
        return self._fact(held, f"{condition} has observedGeneration {generation}", f"{found}")

    # Its story

    def stamps(self, condition: str, status: str = "") -> list[float]:
        """Return the distinct times of a condition in order, as seconds after the first."""
        told = self._told(condition, status)
        return [at - told[0] for at in told]

    def _told(self, condition: str, status: str) -> list[float]:
        told: list[float] = []
        for change in self._changes():
            for one in ((change.after or {}).get("status") or {}).get("conditions") or ():
                at = moment(one["lastTransitionTime"])
                if one["type"] == condition and status in ("", one["status"]) and at not in told:
                    told.append(at)
        return told

    def attempts(self) -> list[float]:
        """Return the times of its attempts, as seconds after the first."""
        return self.stamps(PROVISIONED)

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

    def has_stamps(self, condition: str, *seconds: float) -> Fact:
        """Exactly these times were told for a condition, in seconds after the first; up to a loop later in
        real time.
        """
        seen = self.stamps(condition)
        slack = 0 if self._context.budgets.virtual else 3
        held = len(seen) == len(seconds) and all(
            0 <= one - due <= slack for one, due in zip(seen, seconds, strict=True)
        )
        return Fact(held, f"{self}: {condition} was told after {list(seconds)} s", f"after {seen} s")

    def got(self, *types: str) -> Fact:
        """It got conditions of these types one write after another, in this order."""
        order: list[str] = []
        for change in self._changes():
            there = [
                one["type"] for one in ((change.after or {}).get("status") or {}).get("conditions") or ()
            ]
            new = [one for one in there if one not in order]
            order += ["+".join(new)] if new else []
        return Fact(order == list(types), f"{self} got {list(types)}, each by a write", f"{order}")

    def waited_for(self, condition: str, since: str = "") -> float:
        """Return how many seconds after its creation, or after the time of another condition, a condition
        took its status.
        """
        said = self.conditions
        began = moment(said[since]["lastTransitionTime"]) if since else self.created
        return moment(said[condition]["lastTransitionTime"]) - began

    def took(self, condition: str, seconds: float, *, since: str = "", within: float = 0.0) -> Fact:
        """A condition took its status so many seconds after the creation or after another condition, or up to
        so many later.
        """
        if condition not in self.conditions or (since and since not in self.conditions):
            return self._fact(holds=False, expected=f"{condition} after {seconds:g} s")
        seen = self.waited_for(condition, since)
        slack = within if self._context.budgets.virtual else within + 3
        return Fact(
            seconds <= seen <= seconds + slack,
            f"{self}: {condition} {seconds:g} to {seconds + slack:g} s after {since or 'its creation'}",
            f"after {seen:g} s",
        )

    def was_written(self, times: int) -> Fact:
        """Its status was changed so often by the autoscaler."""
        seen = [
            one for one in self._changes() if not one.actor.startswith(PLAYERS) and one.after and one.before
        ]
        return Fact(len(seen) == times, f"{self} was written {times} time(s)", f"{len(seen)} time(s)")

    def managers(self, condition: str) -> set[tuple[str, str]]:
        """Return the field managers of a condition, with their operations."""
        path = f'k:{{"type":"{condition}"}}'
        entries = self.object.get("metadata", {}).get("managedFields", [])
        return {
            (one["manager"], one["operation"])
            for one in entries
            if path in one.get("fieldsV1", {}).get("f:status", {}).get("f:conditions", {})
        }

    def is_written_by(self, condition: str, operation: str) -> Fact:
        """A condition belongs to the autoscaler by an `Update` or by an `Apply`."""
        seen = self.managers(condition)
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

    def is_told_nothing(self) -> Fact:
        """It has no events."""
        return Fact(not self.events, f"no event about {self}", f"{self.events}")

    def placeholder_is_told(self, reason: str, text: str) -> Fact:
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

    # What others do to it

    def delete(self) -> None:
        """Delete it, as its user does."""
        self._context.client.delete(KIND, self.name, self.namespace)

    def changes(self, **sections: Any) -> Answer:
        """Change fields of its metadata or spec; return the server's answer."""
        return tried(lambda: self._context.client.merge(KIND, self.name, sections, namespace=self.namespace))

    def others_say(self, *, ago: float = 0.0, reason: str = "Said", **conditions: bool | str) -> None:
        """Set conditions as another client would, with a time so many seconds ago."""
        at = timestamp(self._context.cluster.now() - ago)

        def changed(current: Json) -> Json:
            status = current.get("status") or {}
            new = {
                name: {
                    "type": name,
                    "status": str(value),
                    "reason": reason,
                    "message": "",
                    "lastTransitionTime": at,
                }
                for name, value in conditions.items()
            }
            told = {one["type"]: one for one in status.get("conditions", [])}
            return {**current, "status": {**status, "conditions": [*{**told, **new}.values()]}}

        self._context.client.update(KIND, self.name, changed, namespace=self.namespace, sub="status")

    def others_tell(self, details: Mapping[str, str]) -> None:
        """Set the details of the class, as another client would."""
        patch = {"status": {"provisioningClassDetails": dict(details)}}
        self._context.client.merge(KIND, self.name, patch, namespace=self.namespace, sub="status")

    def _fact(self, holds: bool, expected: str, observed: str = "") -> Fact:
        seen = {name: f"{one['status']} {one['reason']}" for name, one in self.conditions.items()}
        return Fact(
            holds, f"{self}: {expected}", observed or (f"{seen}" if self.object else "it does not exist")
        )

    def __str__(self) -> str:
        return f"ProvisioningRequest {self.name}"

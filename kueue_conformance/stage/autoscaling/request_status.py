"""What the status of a ProvisioningRequest says, as an autoscaler has written it (provisioning.md A3)."""

from __future__ import annotations

from collections.abc import Mapping

from ...base.json_types import Json
from ...base.numbers import moment
from ...base.objects import Condition, ProvisioningRequestStatus
from ...case.context import CaseContext
from ...history.fact import Fact

KIND = "ProvisioningRequest"
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


class RequestStatus:
    """One request, read anew by each property."""

    def __init__(self, context: CaseContext, namespace: str, name: str) -> None:
        self._context = context
        self.namespace = namespace
        self.name = name

    @property
    def object(self) -> Json:
        """The current request, empty when it is deleted."""
        return self._context.client.find(KIND, self.name, self.namespace) or {}

    @property
    def status(self) -> ProvisioningRequestStatus:
        """Its status, empty where it has none."""
        status: ProvisioningRequestStatus = self.object.get("status") or ProvisioningRequestStatus()
        return status

    @property
    def conditions(self) -> Mapping[str, Condition]:
        """Its conditions by their types, in their order."""
        conditions = self.status.get("conditions") or ()
        return {condition["type"]: condition for condition in conditions}

    @property
    def creation_time(self) -> float:
        """When it was made, in seconds since the epoch."""
        return moment(self.object["metadata"]["creationTimestamp"])

    def has_condition(self, condition: str, status: str, reason: str = "") -> Fact:
        """A condition has this status, for this reason where one is named."""
        entry = self.conditions.get(condition, {})
        holds = entry.get("status") == status and reason in ("", entry.get("reason"))
        return self._fact(holds, f"{condition}={status} {reason}")

    def shows_answer(self, answer: str) -> Fact:
        """A condition has exactly the status, the reason and the text of one of `ANSWERS`."""
        condition, *words = ANSWERS[answer]
        entry = self.conditions.get(condition, {})
        observed = [entry.get("status"), entry.get("reason"), entry.get("message")]
        return self._fact(observed == words, f"{condition} {words}", f"{entry}")

    def shows_failure(self, reason: str, message: str) -> Fact:
        """It has failed for exactly this reason with exactly this text."""
        entry = self.conditions.get(FAILED, {})
        observed = entry.get("status"), entry.get("reason"), entry.get("message")
        return self._fact(observed == ("True", reason, message), f"Failed {reason} {message!r}", f"{entry}")

    def is_accepted(self) -> Fact:
        """It is Accepted."""
        return self.has_condition(ACCEPTED, "True")

    def is_provisioned(self, reason: str = "") -> Fact:
        """It is Provisioned and not Failed."""
        conditions = self.conditions
        # Failed beside Provisioned is possible: the autoscaler removes no condition (PR-091).
        holds = conditions.get(PROVISIONED, {}).get("status") == "True" and reason in (
            "",
            conditions[PROVISIONED]["reason"],
        )
        failed = conditions.get(FAILED, {}).get("status") == "True"
        return self._fact(holds and not failed, f"Provisioned=True {reason}, and not Failed")

    def is_out_of_capacity(self) -> Fact:
        """Its capacity was not found; it will be tried again."""
        conditions = self.conditions
        holds = conditions.get(PROVISIONED, {}).get("status") == "False"
        return self._fact(
            holds and conditions.get(FAILED, {}).get("status") != "True", "Provisioned=False, and not Failed"
        )

    def is_available(self, *, available: bool = True) -> Fact:
        """Its capacity is there now, or is not, in the words of the proposal (PR-202)."""
        return self.has_condition("CapacityAvailable", str(available))

    def is_failed(self, reason: str = "") -> Fact:
        """It is Failed."""
        return self.has_condition(FAILED, "True", reason)

    def is_booking_expired(self, reason: str = "") -> Fact:
        """Its booking has expired."""
        return self.has_condition(EXPIRED, "True", reason)

    def is_booked(self) -> Fact:
        """It is Provisioned, and its capacity is booked."""
        statuses = {name: condition["status"] for name, condition in self.conditions.items()}
        holds = statuses.get(PROVISIONED) == "True" and "True" not in (
            statuses.get(FAILED),
            statuses.get(EXPIRED),
        )
        return self._fact(holds, "Provisioned=True, not Failed and not BookingExpired")

    def has_only_conditions(self, *types: str) -> Fact:
        """It has conditions of exactly these types, in this order."""
        observed_types = [*self.conditions]
        return self._fact(observed_types == list(types), f"has conditions {list(types)}", f"{observed_types}")

    def has_found_capacity(self) -> Fact:
        """It is told that its capacity was found, whether that is still kept or not."""
        return self.has_condition(PROVISIONED, "True")

    def has_conditions(self, conditions: Mapping[str, Json]) -> Fact:
        """It has exactly these conditions."""
        observed = {name: self.conditions.get(name) for name in conditions}
        return Fact(observed == dict(conditions), f"{self} keeps {[*conditions]} as they were", f"{observed}")

    def has_details(self, details: Mapping[str, str]) -> Fact:
        """Its status has exactly these details of the class."""
        observed_details = self.status.get("provisioningClassDetails")
        return Fact(
            observed_details == dict(details),
            f"{self} has the details {dict(details)}",
            f"{observed_details}",
        )

    def has_no_condition(self, condition: str) -> Fact:
        """It has no condition of this type."""
        return self._fact(bool(self.object) and condition not in self.conditions, f"no {condition}")

    def is_gone(self) -> Fact:
        """It is deleted."""
        return self._fact(not self.object, "is gone")

    def exists(self) -> Fact:
        """It is there."""
        return self._fact(bool(self.object), "exists")

    def has_resource_version(self, version: str) -> Fact:
        """Its resourceVersion is still this."""
        observed_version = str(self.object.get("metadata", {}).get("resourceVersion", ""))
        return Fact(
            observed_version == version, f"{self} has resourceVersion {version}", f"it has {observed_version}"
        )

    def has_observed_generation(self, condition: str, generation: int | None) -> Fact:
        """A condition says that it is about this generation of the request, or about none."""
        entry = self.conditions.get(condition, {})
        holds = bool(entry) and entry.get("observedGeneration") == generation
        return self._fact(holds, f"{condition} has observedGeneration {generation}", f"{entry}")

    def _fact(self, holds: bool, expected: str, observed: str = "") -> Fact:
        statuses = {
            name: f"{condition['status']} {condition['reason']}"
            for name, condition in self.conditions.items()
        }
        return Fact(
            holds, f"{self}: {expected}", observed or (f"{statuses}" if self.object else "it does not exist")
        )

    def __str__(self) -> str:
        return f"ProvisioningRequest {self.name}"

"""A scripted autoscaler: the scenario writes the status of ProvisioningRequests (provisioning.md A3, A4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...base.errors import UnmetPremise
from ...base.json_types import Json
from ...base.objects import Condition, ConditionStatus, ObjectMeta, ProvisioningRequestStatus
from ...case.context import CaseContext
from ...wire.client import ApiError
from ..checks.check import timestamp
from ..requests.provisioning_request import KIND, ProvisioningRequest
from ..subject.outside_system import ACTOR

ACCEPTED, PROVISIONED, FAILED = "Accepted", "Provisioned", "Failed"
EXPIRED, REVOKED = "BookingExpired", "CapacityRevoked"
_REASONS = {
    ACCEPTED: "Accepted",
    PROVISIONED: "CapacityIsFound",
    FAILED: "FailedToCreatePods",
    EXPIRED: "BookingExpired",
    REVOKED: "CapacityRevoked",
}
Status = bool | str


class Autoscaler:
    """Writes the status of requests; a stand-in of the context ends the bookings whose time is over."""

    def __init__(self, context: CaseContext) -> None:
        self._context = context
        self._client = context.client.with_agent(ACTOR)
        self._booked: dict[tuple[str, str], float] = {}
        context.stand_ins.append(self._end_bookings)

    def accept(self, request: ProvisioningRequest) -> None:
        """Accept the request."""
        self.set_conditions(request, Accepted=True)

    def provision(
        self, request: ProvisioningRequest, message: str = "", *, details: Mapping[str, str] | None = None
    ) -> None:
        """Report the capacity as provisioned; `details` are those of the class."""
        self.set_conditions(request, message, details=details, Accepted=True, Provisioned=True)

    def report_shortage(self, request: ProvisioningRequest, message: str) -> None:
        """Report that the capacity is missing, and when it will be there: the ETA is in the text."""
        self.set_conditions(request, message, Accepted=True, Provisioned=False)

    def reject(self, request: ProvisioningRequest, message: str = "") -> None:
        """Fail the request."""
        self.set_conditions(request, message, Failed=True)

    def reject_if_exists(self, request: ProvisioningRequest, message: str = "") -> None:
        """Fail the request, unless Kueue has deleted it, or deletes it before the write arrives."""
        if not (current := request.object):
            return
        try:
            self._say(current["metadata"], message, {FAILED: True}, None)
        except ApiError as error:
            if error.code != 404:
                raise

    def book_until(self, request: ProvisioningRequest, moment: float) -> None:
        """Provide the capacity, and keep it free until a moment, in seconds since the epoch."""
        self.provision(request)
        metadata = _metadata(request)
        self._booked[metadata["namespace"], metadata["name"]] = moment

    def expire_booking(self, request: ProvisioningRequest, message: str = "") -> None:
        """End the booking."""
        self.set_conditions(request, message, BookingExpired=True)

    def revoke_capacity(self, request: ProvisioningRequest, message: str = "") -> None:
        """Take the capacity back."""
        self.set_conditions(request, message, CapacityRevoked=True)

    def remove_conditions(self, request: ProvisioningRequest, *types: str) -> None:
        """Remove conditions; all where none is named."""

        def without_conditions(current: Json) -> Json:
            status: ProvisioningRequestStatus = current.get("status") or ProvisioningRequestStatus()
            conditions = [
                condition
                for condition in status.get("conditions", [])
                if types and condition["type"] not in types
            ]
            return {**current, "status": {**status, "conditions": conditions}}

        self._write(_metadata(request), without_conditions)

    def set_details(self, request: ProvisioningRequest, details: Mapping[str, str]) -> None:
        """Change the details of the class only."""
        self._write(_metadata(request), lambda current: _with(current, details))

    def set_conditions(
        self,
        request: ProvisioningRequest,
        message: str = "",
        *,
        details: Mapping[str, str] | None = None,
        **conditions: Status,
    ) -> None:
        """Set conditions to True, False or `Unknown`, all with the same message."""
        self._say(_metadata(request), message, conditions, details)

    def _say(
        self,
        metadata: ObjectMeta,
        message: str,
        conditions: Mapping[str, Status],
        details: Mapping[str, str] | None,
    ) -> None:
        current_time = timestamp(self._context.cluster.now())

        def with_conditions(current: Json) -> Json:
            status: ProvisioningRequestStatus = current.get("status") or ProvisioningRequestStatus()
            existing = {condition["type"]: condition for condition in status.get("conditions", [])}
            new = {
                name: _condition(existing.get(name), name, value, message, current_time)
                for name, value in conditions.items()
            }
            updated = {**current, "status": {**status, "conditions": [*{**existing, **new}.values()]}}
            return _with(updated, details) if details is not None else updated

        self._write(metadata, with_conditions)

    def _write(self, metadata: ObjectMeta, change: Any) -> None:
        self._client.update(KIND, metadata["name"], change, namespace=metadata["namespace"], sub="status")

    def _end_bookings(self) -> bool:
        """End every booking whose time is over; tells whether there was one."""
        due = [key for key, moment in self._booked.items() if moment <= self._context.cluster.now()]
        for namespace, name in due:
            del self._booked[namespace, name]
            if self._context.client.find(KIND, name, namespace):
                self._say(
                    {"namespace": namespace, "name": name}, "the booking is over", {EXPIRED: True}, None
                )
        return bool(due)


def _metadata(request: ProvisioningRequest) -> ObjectMeta:
    """Return the metadata of a request that is to be answered. Raises UnmetPremise where there is none."""
    current = request.object
    if not current:
        raise UnmetPremise(
            f"undetermined: {request} does not exist, and the autoscaler was to answer it",
            hint="see in the story who deleted it, and when",
        )
    metadata: ObjectMeta = current["metadata"]
    return metadata


def _condition(old: Condition | None, name: str, value: Status, message: str, current_time: str) -> Condition:
    status: ConditionStatus = "Unknown" if isinstance(value, str) else "True" if value else "False"
    time = current_time if old is None or old["status"] != status else old["lastTransitionTime"]
    return {
        "type": name,
        "status": status,
        "reason": _REASONS.get(name, "Said"),
        "message": message,
        "lastTransitionTime": time,
    }


def _with(current: Json, details: Mapping[str, str]) -> Json:
    return {**current, "status": {**(current.get("status") or {}), "provisioningClassDetails": dict(details)}}

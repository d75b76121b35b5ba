"""Conditions that the autoscaler writes into a request, with reasons and exact messages (PR-076…086)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from reference_impl.api import instants
from reference_impl.api.resource import Json

from .request import ACCEPTED, BOOKING_EXPIRED, FAILED, PROVISIONED, ProvisioningRequest


@dataclass(frozen=True, slots=True)
class RequestCondition:
    """A condition to be written."""

    type: str
    status: bool
    reason: str
    message: str


_FOUND = "Capacity is found in the cluster"
IS_ACCEPTED: Final = RequestCondition(
    ACCEPTED, True, "Accepted", "ProvisioningRequest is accepted by ClusterAutoscaler"
)
FOUND: Final = RequestCondition(PROVISIONED, True, "CapacityIsFound", _FOUND)
# The text is that of FOUND: the real one says the same (PR-078).
SCALED_UP: Final = RequestCondition(PROVISIONED, True, "CapacityIsProvisioned", _FOUND)
NOT_FOUND: Final = RequestCondition(
    PROVISIONED, False, "CapacityIsNotFound", "Capacity is not found, CA will try to find it later."
)
NEVER_FOUND: Final = RequestCondition(
    FAILED, True, "CapacityIsNotFound", "CA could not find requested capacity"
)
EXPIRED: Final = RequestCondition(FAILED, True, "Expired", "ProvisioningRequest is expired")
BOOKING_OVER: Final = RequestCondition(
    BOOKING_EXPIRED, True, "CapacityReservationTimeExpired", "Capacity reservation time is expired"
)
BOOKING_USED: Final = RequestCondition(
    BOOKING_EXPIRED, True, "CapacityBookingConsumed", "Capacity booking consumed: all pods scheduled"
)


def no_pods(problem: str) -> RequestCondition:
    """Say that the pods of a request cannot be made (PR-082)."""
    return RequestCondition(FAILED, True, "FailedToCreatePods", problem)


def no_booking(problem: str) -> RequestCondition:
    """Say that capacity can no longer be booked, since its pods cannot be made (PR-083)."""
    return RequestCondition(FAILED, True, "FailedToBookCapacity", f"Couldn't create pods, err: {problem}")


def render(
    new: RequestCondition, request: ProvisioningRequest, current_time: float, *, observed: bool = True
) -> Json:
    """Return the condition for storing; its time is always the present (PR-087)."""
    stored: dict[str, Json] = {
        "type": new.type,
        "status": "True" if new.status else "False",
        "reason": new.reason,
        "message": new.message,
        # The real one sets it with every write, also where the status stays the same
        # (PR-087).
        "lastTransitionTime": instants.render(current_time),
    }
    # An apply of the real one has no generation.
    return {**stored, "observedGeneration": request.generation} if observed else stored


def with_conditions(
    request: ProvisioningRequest,
    news: Sequence[RequestCondition],
    current_time: float,
    details: Mapping[str, str] | None = None,
) -> Json:
    """Return the request with conditions set: those that were there keep their place (PR-088).

    `details` are added to its own.
    """
    conditions = list(request.conditions)
    for new in news:
        entry = render(new, request, current_time)
        index = next((k for k, condition in enumerate(conditions) if condition["type"] == new.type), None)
        if index is None:
            conditions.append(entry)
        else:
            # In place: the order of conditions is what clients see.
            conditions[index] = entry
    status = {**(request.object.get("status") or {}), "conditions": conditions}
    if details is not None:
        status[request.fields.details] = {**(status.get(request.fields.details) or {}), **details}
    return {**request.object, "status": status}
